#include "weft/catalog/state.h"

#include <algorithm>
#include <utility>

#include "weft/base/check.h"
#include "weft/catalog/load.h"
#include "weft/catalog/read_parts.h"

namespace weft::catalog {
namespace {

// The texts between quotes of a line such as `aliases = ["pcie5", "gen5"]`.
std::vector<std::string> quoted_words(std::string_view line) {
  std::vector<std::string> words;
  std::size_t open = line.find('"');
  while (open != std::string_view::npos) {
    const std::size_t close = line.find('"', open + 1);
    if (close == std::string_view::npos) break;
    words.emplace_back(line.substr(open + 1, close - open - 1));
    open = line.find('"', close + 1);
  }
  return words;
}

// Calls use(line, offset) for each line that begins with `first`.
template <class Use>
void for_lines_with(std::string_view text, std::string_view first, Use use) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    if (const std::string_view line = text.substr(at, end - at); line.starts_with(first)) use(line, at);
    at = end + 1;
  }
}

const Part* found_in(const AllParts& all, std::string_view name) {
  const auto found = all.index.find(name);
  return found == all.index.end() ? nullptr : &all.parts[found->second];
}

}  // namespace

CatalogState::CatalogState(AllParts all, std::vector<ModelShape> models)
    : all_(std::move(all)), models_(std::move(models)) {}

CatalogState::CatalogState(std::span<const EmbeddedFile> files)
    : files_(files), draft_(std::make_unique<Draft>(false)) {
  for (std::size_t file = 0; file < files_.size(); ++file) {
    if (!is_models_file(files_[file].name)) cut(file);
  }
  draft_->fetch_part = [this](std::string_view name) {
    if (const auto piece = part_pieces_.find(name); piece != part_pieces_.end()) read(pieces_[piece->second]);
  };
  draft_->fetch_source = [this](std::string_view id) {
    if (const auto piece = source_pieces_.find(id); piece != source_pieces_.end()) read(pieces_[piece->second]);
  };
}

CatalogState::~CatalogState() = default;

void CatalogState::cut(std::size_t file) {
  const std::string_view text = files_[file].content;
  const std::size_t first = pieces_.size();
  for_lines_with(text, "[", [&](std::string_view line, std::size_t at) {
    const std::size_t dot = line.find('.');
    const std::size_t close = line.find(']');
    WEFT_CHECK(dot < close && close != std::string_view::npos, "a header of the builtin catalog is [kind.id]");
    if (pieces_.size() > first) {
      std::string_view& before = pieces_.back().text;
      before = before.substr(0, at - static_cast<std::size_t>(before.data() - text.data()));
    }
    pieces_.push_back(
        {file, text.substr(at), line.substr(dot + 1, close - dot - 1), kind_from(line.substr(1, dot - 1))});
  });
  for (std::size_t i = first; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    auto& pieces = piece.kind ? part_pieces_ : source_pieces_;
    pieces.emplace(piece.id, i);
    for_lines_with(piece.text, "aliases = [", [&](std::string_view line, std::size_t) {
      for (std::string& alias : quoted_words(line)) pieces.emplace(std::move(alias), i);
    });
  }
}

void CatalogState::read(const Piece& piece) const {
  const SourceText text{std::string(files_[piece.file].name), std::string(piece.text)};
  const Result<TomlFile> file = TomlFile::parse(text);
  WEFT_CHECK(file.has_value(), "the builtin catalog is TOML");
  const Result<void> done = piece.kind ? draft_->read_parts(*file) : draft_->read_sources(*file);
  WEFT_CHECK(done.has_value(), "the builtin catalog is sound");
}

const Part* CatalogState::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  return all_ ? found_in(*all_, name) : draft_->find(name);
}

const Source* CatalogState::source(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  if (!all_) return draft_->source(id);
  const auto found = std::ranges::find(all_->sources, id, &Source::id);
  return found == all_->sources.end() ? nullptr : &*found;
}

std::vector<std::string> CatalogState::ids(Kind kind) const {
  std::vector<std::string> some;
  for (const Piece& piece : pieces_) {
    if (piece.kind == kind) some.emplace_back(piece.id);
  }
  if (!pieces_.empty()) return some;
  for (const Part& part : all_->parts) {
    if (part.kind == kind) some.push_back(part.id);
  }
  return some;
}

std::vector<std::string> CatalogState::names() const {
  std::vector<std::string> every;
  if (pieces_.empty()) {
    for (const auto& [name, place] : all_->index) every.push_back(name);
  } else {
    for (const auto& [name, piece] : part_pieces_) every.push_back(name);
  }
  return every;
}

const AllParts& CatalogState::all() const {
  const std::lock_guard lock(mutex_);
  if (!all_) {
    Result<AllParts> everything = load_parts(texts_of(files_));
    WEFT_CHECK(everything.has_value(), "the builtin catalog is sound");
    all_ = std::move(*everything);
  }
  return *all_;
}

const std::vector<ModelShape>& CatalogState::models() const {
  const std::lock_guard lock(mutex_);
  if (!models_) {
    Result<std::vector<ModelShape>> shapes = load_models(texts_of(files_));
    WEFT_CHECK(shapes.has_value(), "the builtin models are sound");
    models_ = std::move(*shapes);
  }
  return *models_;
}

}  // namespace weft::catalog
