// A measured table joined with the cluster that it was measured on.
//
// What the header leaves open is filled by rule and listed in `assumed`: an unknown library is the newest of its date,
// or the one usual for its GPU generation (library_guess.h); an unknown network between servers is InfiniBand at the
// stated rate; unknown NICs are the server's own (measured_network.h). NCCL_ALGO and NCCL_PROTO in `env` are forced;
// `interconnect` counts where it states a fact (measured_cluster.h). The servers are the first of the cluster, the GPUs
// the first of each.
//
// A raw log names no server: the user does (use_cluster), or the GPU's name does (server_guess.h), and the trays of an
// NVL72 are then one rack. A table cannot be used only when its server, its number of servers or of GPUs, or the
// operation is unknown, when one GPU has nobody to send to, or when no such cluster can be.
#pragma once

#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  std::shared_ptr<const fabric::Cluster> cluster;  // fabric, and the conditions that held
  std::vector<fabric::DeviceId> group;
  fabric::GroupShape shape;
  collective::Library library;
  int gpus_per_process = 1;  // of the group
  [[nodiscard]] bool usable() const { return why_not.empty(); }
  [[nodiscard]] collective::Call call(Bytes size) const;
};

// Joins many tables; a cluster that several of them were measured on is built once. The catalog must outlive it.
class MeasurementJoiner {
 public:
  explicit MeasurementJoiner(const catalog::Catalog& catalog) : catalog_(catalog) {}

  // From now on every table was measured on this cluster, whatever it says itself: the name of a server of the catalog
  // (as many as the table says), or whatever load_cluster takes. `gpu` for files that do not name theirs.
  Result<void> use_cluster(std::string_view spec, const std::string& gpu, std::istream& standard_input);

  [[nodiscard]] Measurement join(formats::MeasuredTable table);

 private:
  std::shared_ptr<const fabric::Cluster> build(const fabric::ClusterSpec& spec, const std::string& key,
                                               std::string& why_not);

  const catalog::Catalog& catalog_;
  std::string server_;                              // named by the user
  std::shared_ptr<const fabric::Cluster> cluster_;  // given by the user
  std::map<std::string, std::shared_ptr<const fabric::Cluster>> built_;
};

}  // namespace weft::intake
