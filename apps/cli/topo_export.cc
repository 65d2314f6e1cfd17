#include <nlohmann/json.hpp>
#include <ostream>

#include "cluster_argument.h"
#include "topo.h"
#include "weft/formats/nccl_xml_write.h"

namespace weft::cli {
namespace {

Result<int> run_export(const Args& args, Context& context) {
  const Result<intake::ClusterInput> input = load_cluster(args, context);
  if (!input) return fail(input.error());
  const Result<const catalog::Catalog*> catalog = context.catalog();
  if (!catalog) return fail(catalog.error());
  std::optional<std::uint32_t> server;
  if (args.given("--server")) {
    const Result<std::uint32_t> chosen = server_argument(args, input->cluster.fabric);
    if (!chosen) return fail(chosen.error());
    server = *chosen;
  }
  const Result<formats::NcclXmlText> text = formats::write_nccl_xml(**catalog, input->cluster.fabric, server);
  if (!text) return fail(text.error());
  context.say_notes(text->notes);
  const std::string file = args.text("--output");
  if (!context.json) {
    if (Result<void> done = write_output(context, file, text->xml); !done) return fail(std::move(done.error()));
    return 0;
  }
  if (file != "-") {
    if (Result<void> done = write_output(context, file, text->xml); !done) return fail(std::move(done.error()));
  }
  nlohmann::ordered_json document = {{"schema", "weft/topo/1"}, {"view", "export"}, {"cluster", cluster_json(*input)}};
  document["assumed"] = input->cluster.assumed;
  document["format"] = args.text("--format");
  document["notes"] = text->notes;
  if (file == "-") {
    document["text"] = text->xml;
  } else {
    document["file"] = file;
  }
  context.write_json(document);
  return 0;
}

}  // namespace

Command topo_export_command() {
  return {
      .name = "export",
      .summary = "the servers in another program's format",
      .description =
          "nccl-xml is what NCCL reads from NCCL_TOPO_FILE (one server) and writes to NCCL_TOPO_DUMP_FILE; it reads "
          "back "
          "to the same servers. The network between them has no place in it, which is said.",
      .positionals = {cluster_positional()},
      .options = with_cluster_options(
          {{.name = "--format",
            .value = "FORMAT",
            .default_text = "nccl-xml",
            .choices = {"nccl-xml"},
            .help = "which format"},
           {.name = "--server", .value = "N", .type = ValueType::integer, .least = 0, .help = "this server alone"},
           {.name = "--output",
            .short_name = "-o",
            .value = "FILE",
            .default_text = "-",
            .offer = Offer::files,
            .help = "where to (- for stdout)"}}),
      .examples = {{.arguments = "topo export hgx-h100-8 --format nccl-xml -o topo.xml",
                    .what = "a file for NCCL_TOPO_FILE"}},
      .run = run_export,
  };
}

}  // namespace weft::cli
