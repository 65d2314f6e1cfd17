#include "weft/intake/text_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "weft/units/text.h"

namespace weft::intake {
namespace {

Error about(std::string_view id, const std::string& name, const std::string& what) {
  Error error = input_error(id, what);
  error.where.file = name;
  return error;
}

Error too_large(const std::string& name, std::size_t limit) {
  return about("WEFT-INT-0003", name, "the file is larger than " + human(Bytes(static_cast<std::int64_t>(limit))))
      .with_hint("a topology, model or cluster file has a few kB to a few MB; is this the right one?");
}

Result<std::string> take_all(std::istream& in, const std::string& name, std::size_t limit) {
  std::string text;
  std::array<char, 65'536> block{};
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > limit) return fail(too_large(name, limit));
  }
  if (in.bad()) return fail(about("WEFT-INT-0004", name, "the file cannot be read to its end"));
  return text;
}

}  // namespace

Result<SourceText> read_text(std::string_view path, std::istream& standard_input, std::size_t limit) {
  const std::string name(path);
  Result<std::string> text = std::string();
  if (name == "-") {
    text = take_all(standard_input, name, limit);
  } else {
    std::error_code problem;
    const std::filesystem::file_status status = std::filesystem::status(name, problem);
    if (!std::filesystem::exists(status)) return fail(about("WEFT-INT-0001", name, "no such file"));
    if (std::filesystem::is_directory(status)) {
      return fail(about("WEFT-INT-0002", name, "this is a directory").with_expected("a file"));
    }
    if (std::filesystem::is_regular_file(status)) {
      const std::uintmax_t size = std::filesystem::file_size(name, problem);
      if (!problem && size > limit) return fail(too_large(name, limit));
    } else if (std::filesystem::is_block_file(status) || std::filesystem::is_socket(status)) {
      return fail(about("WEFT-INT-0002", name, "this is a device, not a file").with_expected("a file"));
    }
    std::ifstream file(name, std::ios::binary);
    if (!file) return fail(about("WEFT-INT-0004", name, std::string("cannot be opened: ") + std::strerror(errno)));
    text = take_all(file, name, limit);
  }
  if (!text) return fail(std::move(text.error()));
  if (text->find_first_not_of(" \t\r\n") == std::string::npos) {
    return fail(about("WEFT-INT-0005", name, "the file is empty"));
  }
  return SourceText{name, std::move(*text)};
}

}  // namespace weft::intake
