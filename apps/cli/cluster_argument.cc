#include "cluster_argument.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "weft/base/printable.h"
#include "weft/base/suggest.h"

namespace weft::cli {
namespace {

constexpr std::size_t kMostCandidates = 2'000;  // names tried for did-you-mean

std::vector<std::string> device_names(const fabric::Fabric& fabric) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < fabric.device_count() && names.size() < kMostCandidates; ++i) {
    const fabric::DeviceId id(i);
    names.push_back(fabric.name(id));
    if (fabric.servers().size() == 1) names.push_back(names.back().substr(names.back().find('.') + 1));
    if (const std::string& own = fabric.operator_name(id); !own.empty()) names.push_back(own);
  }
  return names;
}

}  // namespace

Positional cluster_positional(std::string_view name) {
  return {.name = name,
          .help =
              "a catalog name (hgx-h100-8), a count (16xhgx-h100-8), a short form (fat-tree:k=16,rate=400Gb/s), a "
              "cluster file, an operator's own file, or - for stdin",
          .offer = Offer::clusters};
}

std::vector<Option> with_cluster_options(std::vector<Option> own) {
  constexpr std::string_view kGroup = "About the cluster";
  own.push_back({.name = "--gpu",
                 .value = "PART",
                 .offer = Offer::parts,
                 .help = "the GPU, for files that do not name it (h100-sxm5)",
                 .group = kGroup});
  own.push_back(
      {.name = "--condition",
       .value = "TEXT",
       .repeatable = true,
       .help = "what is not as it should be: \"down server0.nic3\", \"width 8 server0.gpu2\", \"no-p2p server0\"",
       .group = kGroup});
  return own;
}

Result<intake::ClusterInput> load_cluster(const Args& args, Context& context, std::string_view name) {
  Result<const catalog::Catalog*> catalog = context.catalog();
  if (!catalog) return fail(std::move(catalog.error()));
  intake::ClusterOptions options;
  options.gpu = args.text("--gpu");
  const auto conditions = args.list("--condition");
  options.conditions.assign(conditions.begin(), conditions.end());
  Result<intake::ClusterInput> input = intake::load_cluster(**catalog, args.text(name), options, context.in);
  if (!input) return input;
  context.say_notes(input->notes);
  context.say_assumed(input->cluster.assumed);
  return input;
}

nlohmann::ordered_json cluster_json(const intake::ClusterInput& input) {
  const fabric::Fabric& fabric = input.cluster.fabric;
  std::size_t switches = 0;
  for (std::size_t i = 0; i < fabric.device_count(); ++i) {
    if (is_network_switch(fabric.device(fabric::DeviceId(i)).kind)) ++switches;
  }
  return {{"name", input.cluster.name},   {"format", input.format},       {"servers", fabric.servers().size()},
          {"gpus", fabric.gpus().size()}, {"nics", fabric.nics().size()}, {"switches", switches},
          {"notes", input.notes}};
}

Result<std::uint32_t> server_argument(const Args& args, const fabric::Fabric& fabric) {
  const std::int64_t server = args.integer("--server");
  const auto servers = static_cast<std::int64_t>(fabric.servers().size());
  if (server < servers) return static_cast<std::uint32_t>(server);
  return fail(usage_error("WEFT-CLI-0022", "there is no server" + std::to_string(server) + " in this cluster")
                  .with_expected("--server 0" + (servers > 1 ? " to " + std::to_string(servers - 1) : "")));
}

Result<fabric::DeviceId> find_device(const fabric::Fabric& fabric, const std::string& name) {
  fabric::DeviceId id = fabric.find(name);
  if (!id.valid() && fabric.servers().size() == 1) id = fabric.find("server0." + name);
  if (id.valid()) return id;
  return fail(usage_error("WEFT-CLI-0020", "there is no device " + in_quotes(name) + " in this cluster")
                  .with_expected("server0.gpu0, server3.nic1, server0.nvswitch2, leaf0, spine1 and the like")
                  .with_hint(did_you_mean(name, device_names(fabric))));
}

Result<void> write_output(Context& context, const std::string& path, std::string_view content) {
  if (path == "-") {
    if (context.json) {
      return fail(
          usage_error("WEFT-CLI-0023", "--json and - both want stdout").with_expected("a file's name instead of -"));
    }
    context.out << content;
    return {};
  }
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (file) {
    if (!context.quiet) context.err << "written: " << printable(path) << '\n';
    return {};
  }
  return fail(input_error("WEFT-CLI-0021", in_quotes(path) + " could not be written" +
                                               (errno != 0 ? std::string(": ") + std::strerror(errno) : "")));
}

}  // namespace weft::cli
