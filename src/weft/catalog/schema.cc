#include "weft/catalog/schema.h"

#include <algorithm>
#include <array>

#include "weft/units/text.h"

namespace weft::catalog {
namespace {

using enum ValueType;

constexpr bool kRequired = true;
constexpr bool kOptional = false;
constexpr std::optional<Kind> kNoReference = std::nullopt;
constexpr bool kJudgement = true;

constexpr auto kSchema = std::to_array<SchemaKey>({
    {Kind::link, "class", text, kRequired, "", "what kind of link: nvlink, pcie, infiniband, roce, tcp, …"},
    {Kind::link, "unit", text, kRequired, "", "what one unit is: link, lane, slot, port"},
    {Kind::link, "raw", rate, kOptional, "", "signalling rate"},
    {Kind::link, "line", rate, kRequired, "", "rate after line coding and error correction"},
    {Kind::link, "goodput", rate, kRequired, "", "rate after headers and credits: what a large transfer reaches"},
    {Kind::link, "latency", duration, kRequired, "",
     "one hop, one way, hardware only: no adapter, no switch, no software"},
    {Kind::link, "end_to_end", duration, kOptional, "",
     "one way from memory to memory, small message, nothing in the way"},
    {Kind::link, "software_latency", duration, kOptional, "",
     "small all-reduce by NCCL or the like, software included"},
    {Kind::link, "kernel_latency", duration, kOptional, "", "small all-reduce by a custom one-shot kernel"},
    {Kind::link, "quoted_latency", duration, kOptional, "", "small all-reduce as planners quote it"},
    {Kind::link, "quoted_latency_high", duration, kOptional, "", "the upper end, where they quote a range"},
    {Kind::link, "lanes", integer, kOptional, "", "lanes of one unit"},
    {Kind::link, "transfer_rate", number, kOptional, "GT/s", "transfers per second of one lane"},
    {Kind::link, "encoding", text, kOptional, "", "line code and forward error correction"},
    {Kind::link, "packet_payload", bytes, kOptional, "", "payload of the packet that goodput is computed for"},
    {Kind::link, "packet_overhead", bytes, kOptional, "", "headers, checksums and gaps of that packet"},
    {Kind::link, "per_gpu", integer, kOptional, "", "units of one GPU that has this link"},
    {Kind::link, "gpus", text, kOptional, "", "GPUs that have this link"},
    {Kind::link, "use", text, kRequired, "", "what is carried over it", kNoReference, kJudgement},
    {Kind::link, "suits", text, kOptional, "", "what it suits, and what it does not", kNoReference, kJudgement},
    {Kind::link, "topology", text, kOptional, "", "how units are put together"},
    {Kind::link, "coherence", text, kOptional, "", "whether caches see remote writes"},
    {Kind::link, "transport", text, kOptional, "", "what carries a message from end to end"},
    {Kind::link, "hardware", text, kOptional, "", "what must be bought"},
    {Kind::link, "congestion_control", text, kOptional, "", "what happens when senders outnumber the link"},
    {Kind::link, "zero_copy", text, kOptional, "", "whether data moves without a copy through host memory"},
    {Kind::link, "kernel_bypass", text, kOptional, "", "whether the operating system stays out of each transfer"},
    {Kind::link, "relative_cost", text, kOptional, "", "cost beside the alternatives", kNoReference, kJudgement},
    {Kind::link, "effort", text, kOptional, "", "effort to deploy and keep running", kNoReference, kJudgement},

    {Kind::gpu, "vendor", text, kRequired, "", "nvidia, amd, metax"},
    {Kind::gpu, "architecture", text, kRequired, "", "name of the architecture"},
    {Kind::gpu, "sm", integer, kOptional, "", "NVIDIA compute capability times ten"},
    {Kind::gpu, "gcn", text, kOptional, "", "AMD architecture name"},
    {Kind::gpu, "memory", bytes, kRequired, "", "device memory as sold"},
    {Kind::gpu, "memory_type", text, kOptional, "", "HBM generation or GDDR"},
    {Kind::gpu, "memory_rate", rate, kRequired, "B", "rate of device memory"},
    {Kind::gpu, "fp16_tflops", number, kRequired, "TFLOP/s", "fp16 and bf16 matrix units, dense"},
    {Kind::gpu, "fp8_tflops", number, kOptional, "TFLOP/s", "fp8 matrix units, dense"},
    {Kind::gpu, "fp4_tflops", number, kOptional, "TFLOP/s", "fp4 matrix units, dense"},
    {Kind::gpu, "int8_tops", number, kOptional, "TOP/s", "int8 matrix units, dense"},
    {Kind::gpu, "gpu_link", text, kOptional, "", "link between GPUs", Kind::link},
    {Kind::gpu, "gpu_links", integer, kOptional, "", "how many of them"},
    {Kind::gpu, "host_link", text, kRequired, "", "link to the host", Kind::link},
    {Kind::gpu, "power", number, kOptional, "W", "board power"},
    {Kind::gpu, "pci_ids", texts, kOptional, "", "vendor:device as PCI shows it"},

    {Kind::cpu, "vendor", text, kRequired, "", "intel, amd, nvidia, ibm"},
    {Kind::cpu, "codename", text, kOptional, "", "name of the generation"},
    {Kind::cpu, "socket_link", text, kOptional, "", "link between sockets", Kind::link},
    {Kind::cpu, "socket_links", integer, kOptional, "", "how many of them"},
    {Kind::cpu, "p2p_rate", rate, kRequired, "B", "peer-to-peer through one root complex, all pairs together"},
    {Kind::cpu, "p2p_latency", duration, kOptional, "", "what crossing the root complex adds"},
    {Kind::cpu, "memory_rate", rate, kRequired, "B", "host memory of one socket"},
    {Kind::cpu, "pcie", text, kOptional, "", "PCIe slot it offers", Kind::link},
    {Kind::cpu, "pcie_lanes", integer, kOptional, "", "PCIe lanes of one socket"},

    {Kind::nic, "network_link", text, kRequired, "", "link of one port", Kind::link},
    {Kind::nic, "ports", integer, kRequired, "", "ports at that rate"},
    {Kind::nic, "host_link", text, kRequired, "", "link to the host", Kind::link},
    {Kind::nic, "gpudirect_rdma", boolean, kRequired, "", "reads and writes GPU memory without the host's"},
    {Kind::nic, "latency", duration, kOptional, "", "what the adapter adds at one end of a message"},
    {Kind::nic, "pci_ids", texts, kOptional, "", "vendor:device as PCI shows it"},

    {Kind::network_switch, "link", text, kRequired, "", "link of one port", Kind::link},
    {Kind::network_switch, "ports", integer, kRequired, "", "ports at that rate"},
    {Kind::network_switch, "port_rate", rate, kRequired, "", "rate of one port"},
    {Kind::network_switch, "latency", duration, kRequired, "", "port to port"},
    {Kind::network_switch, "in_network_reduction", boolean, kOptional, "", "sums in the switch (SHARP, NVLS)"},
    {Kind::network_switch, "buffer", bytes, kOptional, "", "packet buffer"},
    {Kind::network_switch, "asic", text, kOptional, "", "switch chip"},
    {Kind::network_switch, "height", integer, kOptional, "U", "rack units"},
    {Kind::network_switch, "use", text, kOptional, "", "where it stands", kNoReference, kJudgement},

    {Kind::server, "gpu", text, kRequired, "", "its GPU", Kind::gpu},
    {Kind::server, "gpus", integer, kRequired, "", "how many"},
    {Kind::server, "parametric", boolean, kOptional, "", "takes a count: pcie-a100:4"},
    {Kind::server, "cpu", text, kRequired, "", "its processor", Kind::cpu},
    {Kind::server, "sockets", integer, kRequired, "", "processor sockets"},
    {Kind::server, "trays", integer, kOptional, "", "servers inside a rack-scale system"},
    {Kind::server, "shape", text, kRequired, "",
     "how GPUs reach each other beside PCIe: none, switched, mesh, bridges"},
    {Kind::server, "nvswitch", text, kOptional, "", "its GPU fabric switch", Kind::network_switch},
    {Kind::server, "switch_links", integers, kOptional, "", "per GPU fabric switch: links from each GPU"},
    {Kind::server, "baseboards", integer, kOptional, "",
     "halves with such switches of their own, opposite ones joined"},
    {Kind::server, "mesh", ValueType::mesh, kOptional, "", "links between pairs of GPUs: [a, b, links]"},
    {Kind::server, "links_per_pair", integer, kOptional, "", "links between every two GPUs (full mesh)"},
    {Kind::server, "bridge_links", integer, kOptional, "", "links between GPUs 0 and 1, 2 and 3, …"},
    {Kind::server, "nic", text, kOptional, "", "its network adapter", Kind::nic},
    {Kind::server, "nics", integer, kOptional, "", "how many, whole system"},
    {Kind::server, "pcie", pcie_groups, kOptional, "", "PCIe subtrees of one tray"},
    {Kind::server, "gpus_per_group", integer, kOptional, "", "parametric servers: GPUs under one PCIe switch or slot"},
    {Kind::server, "group_switch", text, kOptional, "", "parametric servers: PCIe switch of a group",
     Kind::network_switch},
    {Kind::server, "group_uplink", text, kOptional, "", "parametric servers: link from a group to the socket",
     Kind::link},
    {Kind::server, "peer_to_peer", boolean, kRequired, "", "GPUs may read and write each other over PCIe"},
    {Kind::server, "network_switch", text, kOptional, "", "leaf switch of the reference design", Kind::network_switch},
    {Kind::server, "nvls", boolean, kOptional, "", "in-switch reduction is usable"},
    {Kind::server, "height", integer, kOptional, "U", "rack units"},
    {Kind::server, "power", number, kOptional, "kW", "greatest power"},

    {Kind::rack, "height", integer, kRequired, "U", "rack units"},
    {Kind::rack, "power", number, kRequired, "kW", "power it feeds and cools"},
    {Kind::rack, "cooling", text, kRequired, "", "air, liquid"},
    {Kind::rack, "server", text, kOptional, "", "what it is usually filled with", Kind::server},
    {Kind::rack, "servers", integer, kOptional, "", "how many of them fit by power and height"},

    {Kind::cable, "media", text, kRequired, "", "copper, multimode fibre, single-mode fibre"},
    {Kind::cable, "line", rate, kRequired, "b", "rate of one cable"},
    {Kind::cable, "max_length", number, kRequired, "m", "longest reach"},
    {Kind::cable, "latency_per_metre", duration, kRequired, "", "propagation"},
    {Kind::cable, "end_latency", duration, kOptional, "", "what the two ends add (retimers, optics)"},
    {Kind::cable, "power", number, kOptional, "W", "power of one end"},
    {Kind::cable, "use", text, kOptional, "", "where it is used", kNoReference, kJudgement},
});

static_assert(std::ranges::is_sorted(kSchema, {}, &SchemaKey::kind), "the keys of a kind stand together");

constexpr auto kByKind = [] {
  std::array<std::span<const SchemaKey>, kKinds> all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [first, last] = std::ranges::equal_range(kSchema, static_cast<Kind>(i), {}, &SchemaKey::kind);
    all[i] = {first, last};
  }
  return all;
}();

constexpr std::array<std::string_view, 11> kTypeNames = {"rate",
                                                         "time",
                                                         "size",
                                                         "whole number",
                                                         "number",
                                                         "true or false",
                                                         "text",
                                                         "list of texts",
                                                         "list of whole numbers",
                                                         "list of GPU pairs",
                                                         "list of PCIe groups"};
constexpr std::array<std::string_view, 11> kTypeExamples = {
    "a rate such as \"25GB/s\" or \"400Gb/s\"",
    "a time such as \"130ns\" or \"1.5us\"",
    "a size such as \"80GB\" or \"64KiB\"",
    "a whole number, 0 or more",
    "a number, 0 or more",
    "true or false",
    "a text in quotes",
    "a list of texts such as [\"10de:2330\"]",
    "a list of whole numbers such as [5, 4, 4, 5]",
    "a list of [GPU, GPU, links] such as [[0, 1, 2], [0, 2, 1]]",
    "a list of groups such as [{ socket = 0, switch = \"pex89104\", uplink = \"pcie5-x16\", gpus = [0], nics = [0] }]"};

template <class List, class Print>
std::string joined(const List& list, std::string_view separator, Print print) {
  std::string text;
  for (const auto& item : list) {
    if (!text.empty()) text += separator;
    text += print(item);
  }
  return text;
}

// " gpu0-gpu3", " nic0,nic2", or nothing.
std::string members(std::string_view what, const std::vector<int>& indices) {
  if (indices.empty()) return "";
  const auto name = [&](int index) { return std::string(what) + std::to_string(index); };
  const bool run = indices.size() > 1 && indices.back() - indices.front() == static_cast<int>(indices.size()) - 1;
  if (run) return " " + name(indices.front()) + "-" + name(indices.back());
  return " " + joined(indices, ",", name);
}

struct Printer {
  const SchemaKey& key;

