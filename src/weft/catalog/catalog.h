// All parts and model shapes, read once from TOML.
//
// load() reads texts (the embedded files of data/catalog, or a user's own laid over them: a later definition of the
// same kind and id replaces the earlier). Errors point at the TOML line. find() and the typed views never throw; an
// unknown id is an Error with a did-you-mean. A Catalog is a value that is passed where it is needed: no globals.
// Where an id is asked for, an alias will do ("pcie5" for pcie5-x16), and a parametric server takes a count
// ("pcie-a100:4").
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/embedded.h"
#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/catalog/model_shape.h"
#include "weft/catalog/part.h"
#include "weft/catalog/parts.h"

namespace weft::catalog {

class CatalogState;

class Catalog {
 public:
  Catalog();  // empty
  // The catalog compiled into the program. A part is parsed when it is first asked for, since a command needs few and
  // start-up is short; the parts() of everything cost some 10 ms once. That all of it is sound, the tests prove.
  static Result<Catalog> builtin();
  // Everything is read and checked now. A source stands in the same text as the parts that name it, or in an earlier.
  static Result<Catalog> load(std::span<const SourceText> files);
  // The texts of builtin(), to load with a user's own behind them.
  static std::vector<SourceText> builtin_texts();

  [[nodiscard]] std::span<const Part> parts() const;
  [[nodiscard]] std::vector<const Part*> parts(Kind kind) const;
  [[nodiscard]] const Part* find(std::string_view id) const;  // of any kind; ids are unique over all kinds
  // find(), or an Error that says what is near; also takes "pcie-a100:4".
  [[nodiscard]] Result<const Part*> part(std::string_view id) const;
  [[nodiscard]] std::span<const Source> sources() const;
  [[nodiscard]] const Source* source(std::string_view id) const;
  [[nodiscard]] std::span<const ModelShape> models() const;

  [[nodiscard]] Result<LinkPart> link(std::string_view id) const;
  [[nodiscard]] Result<GpuPart> gpu(std::string_view id) const;
  [[nodiscard]] Result<CpuPart> cpu(std::string_view id) const;
  [[nodiscard]] Result<NicPart> nic(std::string_view id) const;
  [[nodiscard]] Result<SwitchPart> network_switch(std::string_view id) const;
  [[nodiscard]] Result<ServerPart> server(std::string_view id) const;
  [[nodiscard]] Result<ModelShape> model(std::string_view id) const;

  // Every id of a kind, for did-you-mean and completion.
  [[nodiscard]] std::vector<std::string> ids(Kind kind) const;
  [[nodiscard]] std::vector<std::string> model_ids() const;

 private:
  explicit Catalog(std::shared_ptr<const CatalogState> state);
  [[nodiscard]] Result<const Part*> part_of(Kind kind, std::string_view id) const;

  std::shared_ptr<const CatalogState> state_;  // immutable to see; copies share it, threads may too
};

}  // namespace weft::catalog
