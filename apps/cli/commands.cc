#include "commands.h"

#include <array>

namespace weft::cli {

const Command& root_command() {
  static const Command root{
      .name = "weft",
      .summary = "the links between GPUs: what they will do, how we know, what is wrong, what they do now",
      .description =
          "weft answers questions about the links between GPUs, for the people who buy, build, run and debug GPU "
          "clusters.\n\n"
          "Any place that takes a cluster takes a catalog name (hgx-h100-8), a count (16xhgx-h100-8), a short form "
          "(fat-tree:k=16,rate=400Gb/s), a cluster file in TOML, or an operator's own file (NCCL topology XML, "
          "nvidia-smi topo -m text); - reads it from stdin. What a file does not tell is assumed, and said.\n\n"
          "The result goes to stdout, everything else to stderr. Exit status: 0 yes or ok; 1 the answer is no; 2 "
          "usage; "
          "3 bad input; 4 cannot be assessed here or not built yet; 70 a bug of ours.",
      .examples = {{.arguments = "catalog list --kind link",
                    .what = "the hierarchy of links, with bandwidth and latency"},
                   {.arguments = "topo matrix hgx-h100-8", .what = "how a server's GPUs and NICs reach each other"},
                   {.arguments = "topo show 16xhgx-h100-8 --svg cluster.svg", .what = "draw a cluster"}},
      .subcommands = {plan_command(), compare_command(), collective_command(), validate_command(), calibrate_command(),
                      catalog_command(), topo_command(), help_command(), completion_command()},
  };
  return root;
}

std::span<const PlannedCommand> planned_commands() {
  static constexpr auto kPlanned = std::to_array<PlannedCommand>({
      {"simulate", "flow- and packet-level runs of a scenario"},
      {"doctor", "what is wrong, what it costs, how to mend it"},
      {"lossless", "switch and host configuration for lossless RoCE"},
      {"measure", "real collectives beside what they should be"},
      {"watch", "live counters beside what they should be"},
      {"sweep", "many questions at once"},
      {"explain", "the field's questions, answered with figures"},
      {"serve", "all of it on a local web page"},
  });
  return kPlanned;
}

}  // namespace weft::cli
