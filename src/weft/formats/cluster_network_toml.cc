#include "weft/formats/cluster_network_toml.h"

#include <algorithm>
#include <array>

#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/formats/fields.h"
#include "weft/units/text.h"

namespace weft::formats {
namespace {

using fabric::NetworkKind;
using fabric::NetworkSpec;

constexpr std::int64_t kMostRouters = 1'000'000;
constexpr std::size_t kMostEntries = 1'000'000;

constexpr std::array kKinds = {NetworkKind::none,     NetworkKind::rail,      NetworkKind::leaf_spine,
                               NetworkKind::fat_tree, NetworkKind::dragonfly, NetworkKind::torus,
                               NetworkKind::custom};

// Which kinds of network take a key; empty = all that have one.
struct NetworkKey {
  std::string_view name;
  std::vector<NetworkKind> kinds;
};

const std::vector<NetworkKey>& network_keys() {
  using enum NetworkKind;
  static const std::vector<NetworkKey> keys = {
      {"kind", {}},
      {"switch", {}},
      {"link", {}},
      {"radix", {rail, leaf_spine, fat_tree, dragonfly, torus, custom}},
      {"rate", {}},
      {"latency", {}},
      {"oversubscription", {rail, leaf_spine}},
      {"tiers", {rail, leaf_spine}},
      {"servers_per_leaf", {rail, leaf_spine}},
      {"uplinks", {rail, leaf_spine}},
      {"k", {fat_tree}},
      {"routers_per_group", {dragonfly}},
      {"hosts_per_router", {dragonfly}},
      {"global_links", {dragonfly}},
      {"groups", {dragonfly}},
      {"dimensions", {torus}},
      {"switches", {custom}},
      {"cables", {custom}},
  };
  return keys;
}

std::vector<std::string> names_of_keys(NetworkKind kind) {
  std::vector<std::string> names;
  for (const NetworkKey& key : network_keys()) {
    if (key.kinds.empty() || std::find(key.kinds.begin(), key.kinds.end(), kind) != key.kinds.end()) {
      names.emplace_back(key.name);
    }
  }
  return names;
}

class NetworkReader {
 public:
  NetworkReader(const TomlFile& file, NetworkSpec& spec) : file_(file), spec_(spec) {}

  Result<void> run(const toml::table& table) {
    if (auto kind = network_kind(table); !kind) return kind;
    const std::vector<std::string> known = names_of_keys(spec_.kind);
    for (const auto& [key, value] : in_file_order(table)) {
      if (std::find(known.begin(), known.end(), key->str()) == known.end()) return fail(misplaced_key(*key, known));
      if (auto step = network_key(key->str(), *value); !step) return step;
    }
    return check_network(table);
  }

 private:
  Result<void> network_kind(const toml::table& table) {
    const toml::node* node = table.get("kind");
    if (node == nullptr) {
      spec_.kind = NetworkKind::rail;
      if (table.contains("switches") || table.contains("cables"))
        spec_.kind = NetworkKind::custom;
      else if (table.contains("k"))
        spec_.kind = NetworkKind::fat_tree;
      else if (table.contains("dimensions"))
        spec_.kind = NetworkKind::torus;
      return {};
    }
    auto text = file_.text("network.kind", *node);
    if (!text) return fail(text.error());
    std::string typed = *text;
    std::replace(typed.begin(), typed.end(), '_', '-');
    std::vector<std::string> names;
    for (const NetworkKind kind : kKinds) {
      names.emplace_back(fabric::name_of(kind));
      if (names.back() != typed) continue;
      spec_.kind = kind;
      return {};
    }
    return fail(input_error("WEFT-FMT-0308", in_quotes(*text) + " is not a kind of network")
                    .at(file_.position(*node))
                    .with_expected("one of " + listed(names, names.size()))
                    .with_hint(did_you_mean(std::string_view(*text).substr(0, 64), names)));
  }

  // A key that another kind of network takes is named as such.
  [[nodiscard]] Error misplaced_key(const toml::key& key, const std::vector<std::string>& known) const {
    for (const NetworkKey& entry : network_keys()) {
      if (entry.name != key.str()) continue;
      std::vector<std::string> kinds;
      for (const NetworkKind kind : entry.kinds) kinds.emplace_back(fabric::name_of(kind));
      return input_error("WEFT-FMT-0304", in_quotes(key.str()) + " is not a key of a " +
                                              std::string(fabric::name_of(spec_.kind)) + " network")
          .at(file_.position(key.source()))
          .with_expected("one of " + listed(known, known.size()))
          .with_hint("it belongs to kind = " + listed(kinds, kinds.size()));
    }
    return file_.unknown_key("[network]", key, known);
  }

