#include "weft/formats/cluster_toml.h"

#include "weft/formats/cluster_network_toml.h"
#include "weft/formats/toml_file.h"

namespace weft::formats {
namespace {

using fabric::NetworkSpec;
using fabric::ServerGroup;

constexpr std::int64_t kMostServers = 1'000'000;
constexpr std::size_t kMostEntries = 1'000'000;

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
    if (name == "name") return take_value(file_.text("name", node), out_.spec.name);
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
        step = take_value(file_.text("servers.server", *node), group.server);
      else if (name == "count")
        step = take_value(file_.whole("servers.count", *node, 1, kMostServers), group.count);
      else if (name == "name")
        step = take_value(file_.text("servers.name", *node), group.name);
      else if (name == "nics")
        step = take_value(file_.whole("servers.nics", *node, 0, 1024), group.options.nics);
      else if (name == "nic")
        step = take_value(file_.text("servers.nic", *node), group.options.nic);
      else if (name == "gpus")
        step = take_value(file_.whole("servers.gpus", *node, 1, 1024), group.options.gpus);
      else if (name == "servers_per_rack")
        step = take_value(file_.whole("servers.servers_per_rack", *node, 1, 1024), group.servers_per_rack);
      else if (name == "gpudirect_rdma")
        step = take_value(file_.flag("servers.gpudirect_rdma", *node), group.options.gpudirect_rdma);
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
    return read_cluster_network(file_, **table, out_.spec.network);
  }

  Result<void> management(const toml::node& node) {
    static const std::vector<std::string> known = {"switch", "enabled"};
    NetworkSpec& spec = out_.spec.network;
    if (node.is_boolean()) return take_value(file_.flag("management", node), spec.management);
    auto table = file_.table("management", node);
    if (!table) return fail(table.error());
    spec.management = true;
    for (const auto& [key, value] : in_file_order(**table)) {
      Result<void> step;
      if (key->str() == "switch")
        step = take_value(file_.text("management.switch", *value), spec.management_switch);
      else if (key->str() == "enabled")
        step = take_value(file_.flag("management.enabled", *value), spec.management);
      else
        return fail(file_.unknown_key("[management]", *key, known));
      if (!step) return step;
    }
    return {};
  }

  const TomlFile& file_;
  ClusterFile out_;
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
