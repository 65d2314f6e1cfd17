# Writes OUT: one raw string literal per 8,000 characters (compilers limit one literal), joined by the compiler.
string(REPLACE "|" ";" files "${FILES}")
set(entries "")
set(body "")
set(index 0)
foreach(file IN LISTS files)
  file(READ "${file}" content)
  file(RELATIVE_PATH name "${ROOT}" "${file}")
  string(LENGTH "${content}" length)
  set(literal "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${content}" ${at} 8000 piece)
    string(APPEND literal "\nR\"weftdata(${piece})weftdata\"")
    math(EXPR at "${at} + 8000")
  endwhile()
  if(literal STREQUAL "")
    set(literal "\"\"")
  endif()
  string(APPEND body "constexpr std::string_view kFile${index} = ${literal};\n")
  string(APPEND entries "    {\"${name}\", kFile${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUT}" "// Made by cmake/embed_run.cmake.
#include \"weft/base/embedded.h\"

namespace weft {
namespace {
${body}
constexpr EmbeddedFile kFiles[] = {
${entries}};
}  // namespace

std::span<const EmbeddedFile> ${SYMBOL}() { return kFiles; }

}  // namespace weft
")