  Result<void> network_key(std::string_view name, const toml::node& node) {
    const std::string full = "network." + std::string(name);
    if (name == "switch") return take_value(file_.text(full, node), spec_.switch_part);
    if (name == "link") return take_value(file_.text(full, node), spec_.link);
    if (name == "radix") return take_value(file_.whole(full, node, 2, 4096), spec_.radix);
    if (name == "rate") return rate(full, node, spec_.rate);
    if (name == "latency") {
      spec_.latency_given = true;
      return latency(full, node, spec_.latency);
    }
    if (name == "oversubscription") return oversubscription(full, node, spec_.oversubscription);
    if (name == "tiers") return take_value(file_.whole(full, node, 1, 3), spec_.tiers);
    if (name == "servers_per_leaf") return take_value(file_.whole(full, node, 1, 4096), spec_.servers_per_leaf);
    if (name == "uplinks") return take_value(file_.whole(full, node, 1, 4096), spec_.uplinks);
    if (name == "k") return take_value(file_.whole(full, node, 2, 128), spec_.k);
    if (name == "routers_per_group") return take_value(file_.whole(full, node, 1, 512), spec_.routers_per_group);
    if (name == "hosts_per_router") return take_value(file_.whole(full, node, 1, 512), spec_.hosts_per_router);
    if (name == "global_links") return take_value(file_.whole(full, node, 1, 512), spec_.global_links);
    if (name == "groups") return take_value(file_.whole(full, node, 1, 65'536), spec_.groups);
    if (name == "dimensions") return dimensions(node);
    if (name == "switches") return switches(node);
    if (name == "cables") return cables(node);
    return {};  // kind
  }

  Result<void> rate(std::string_view name, const toml::node& node, Rate& into) {
    auto text = file_.quantity(name, node, "\"400Gb/s\"");
    if (!text) return fail(text.error());
    auto value = parse_rate(*text);
    if (!value) return fail(std::move(value.error()).at(file_.position(node)));
    if (value->count() <= 0) {
      return fail(input_error("WEFT-FMT-0306", std::string(name) + " is zero")
                      .at(file_.position(node))
                      .with_expected("a rate above zero"));
    }
    into = *value;
    return {};
  }

  Result<void> latency(std::string_view name, const toml::node& node, Duration& into) {
    auto text = file_.quantity(name, node, "\"1us\"");
    if (!text) return fail(text.error());
    auto value = parse_duration(*text);
    if (!value) return fail(std::move(value.error()).at(file_.position(node)));
    if (*value > Duration::microseconds(1'000'000)) {
      return fail(input_error("WEFT-FMT-0306", std::string(name) + " is more than a second for one hop")
                      .at(file_.position(node)));
    }
    into = *value;
    return {};
  }

  // 2, 1.5 or "2:1".
  Result<void> oversubscription(std::string_view name, const toml::node& node, double& into) {
    if (!node.is_string()) return take_value(file_.number(name, node, 1, 64), into);
    const std::vector<std::string_view> parts = split(node.as_string()->get(), ':');
    const auto down = parse_whole(parts[0]);
    const auto up = parts.size() == 2 ? parse_whole(parts[1]) : std::nullopt;
    if (!down || !up || *down < *up || *up < 1 || *down > *up * 64) {
      return fail(input_error("WEFT-FMT-0306", std::string(name) + " is " + in_quotes(node.as_string()->get()))
                      .at(file_.position(node))
                      .with_expected("a number from 1 to 64, or \"2:1\" (down : up)"));
    }
    into = static_cast<double>(*down) / static_cast<double>(*up);
    return {};
  }

  Result<void> dimensions(const toml::node& node) {
    auto list = file_.list("network.dimensions", node, 6);
    if (!list) return fail(list.error());
    std::int64_t nodes = 1;
    for (const toml::node& item : **list) {
      auto size = file_.whole("a dimension", item, 1, 4096);
      if (!size) return fail(size.error());
      nodes = std::min(nodes * *size, kMostRouters + 1);
      spec_.dimensions.push_back(static_cast<int>(*size));
    }
    if ((*list)->empty() || nodes > kMostRouters) {
      return fail(input_error("WEFT-FMT-0306",
                              (*list)->empty() ? "network.dimensions is empty"
                                               : "the torus has more than " + std::to_string(kMostRouters) + " routers")
                      .at(file_.position(node))
                      .with_expected("1 to 6 sizes, such as [4, 4, 4]"));
    }
    return {};
  }

  Result<void> switches(const toml::node& node) {
    static const std::vector<std::string> known = {"name", "part", "role"};
    auto list = file_.list("network.switches", node, kMostEntries);
    if (!list) return fail(list.error());
    for (const toml::node& item : **list) {
      auto table = file_.table("network.switches", item);
      if (!table) return fail(table.error());
      fabric::CustomSwitch custom;
      for (const auto& [key, value] : in_file_order(**table)) {
        Result<void> step;
        if (key->str() == "name")
          step = take_value(file_.text("network.switches.name", *value), custom.name);
        else if (key->str() == "part")
          step = take_value(file_.text("network.switches.part", *value), custom.part);
        else if (key->str() == "role")
          step = role(*value, custom.spine);
        else
          return fail(file_.unknown_key("[[network.switches]]", *key, known));
        if (!step) return step;
      }
      if (custom.name.empty()) return fail(lacks("[[network.switches]]", "name = \"ib0\"", **table));
      spec_.switches.push_back(std::move(custom));
    }
    return {};
  }

  Result<void> role(const toml::node& node, bool& spine) {
    auto text = file_.text("network.switches.role", node);
    if (!text) return fail(text.error());
    if (*text != "leaf" && *text != "spine") {
      return fail(input_error("WEFT-FMT-0308", in_quotes(*text) + " is not a role")
                      .at(file_.position(node))
                      .with_expected("leaf or spine"));
    }
    spine = *text == "spine";
    return {};
  }

  Result<void> cables(const toml::node& node) {
    static const std::vector<std::string> known = {"from", "to", "count"};
    auto list = file_.list("network.cables", node, kMostEntries);
    if (!list) return fail(list.error());
    for (const toml::node& item : **list) {
      auto table = file_.table("network.cables", item);
      if (!table) return fail(table.error());
      fabric::CustomCable cable;
      for (const auto& [key, value] : in_file_order(**table)) {
        Result<void> step;
        if (key->str() == "from")
          step = take_value(file_.text("network.cables.from", *value), cable.from);
        else if (key->str() == "to")
          step = take_value(file_.text("network.cables.to", *value), cable.to);
        else if (key->str() == "count")
          step = take_value(file_.whole("network.cables.count", *value, 1, 1024), cable.count);
        else
          return fail(file_.unknown_key("[[network.cables]]", *key, known));
        if (!step) return step;
      }
      if (cable.from.empty() || cable.to.empty()) {
        return fail(
            lacks("[[network.cables]]", cable.from.empty() ? "from = \"server0.nic0\"" : "to = \"ib0\"", **table));
      }
      cables_.push_back(file_.position(**table));
      spec_.cables.push_back(std::move(cable));
    }
    return {};
  }

  // What a kind cannot do without, and cables whose ends are named nowhere.
  Result<void> check_network(const toml::table& table) {
    if (spec_.kind == NetworkKind::fat_tree) {
      if (spec_.k == 0) return fail(lacks("a fat-tree network", "k = 16", table));
      if (spec_.k % 2 != 0) {
        return fail(input_error("WEFT-FMT-0306", "network.k is " + std::to_string(spec_.k))
                        .at(file_.position(*table.get("k")))
                        .with_expected("an even number of ports"));
      }
    }
    if (spec_.kind == NetworkKind::dragonfly &&
        (spec_.routers_per_group == 0 || spec_.hosts_per_router == 0 || spec_.global_links == 0)) {
      return fail(lacks("a dragonfly network", "routers_per_group, hosts_per_router and global_links", table));
    }
    if (spec_.kind == NetworkKind::torus && spec_.dimensions.empty())
      return fail(lacks("a torus network", "dimensions = [4, 4, 4]", table));
    if (spec_.kind == NetworkKind::custom) return check_custom(table);
    return {};
  }

  Result<void> check_custom(const toml::table& table) {
    if (spec_.switches.empty()) return fail(lacks("a custom network", "[[network.switches]]", table));
    if (spec_.cables.empty()) return fail(lacks("a custom network", "[[network.cables]]", table));
    std::vector<std::string> names;
    for (const fabric::CustomSwitch& custom : spec_.switches) names.push_back(custom.name);
    std::vector<std::string> sorted = names;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
      return fail(input_error("WEFT-FMT-0308", "two switches are named " + in_quotes(*twice))
                      .at(file_.position(table, "switches")));
    }
    for (std::size_t i = 0; i < spec_.cables.size(); ++i) {
      for (const std::string* end : {&spec_.cables[i].from, &spec_.cables[i].to}) {
        const bool nic = end->starts_with("server") && end->find(".nic") != std::string::npos;
        if (nic || std::binary_search(sorted.begin(), sorted.end(), *end)) continue;
        return fail(input_error("WEFT-FMT-0308",
                                "a cable ends at " + in_quotes(*end) + ", which is no NIC and no switch of this file")
                        .at(cables_[i])
                        .with_expected("server0.nic0 or one of " + listed(names))
                        .with_hint(did_you_mean(std::string_view(*end).substr(0, 64), names)));
      }
    }
    return {};
  }

  [[nodiscard]] Error lacks(std::string_view what, std::string_view expected, const toml::table& table) const {
    return input_error("WEFT-FMT-0307", std::string(what) + " lacks something")
        .at(file_.position(table.source()))
        .with_expected(std::string(expected));
  }

  const TomlFile& file_;
  NetworkSpec& spec_;
  std::vector<SourcePosition> cables_;
};

}  // namespace

Result<void> read_cluster_network(const TomlFile& file, const toml::table& table, NetworkSpec& spec) {
  return NetworkReader(file, spec).run(table);
}

}  // namespace weft::formats
