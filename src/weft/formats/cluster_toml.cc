#include "weft/formats/cluster_toml.h"

#include <algorithm>
#include <array>
#include <optional>

#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/formats/fields.h"
#include "weft/formats/toml_file.h"
#include "weft/units/text.h"

namespace weft::formats {
namespace {

using fabric::NetworkKind;
using fabric::NetworkSpec;
using fabric::ServerGroup;

constexpr std::int64_t kMostServers = 1'000'000;
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

class ClusterReader {
 public:
  explicit ClusterReader(const TomlFile& file) : file_(file) {}

  Result<ClusterFile> run() {
    const toml::table& root = file_.root();
    out_.network = file_.position(root.source());
    for (const auto& [key, node] : in_file_order(root)) {
      if (auto step = top(*key, *node); !step) return fail(step.error());
    }
    if (out_.spec.groups.empty()) {
      return fail(input_error("WEFT-FMT-0307", "the file names no servers")
                      .at(file_.position(root.source()))
                      .with_expected("[[servers]] with server = \"hgx-h100-8\" and count = 2")
                      .with_hint("weft catalog list --kind server lists the servers"));
    }
    return std::move(out_);
  }

 private:
  Result<void> top(const toml::key& key, const toml::node& node) {
    static const std::vector<std::string> known = {"name", "conditions", "servers", "network", "management"};
    const std::string_view name = key.str();
    if (name == "name") return take(file_.text("name", node), out_.spec.name);
    if (name == "conditions") return conditions(node);
    if (name == "servers") return servers(node);
    if (name == "network") return network(key, node);
    if (name == "management") return management(node);
    return fail(file_.unknown_key("a cluster file", key, known));
  }

  Result<void> conditions(const toml::node& node) {
    auto list = file_.list("conditions", node, kMostEntries);
    if (!list) return fail(list.error());
    for (const toml::node& item : **list) {
      auto text = file_.text("a condition", item);
      if (!text) return fail(text.error());
      out_.spec.conditions.push_back(std::move(*text));
      out_.conditions.push_back(file_.position(item));
    }
    return {};
  }

  // [[servers]] is a list of tables; a single [servers] is taken too.
  Result<void> servers(const toml::node& node) {
    if (const toml::table* single = node.as_table()) return server(*single);
    auto list = file_.list("servers", node, 10'000);
    if (!list) return fail(list.error());
    for (const toml::node& item : **list) {
      const toml::table* table = item.as_table();
      if (table == nullptr) return fail(file_.wrong_type("an entry of servers", item, "a table: [[servers]]"));
      if (auto step = server(*table); !step) return step;
    }
    return {};
  }

  Result<void> server(const toml::table& table) {
    static const std::vector<std::string> known = {"server",           "count",         "name", "nics", "nic", "gpus",
                                                   "servers_per_rack", "gpudirect_rdma"};
    ServerGroup group;
    for (const auto& [key, node] : in_file_order(table)) {
      const std::string_view name = key->str();
      Result<void> step;
      if (name == "server")
        step = take(file_.text("servers.server", *node), group.server);
      else if (name == "count")
        step = take(file_.whole("servers.count", *node, 1, kMostServers), group.count);
      else if (name == "name")
        step = take(file_.text("servers.name", *node), group.name);
      else if (name == "nics")
        step = take(file_.whole("servers.nics", *node, 0, 1024), group.options.nics);
      else if (name == "nic")
        step = take(file_.text("servers.nic", *node), group.options.nic);
      else if (name == "gpus")
        step = take(file_.whole("servers.gpus", *node, 1, 1024), group.options.gpus);
      else if (name == "servers_per_rack")
        step = take(file_.whole("servers.servers_per_rack", *node, 1, 1024), group.servers_per_rack);
      else if (name == "gpudirect_rdma")
        step = take(file_.flag("servers.gpudirect_rdma", *node), group.options.gpudirect_rdma);
      else
        return fail(file_.unknown_key("[[servers]]", *key, known));
      if (!step) return step;
    }
    if (group.server.empty()) {
      return fail(input_error("WEFT-FMT-0307", "[[servers]] does not say which server")
                      .at(file_.position(table.source()))
                      .with_expected("server = \"hgx-h100-8\" or another catalog name")
                      .with_hint("weft catalog list --kind server lists them"));
    }
    if (total_ += group.count; total_ > kMostServers) {
      return fail(input_error("WEFT-FMT-0306", "more than " + std::to_string(kMostServers) + " servers in all")
                      .at(file_.position(table, "count")));
    }
    out_.groups.push_back(file_.position(*table.get("server")));
    out_.spec.groups.push_back(std::move(group));
    return {};
  }

  Result<void> network(const toml::key& at, const toml::node& node) {
    auto table = file_.table("network", node);
    if (!table) return fail(table.error());
    out_.network = file_.position(at.source());
    out_.spec.network_given = true;
    if (auto kind = network_kind(**table); !kind) return kind;
    const std::vector<std::string> known = names_of_keys(out_.spec.network.kind);
    for (const auto& [key, value] : in_file_order(**table)) {
      if (std::find(known.begin(), known.end(), key->str()) == known.end()) return fail(misplaced_key(*key, known));
      if (auto step = network_key(key->str(), *value); !step) return step;
    }
    return check_network(**table);
  }

  Result<void> network_kind(const toml::table& table) {
    const toml::node* node = table.get("kind");
    if (node == nullptr) {
      out_.spec.network.kind = NetworkKind::rail;
      if (table.contains("switches") || table.contains("cables"))
        out_.spec.network.kind = NetworkKind::custom;
      else if (table.contains("k"))
        out_.spec.network.kind = NetworkKind::fat_tree;
      else if (table.contains("dimensions"))
        out_.spec.network.kind = NetworkKind::torus;
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
      out_.spec.network.kind = kind;
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
                                              std::string(fabric::name_of(out_.spec.network.kind)) + " network")
          .at(file_.position(key.source()))
          .with_expected("one of " + listed(known, known.size()))
          .with_hint("it belongs to kind = " + listed(kinds, kinds.size()));
    }
    return file_.unknown_key("[network]", key, known);
  }

