// What a Catalog holds: everything read, or texts of which parts are read when they are asked for. Private to the room.
//
// The second form is for the texts compiled in. A part's text is the piece from its header line to the next; headers
// and aliases are found by looking at lines, which suffices for texts in our own layout (a test holds it against a full
// read). Answers are kept, addresses stay, calls from several threads are safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/embedded.h"
#include "weft/catalog/model_shape.h"
#include "weft/catalog/part.h"

namespace weft::catalog {

class Draft;

struct AllParts {
  std::vector<Part> parts;
  std::vector<Source> sources;
  std::map<std::string, std::size_t, std::less<>> index;  // ids and aliases -> parts
};

class CatalogState {
 public:
  CatalogState(AllParts all, std::vector<ModelShape> models);
  explicit CatalogState(std::span<const EmbeddedFile> files);
  ~CatalogState();
  CatalogState(const CatalogState&) = delete;
  CatalogState& operator=(const CatalogState&) = delete;

  [[nodiscard]] const Part* find(std::string_view name) const;
  [[nodiscard]] const Source* source(std::string_view id) const;
  [[nodiscard]] std::vector<std::string> ids(Kind kind) const;
  [[nodiscard]] std::vector<std::string> names() const;  // ids and aliases
  [[nodiscard]] const AllParts& all() const;
  [[nodiscard]] const std::vector<ModelShape>& models() const;

 private:
  struct Piece {
    std::size_t file = 0;
    std::string_view text;
    std::string_view id;
    std::optional<Kind> kind;  // none for a source
  };

  void cut(std::size_t file);
  void note_header(std::size_t file, std::string_view header, std::string_view rest);
  void read(const Piece& piece) const;

  std::span<const EmbeddedFile> files_;
  std::vector<Piece> pieces_;
  std::map<std::string, std::size_t, std::less<>> part_pieces_;  // ids and aliases
  std::map<std::string, std::size_t, std::less<>> source_pieces_;

  mutable std::mutex mutex_;
  mutable std::unique_ptr<Draft> draft_;
  mutable std::optional<AllParts> all_;
  mutable std::optional<std::vector<ModelShape>> models_;
};

}  // namespace weft::catalog
