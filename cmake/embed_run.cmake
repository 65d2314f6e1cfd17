# Writes OUT: raw string literals of at most 8,000 bytes (compilers limit one literal), joined by the compiler.
string(REPLACE "|" ";" files "${FILES}")
set(entries "")
set(body "")
set(index 0)
foreach(file IN LISTS files)
  file(READ "${file}" content)
  file(READ "${file}" hex HEX)
  file(RELATIVE_PATH name "${ROOT}" "${file}")
  string(LENGTH "${content}" length)
  set(literal "")
  set(at 0)
  while(at LESS length)
    # Back to a byte that begins a character: compilers refuse a literal that ends inside one.
    math(EXPR end "${at} + 8000")
    while(end LESS length)
      math(EXPR digit "2 * ${end}")
      string(SUBSTRING "${hex}" ${digit} 1 high)
      if(NOT high MATCHES "[89ab]")
        break()
      endif()
      math(EXPR end "${end} - 1")
    endwhile()
    math(EXPR taken "${end} - ${at}")
    string(SUBSTRING "${content}" ${at} ${taken} piece)
    string(APPEND literal "\nR\"weftdata(${piece})weftdata\"")
    set(at ${end})
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