  Result<void> network_key(std::string_view name, const toml::node& node) {
    NetworkSpec& spec = out_.spec.network;
    const std::string full = "network." + std::string(name);
    if (name == "switch") return take(file_.text(full, node), spec.switch_part);
    if (name == "link") return take(file_.text(full, node), spec.link);
    if (name == "radix") return take(file_.whole(full, node, 2, 4096), spec.radix);
    if (name == "rate") return rate(full, node, spec.rate);
    if (name == "latency") {
      spec.latency_given = true;
      return latency(full, node, spec.latency);
    }
    if (name == "oversubscription") return oversubscription(full, node, spec.oversubscription);
    if (name == "tiers") return take(file_.whole(full, node, 1, 3), spec.tiers);
    if (name == "servers_per_leaf") return take(file_.whole(full, node, 1, 4096), spec.servers_per_leaf);
    if (name == "uplinks") return take(file_.whole(full, node, 1, 4096), spec.uplinks);
    if (name == "k") return take(file_.whole(full, node, 2, 128), spec.k);
    if (name == "routers_per_group") return take(file_.whole(full, node, 1, 512), spec.routers_per_group);
    if (name == "hosts_per_router") return take(file_.whole(full, node, 1, 512), spec.hosts_per_router);
    if (name == "global_links") return take(file_.whole(full, node, 1, 512), spec.global_links);
    if (name == "groups") return take(file_.whole(full, node, 1, 65'536), spec.groups);
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
    if (!node.is_string()) return take(file_.number(name, node, 1, 64), into);
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
      nodes = std::min(nodes * *size, kMostServers + 1);
      out_.spec.network.dimensions.push_back(static_cast<int>(*size));
    }
    if ((*list)->empty() || nodes > kMostServers) {
      return fail(input_error("WEFT-FMT-0306",
                              (*list)->empty() ? "network.dimensions is empty"
                                               : "the torus has more than " + std::to_string(kMostServers) + " routers")
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
          step = take(file_.text("network.switches.name", *value), custom.name);
        else if (key->str() == "part")
          step = take(file_.text("network.switches.part", *value), custom.part);
        else if (key->str() == "role")
          step = role(*value, custom.spine);
        else
          return fail(file_.unknown_key("[[network.switches]]", *key, known));
        if (!step) return step;
      }
      if (custom.name.empty()) return fail(lacks("[[network.switches]]", "name = \"ib0\"", **table));
      out_.spec.network.switches.push_back(std::move(custom));
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
          step = take(file_.text("network.cables.from", *value), cable.from);
        else if (key->str() == "to")
          step = take(file_.text("network.cables.to", *value), cable.to);
        else if (key->str() == "count")
          step = take(file_.whole("network.cables.count", *value, 1, 1024), cable.count);
        else
          return fail(file_.unknown_key("[[network.cables]]", *key, known));
        if (!step) return step;
      }
      if (cable.from.empty() || cable.to.empty()) {
        return fail(
            lacks("[[network.cables]]", cable.from.empty() ? "from = \"server0.nic0\"" : "to = \"ib0\"", **table));
      }
      cables_.push_back(file_.position(**table));
      out_.spec.network.cables.push_back(std::move(cable));
    }
    return {};
  }