  std::string with_unit(const std::string& text) const { return key.unit.empty() ? text : text + ' ' + std::string(key.unit); }
  std::string operator()(Rate rate) const { return key.unit == "b" ? human_bits(rate) : human_bytes(rate); }
  std::string operator()(Duration duration) const { return human(duration); }
  std::string operator()(Bytes size) const { return human(size); }
  std::string operator()(std::int64_t n) const { return with_unit(std::to_string(n)); }
  std::string operator()(double n) const { return with_unit(significant(n)); }
  std::string operator()(bool yes) const { return yes ? "yes" : "no"; }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::string>& list) const {
    return joined(list, ", ", [](const std::string& item) { return item; });
  }
  std::string operator()(const std::vector<std::int64_t>& list) const {
    return joined(list, " + ", [](std::int64_t n) { return std::to_string(n); });
  }
  std::string operator()(const std::vector<MeshEdge>& edges) const {
    return joined(edges, ", ", [](const MeshEdge& edge) {
      return std::to_string(edge.a) + "-" + std::to_string(edge.b) + " x" + std::to_string(edge.links);
    });
  }
  std::string operator()(const std::vector<PcieGroup>& groups) const {
    return joined(groups, "; ", [](const PcieGroup& group) {
      std::string what = group.bifurcated            ? "shared slot"
                         : group.switch_part.empty() ? "root ports"
                                                     : group.switch_part;
      if (!group.uplink.empty()) what += " (" + group.uplink + ")";
      return "socket " + std::to_string(group.socket) + " " + what + ":" + members("gpu", group.gpus) +
             members("nic", group.nics);
    });
  }
};

}  // namespace

std::string_view name_of(ValueType type) { return kTypeNames[static_cast<std::size_t>(type)]; }
std::string_view example_of(ValueType type) { return kTypeExamples[static_cast<std::size_t>(type)]; }

std::span<const SchemaKey> schema() { return kSchema; }

std::span<const SchemaKey> schema(Kind kind) { return kByKind[static_cast<std::size_t>(kind)]; }

const SchemaKey* find_key(Kind kind, std::string_view key) {
  for (const SchemaKey& known : schema(kind)) {
    if (known.key == key) return &known;
  }
  return nullptr;
}

std::vector<std::string> keys_of(Kind kind) {
  std::vector<std::string> keys;
  for (const SchemaKey& known : schema(kind)) keys.emplace_back(known.key);
  return keys;
}

std::string to_text(const SchemaKey& key, const Value& value) { return std::visit(Printer{key}, value); }

}  // namespace weft::catalog
