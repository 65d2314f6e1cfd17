#include "weft/intake/measurement_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "weft/formats/nccl_tests_log.h"
#include "weft/formats/sniff.h"
#include "weft/intake/text_file.h"

namespace weft::intake {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100'000;
constexpr int kDeepestFolder = 16;

// Regular files under a folder, hidden ones left out, sorted; no more than kMostFiles.
Result<std::vector<std::string>> files_under(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code problem;
  fs::recursive_directory_iterator walk(folder, fs::directory_options::skip_permission_denied, problem);
  for (; !problem && walk != fs::recursive_directory_iterator() && files.size() < kMostFiles; walk.increment(problem)) {
    const bool hidden = walk->path().filename().string().starts_with('.');
    std::error_code ignored;
    if (walk->is_directory(ignored) && (hidden || walk.depth() >= kDeepestFolder)) walk.disable_recursion_pending();
    if (!hidden && walk->is_regular_file(ignored)) files.push_back(walk->path().string());
  }
  if (problem) {
    Error error = input_error("WEFT-INT-0004", "the folder cannot be read: " + problem.message());
    error.where.file = folder;
    return fail(std::move(error));
  }
  std::sort(files.begin(), files.end());
  return files;
}

class FilesReader {
 public:
  FilesReader(MeasurementJoiner& joiner, std::istream& standard_input) : joiner_(joiner), input_(standard_input) {}

  Result<void> read_path(const std::string& path) {
    std::error_code problem;
    if (path == "-" || !fs::is_directory(path, problem)) {
      Result<SourceText> text = read_text(path, input_);
      if (!text) return fail(std::move(text.error()));
      take(*text, true);
      return {};
    }
    Result<std::vector<std::string>> files = files_under(path);
    if (!files) return fail(std::move(files.error()));
    if (files->size() == kMostFiles) set_.passed_over.push_back(path + ": files beyond " + std::to_string(kMostFiles));
    for (const std::string& file : *files) {
      Result<SourceText> text = read_text(file, input_);
      if (text) {
        take(*text, false);
      } else {
        set_.passed_over.push_back(file + ": " + text.error().message);
      }
    }
    return {};
  }

  MeasurementSet finish() { return std::move(set_); }

 private:
  void take(const SourceText& text, bool named) {
    if (formats::looks_like_measured_table(text.text)) {
      Result<formats::MeasuredTable> table = formats::read_measured_table(text);
      if (!table) return refuse(text.name, std::move(table.error()));
      set_.measurements.push_back(joiner_.join(std::move(*table)));
      return;
    }
    if (!named && !formats::looks_like_nccl_tests_log(text.text)) {
      set_.passed_over.push_back(text.name + ": " + formats::sniff(text.text).why);
      return;
    }
    Result<std::vector<formats::MeasuredTable>> tables = formats::read_nccl_tests_log(text);
    if (!tables) return refuse(text.name, std::move(tables.error()));
    for (formats::MeasuredTable& table : *tables) set_.measurements.push_back(joiner_.join(std::move(table)));
  }

  void refuse(const std::string& file, Error error) { set_.unreadable.push_back({file, std::move(error)}); }

  MeasurementJoiner& joiner_;
  std::istream& input_;
  MeasurementSet set_;
};

}  // namespace

Result<MeasurementSet> read_measurements(std::span<const std::string> paths, const catalog::Catalog& catalog,
                                         const MeasurementOptions& options, std::istream& standard_input) {
  MeasurementJoiner joiner(catalog);
  if (!options.cluster.empty()) {
    Result<void> used = joiner.use_cluster(options.cluster, options.gpu, standard_input);
    if (!used) return fail(std::move(used.error()));
  }
  FilesReader reader(joiner, standard_input);
  for (const std::string& path : paths) {
    if (Result<void> read = reader.read_path(path); !read) return fail(std::move(read.error()));
  }
  return reader.finish();
}

}  // namespace weft::intake
