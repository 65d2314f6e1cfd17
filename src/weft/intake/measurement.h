// A measured table joined with the cluster that it was measured on.
//
// What the header leaves open is filled by rule and listed in `assumed`: an unknown library is the newest of its date,
// or the one usual for its GPU generation (library_guess.h); an unknown network between servers is InfiniBand at the
// stated rate; unknown NICs are the server's own. NCCL_ALGO and NCCL_PROTO in `env` are forced; `interconnect` counts
// where it states a fact (an NVLink bridge, no peer-to-peer). A table cannot be used only when its server, its number
// of servers or of GPUs, or the operation is unknown.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weft/catalog/catalog.h"
#include "weft/collective/call.h"
#include "weft/fabric/cluster.h"
#include "weft/fabric/group.h"
#include "weft/formats/measured_table.h"

namespace weft::intake {

struct Measurement {
  formats::MeasuredTable table;
  std::string why_not;  // "" = usable
  std::vector<std::string> assumed;
  std::shared_ptr<const fabric::Cluster> cluster;
  std::vector<fabric::DeviceId> group;
  fabric::GroupShape shape;
  collective::Library library;
  [[nodiscard]] bool usable() const { return why_not.empty(); }
  [[nodiscard]] collective::Call call(Bytes size) const;
};

// Joins many tables; a cluster that several of them were measured on is built once.
class MeasurementJoiner {
 public:
  explicit MeasurementJoiner(const catalog::Catalog& catalog) : catalog_(catalog) {}
  [[nodiscard]] Measurement join(formats::MeasuredTable table);

 private:
  const catalog::Catalog& catalog_;
  std::map<std::string, std::shared_ptr<const fabric::Cluster>> built_;
};

}  // namespace weft::intake
