// What is not as it should be: the one kind of fault in weft.
//
// A Condition has a target (a device, a cable named by its two ends, a server, or the whole fabric), a kind, a value
// where the kind needs one, and the span in which it holds. Readers emit what they saw, the doctor injects
// hypotheses, scenarios and plans take them from text:
//
//   "down server0.nic3"        "down leaf0-spine1"      "width 8 server0.gpu2"    (lanes of its PCIe link)
//   "rate 200Gb/s server1.nic0"  "links 12 server0.gpu3" (NVLinks left up)        "loss 0.001 leaf0-spine1"
//   "no-p2p server0"  "no-gdr server2"  "acs-redirect server0"  "ecn-off leaf1"  "wrong-class server0.nic1"
//   "pause leaf0"  "slow-receiver server3.nic0"
//
// An optional tail " from 5ms to 8ms" limits it in time. Engines ask for the effective state of a link at an instant;
// they never look at kinds. Kinds that change how a network behaves rather than a link's rate (ecn-off, wrong-class,
// pause, slow-receiver, loss) are carried for the packet engine and the doctor; static questions ignore them and say
// so.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/fabric/graph.h"

namespace weft::fabric {

enum class ConditionKind {
  down,
  width,
  links,
  rate,
  loss,
  no_p2p,
  no_gdr,
  acs_redirect,
  ecn_off,
  wrong_class,
  pause,
  slow_receiver
};
[[nodiscard]] std::string_view name_of(ConditionKind kind);

struct Target {
  enum class Scope { fabric, server, device, cable } scope = Scope::fabric;
  std::uint32_t server = 0;
  DeviceId device;
  CableId cable;
};

struct Condition {
  Target target;
  ConditionKind kind = ConditionKind::down;
  double value = 0;  // lanes, links, or a fraction, by kind
  Rate rate;         // for `rate`
  Instant from;
  Instant to = Instant(Duration(std::numeric_limits<std::int64_t>::max()));
  std::string text;  // as it was written or observed, for messages
};

struct LinkState {
  bool up = true;
  Rate line;  // all units together
  Rate goodput;
};

class Conditions {
 public:
  Conditions() = default;
  explicit Conditions(std::vector<Condition> list) : list_(std::move(list)) {}
  void add(Condition condition) { list_.push_back(std::move(condition)); }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] std::span<const Condition> list() const { return list_; }

  [[nodiscard]] LinkState state(const Fabric& fabric, LinkId link, Instant at = {}) const;
  [[nodiscard]] bool peer_to_peer(const Fabric& fabric, std::uint32_t server, Instant at = {}) const;
  [[nodiscard]] bool gpudirect_rdma(const Fabric& fabric, std::uint32_t server, Instant at = {}) const;
  // PCIe peer traffic goes up to the root complex and back instead of turning round in the switch.
  [[nodiscard]] bool acs_redirect(const Fabric& fabric, std::uint32_t server, Instant at = {}) const;

 private:
  [[nodiscard]] bool holds_for_server(ConditionKind kind, const Fabric& fabric, std::uint32_t server, Instant at) const;
  std::vector<Condition> list_;
};

// One condition as text (see above). Unknown kinds, devices and units are errors with a did-you-mean.
Result<Condition> parse_condition(const Fabric& fabric, std::string_view text);

}  // namespace weft::fabric
