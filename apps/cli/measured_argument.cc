#include "measured_argument.h"

#include <algorithm>
#include <filesystem>
#include <istream>
#include <system_error>

#include "weft/base/printable.h"
#include "weft/formats/measured_table.h"
#include "weft/intake/text_file.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100'000;

bool may_be_measured(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".tsv" || extension == ".log" || extension == ".txt";
}

// A folder's files by name, so that the order is the same everywhere.
Result<std::vector<std::string>> expand(const std::string& path) {
  std::error_code problem;
  if (path == "-" || !fs::is_directory(path, problem)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (auto it = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, problem);
       !problem && it != fs::recursive_directory_iterator(); it.increment(problem)) {
    if (it->is_regular_file(problem) && may_be_measured(it->path())) files.push_back(it->path().string());
    if (files.size() == kMostFiles) break;
  }
  if (files.empty()) {
    return fail(input_error("WEFT-CLI-0040", "no measured table or log in the folder " + in_quotes(path))
                    .with_expected("files that end in .tsv, .log or .txt"));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<MeasuredInput> load_measured(std::span<const std::string> paths, const std::string&, Context& context) {
  Result<const catalog::Catalog*> catalog = context.catalog();
  if (!catalog) return fail(std::move(catalog.error()));
  MeasuredInput input;
  intake::MeasurementJoiner joiner(**catalog);
  for (const std::string& path : paths) {
    Result<std::vector<std::string>> files = expand(path);
    if (!files) return fail(std::move(files.error()));
    for (const std::string& file : *files) {
      Result<SourceText> text = intake::read_text(file, context.in);
      if (!text) {
        input.unreadable.push_back(std::move(text.error()));
        continue;
      }
      Result<formats::MeasuredTable> table = formats::read_measured_table(*text);
      if (!table) {
        input.unreadable.push_back(std::move(table.error()));
        continue;
      }
      input.measurements.push_back(joiner.join(std::move(*table)));
    }
  }
  if (input.measurements.empty() && !input.unreadable.empty()) return fail(std::move(input.unreadable.front()));
  return input;
}

}  // namespace weft::cli
