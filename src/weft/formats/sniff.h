// What a text is, by what stands in it. Never by a file's name: people paste, rename and pipe.
//
// Looks at the first MiB, keeps nothing, never fails: what no rule knows is `unknown`, with a reason that says what was
// looked for or what it seems to be instead. The reader of the format then judges the text in full.
#pragma once

#include <string>
#include <string_view>

namespace weft::formats {

enum class Format {
  unknown,
  nccl_topo_xml,      // formats/nccl_xml.h
  nccl_graph_xml,     // rings and trees that NCCL found; no topology
  nvsmi_topo_matrix,  // formats/nvsmi_topo.h
  hf_config,          // a Hugging Face config.json
  cluster_toml,       // formats/cluster_toml.h
  hwloc_xml,          // lstopo
  ibnetdiscover,
  measured_table,  // formats/measured_table.h
  nccl_tests_log,  // formats/nccl_tests_log.h
};
[[nodiscard]] std::string_view name_of(Format format);  // "NCCL topology XML", …

struct Sniffed {
  Format format = Format::unknown;
  std::string why;  // "the root element is <system> with <cpu> in it"
};

[[nodiscard]] Sniffed sniff(std::string_view text);

}  // namespace weft::formats