  // What a kind cannot do without, and cables whose ends are named nowhere.
  Result<void> check_network(const toml::table& table) {
    const NetworkSpec& spec = out_.spec.network;
    if (spec.kind == NetworkKind::fat_tree) {
      if (spec.k == 0) return fail(lacks("a fat-tree network", "k = 16", table));
      if (spec.k % 2 != 0) {
        return fail(input_error("WEFT-FMT-0306", "network.k is " + std::to_string(spec.k))
                        .at(file_.position(*table.get("k")))
                        .with_expected("an even number of ports"));
      }
    }
    if (spec.kind == NetworkKind::dragonfly &&
        (spec.routers_per_group == 0 || spec.hosts_per_router == 0 || spec.global_links == 0)) {
      return fail(lacks("a dragonfly network", "routers_per_group, hosts_per_router and global_links", table));
    }
    if (spec.kind == NetworkKind::torus && spec.dimensions.empty())
      return fail(lacks("a torus network", "dimensions = [4, 4, 4]", table));
    if (spec.kind == NetworkKind::custom) return check_custom(table);
    return {};
  }

  Result<void> check_custom(const toml::table& table) {
    const NetworkSpec& spec = out_.spec.network;
    if (spec.switches.empty()) return fail(lacks("a custom network", "[[network.switches]]", table));
    if (spec.cables.empty()) return fail(lacks("a custom network", "[[network.cables]]", table));
    std::vector<std::string> names;
    for (const fabric::CustomSwitch& custom : spec.switches) names.push_back(custom.name);
    std::vector<std::string> sorted = names;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
      return fail(input_error("WEFT-FMT-0308", "two switches are named " + in_quotes(*twice))
                      .at(file_.position(table, "switches")));
    }
    for (std::size_t i = 0; i < spec.cables.size(); ++i) {
      for (const std::string* end : {&spec.cables[i].from, &spec.cables[i].to}) {
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

  Result<void> management(const toml::node& node) {
    static const std::vector<std::string> known = {"switch", "enabled"};
    NetworkSpec& spec = out_.spec.network;
    if (node.is_boolean()) return take(file_.flag("management", node), spec.management);
    auto table = file_.table("management", node);
    if (!table) return fail(table.error());
    spec.management = true;
    for (const auto& [key, value] : in_file_order(**table)) {
      Result<void> step;
      if (key->str() == "switch")
        step = take(file_.text("management.switch", *value), spec.management_switch);
      else if (key->str() == "enabled")
        step = take(file_.flag("management.enabled", *value), spec.management);
      else
        return fail(file_.unknown_key("[management]", *key, known));
      if (!step) return step;
    }
    return {};
  }

  [[nodiscard]] Error lacks(std::string_view what, std::string_view expected, const toml::table& table) const {
    return input_error("WEFT-FMT-0307", std::string(what) + " lacks something")
        .at(file_.position(table.source()))
        .with_expected(std::string(expected));
  }

  template <class From, class To>
  static Result<void> take(Result<From> value, To& into) {
    if (!value) return fail(std::move(value.error()));
    into = static_cast<To>(std::move(*value));
    return {};
  }

  const TomlFile& file_;
  ClusterFile out_;
  std::vector<SourcePosition> cables_;
  std::int64_t total_ = 0;
};

Error placed(Error error, const SourcePosition& where) {
  if (error.where.file.empty()) error.where = where;
  return error;
}

}  // namespace

Result<ClusterFile> parse_cluster_toml(const SourceText& source) {
  auto file = TomlFile::parse(source);
  if (!file) return fail(std::move(file.error()));
  return ClusterReader(*file).run();
}

Result<fabric::Cluster> read_cluster_toml(const catalog::Catalog& catalog, const SourceText& source) {
  auto file = parse_cluster_toml(source);
  if (!file) return fail(std::move(file.error()));
  for (std::size_t i = 0; i < file->spec.groups.size(); ++i) {
    const ServerGroup& group = file->spec.groups[i];
    if (group.server == "host") continue;
    auto part = fabric::resolve_server(catalog, group.server, group.options);
    if (!part) return fail(placed(std::move(part.error()), file->groups[i]));
  }
  fabric::ClusterSpec healthy = file->spec;
  healthy.conditions.clear();
  auto cluster = fabric::build_cluster(catalog, healthy);
  if (!cluster) return fail(placed(std::move(cluster.error()), file->network));
  for (std::size_t i = 0; i < file->spec.conditions.size(); ++i) {
    auto condition = fabric::parse_condition(cluster->fabric, file->spec.conditions[i]);
    if (!condition) return fail(placed(std::move(condition.error()), file->conditions[i]));
    cluster->conditions.add(std::move(*condition));
  }
  return cluster;
}

}  // namespace weft::formats
