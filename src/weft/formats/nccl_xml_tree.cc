#include "weft/formats/nccl_xml_tree.h"

#include <limits>
#include <pugixml.hpp>

#include "weft/base/check.h"
#include "weft/base/printable.h"
#include "weft/formats/fields.h"
#include "weft/formats/xml_scan.h"

namespace weft::formats {
namespace {

// An attribute value that cannot be used: carried up through the recursion as an exception would be, but as a value.
template <class T>
using Step = Result<T>;

class TreeReader {
 public:
  TreeReader(const SourceText& source, NcclSystem& system) : source_(source), system_(system) {}

  Step<void> read_system(const pugi::xml_node& node) {
    auto version = whole<int>(node, "version");
    if (!version) return fail(version.error());
    if (!*version) {
      return fail(at_node(input_error("WEFT-FMT-0112", "<system> has no version"), node)
                      .with_expected("version=\"1\" (NCCL) or version=\"2\" (RCCL)")
                      .with_hint("NCCL itself refuses such a file"));
    }
    if (**version != 1 && **version != 2) {
      return fail(input_error("WEFT-FMT-0112", "version " + std::to_string(**version) + " of <system> is not known")
                      .at(place(node, "version"))
                      .with_expected("version=\"1\" (NCCL) or version=\"2\" (RCCL)")
                      .with_hint("if a newer NCCL wrote it, try the file with the version changed to 1"));
    }
    system_.version = **version;
    system_.name = text(node, "name");
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::string_view name = child.name();
      if (name == "cpu") {
        auto cpu = read_cpu(child);
        if (!cpu) return fail(cpu.error());
        system_.cpus.push_back(std::move(*cpu));
      } else if (name == "nvswitch") {
        system_.nvswitches.push_back({lower(text(child, "busid")), text(child, "name"), text(child, "part")});
      } else if (name == "trunk") {
        if (auto step = read_trunk(child); !step) return step;
      } else {
        ignore(child);
      }
    }
    if (system_.cpus.empty()) {
      return fail(
          at_node(input_error("WEFT-FMT-0113", "<system> holds no <cpu>: there is nothing in this topology"), node)
              .with_hint("a dump written before the GPUs were found is empty; dump again with NCCL_TOPO_DUMP_FILE"));
    }
    return {};
  }

 private:
  Step<void> read_trunk(const pugi::xml_node& node) {
    NcclTrunk trunk{lower(text(node, "from")), lower(text(node, "to")), text(node, "link"), 1};
    std::optional<int> count;
    if (auto problem = take(node, "count", count, 1, 1024)) return fail(*problem);
    trunk.count = count.value_or(1);
    system_.trunks.push_back(std::move(trunk));
    return {};
  }

  Step<NcclCpu> read_cpu(const pugi::xml_node& node) {
    NcclCpu cpu;
    cpu.offset = offset_of(node);
    cpu.host_hash = text(node, "host_hash");
    cpu.affinity = text(node, "affinity");
    cpu.arch = text(node, "arch");
    cpu.vendor = text(node, "vendor");
    cpu.name = text(node, "name");
    cpu.part = text(node, "part");
    if (auto problem = take(node, "numaid", cpu.numaid)) return fail(*problem);
    if (auto problem = take(node, "familyid", cpu.familyid)) return fail(*problem);
    if (auto problem = take(node, "modelid", cpu.modelid)) return fail(*problem);
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::string_view name = child.name();
      if (name == "pci") {
        auto pci = read_pci(child);
        if (!pci) return fail(pci.error());
        cpu.pcis.push_back(std::move(*pci));
      } else if (name == "nic") {
        auto nic = read_nic(child);
        if (!nic) return fail(nic.error());
        cpu.nics.push_back(std::move(*nic));
      } else {
        ignore(child);
      }
    }
    return cpu;
  }

  // Recursion is bounded by kMaxDepth, which scan_xml has enforced.
  Step<NcclPci> read_pci(const pugi::xml_node& node) {
    NcclPci pci;
    pci.offset = offset_of(node);
    pci.busid = lower(text(node, "busid"));
    if (pci.busid.empty()) {
      return fail(at_node(input_error("WEFT-FMT-0114", "<pci> has no busid"), node)
                      .with_expected("busid=\"0000:1b:00.0\"")
                      .with_hint("every PCI device needs its address, made up or not"));
    }
    pci.device_class = lower(text(node, "class"));
    pci.vendor = lower(text(node, "vendor"));
    pci.device = lower(text(node, "device"));
    pci.subsystem_vendor = lower(text(node, "subsystem_vendor"));
    pci.subsystem_device = lower(text(node, "subsystem_device"));
    pci.name = text(node, "name");
    pci.part = text(node, "part");
    pci.root = text(node, "root");
    pci.link = text(node, "link");
    if (node.attribute("link_speed")) pci.link_speed = text(node, "link_speed");
    if (auto problem = take(node, "link_width", pci.link_width, 0, 32)) return fail(*problem);
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      if (auto step = read_below_pci(child, pci); !step) return fail(step.error());
    }
    return pci;
  }

  Step<void> read_below_pci(const pugi::xml_node& child, NcclPci& pci) {
    const std::string_view name = child.name();
    if (name == "pci") {
      auto below = read_pci(child);
      if (!below) return fail(below.error());
      pci.children.push_back(std::move(*below));
    } else if (name == "gpu") {
      auto gpu = read_gpu(child);
      if (!gpu) return fail(gpu.error());
      // Several ranks may share a GPU (and newer NCCL lists its partitions): the first stands for the device.
      if (pci.gpu) {
        ignore(child);
      } else {
        pci.gpu = std::move(*gpu);
      }
    } else if (name == "nic") {
      auto nic = read_nic(child);
      if (!nic) return fail(nic.error());
      pci.nics.push_back(std::move(*nic));
    } else if (name == "pcilink") {
      pci.pcilinks.push_back(lower(text(child, "target")));
    } else {
      ignore(child);
    }
    return {};
  }

  Step<NcclGpu> read_gpu(const pugi::xml_node& node) {
    NcclGpu gpu;
    gpu.offset = offset_of(node);
    gpu.gcn = text(node, "gcn");
    if (auto problem = take(node, "dev", gpu.dev)) return fail(*problem);
    if (auto problem = take(node, "sm", gpu.sm)) return fail(*problem);
    if (auto problem = take(node, "rank", gpu.rank)) return fail(*problem);
    if (auto problem = take_flag(node, "gdr", gpu.gdr)) return fail(*problem);
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::string_view name = child.name();
      if (name == "nvlink" || name == "xgmi") {
        auto link = read_gpu_link(child);
        if (!link) return fail(link.error());
        gpu.links.push_back(std::move(*link));
      } else if (name == "c2c") {
        auto c2c = read_c2c(child);
        if (!c2c) return fail(c2c.error());
        gpu.c2c.push_back(*c2c);
      } else {
        ignore(child);
      }
    }
    return gpu;
  }

  Step<NcclGpuLink> read_gpu_link(const pugi::xml_node& node) {
    NcclGpuLink link;
    link.offset = offset_of(node);
    link.target = lower(text(node, "target"));
    link.target_class = lower(text(node, "tclass"));
    link.xgmi = std::string_view(node.name()) == "xgmi";
    link.link = text(node, "link");
    std::optional<int> count;
    if (auto problem = take(node, "count", count, 0, 1024)) return fail(*problem);
    link.count = count.value_or(1);
    return link;
  }

  Step<NcclC2c> read_c2c(const pugi::xml_node& node) {
    NcclC2c c2c;
    c2c.offset = offset_of(node);
    std::optional<int> count;
    std::optional<std::int64_t> bandwidth;
    if (auto problem = take(node, "count", count, 0, 1024)) return fail(*problem);
    if (auto problem = take<std::int64_t>(node, "bw", bandwidth, 0, 100'000'000)) return fail(*problem);
    c2c.count = count.value_or(1);
    c2c.bandwidth = bandwidth.value_or(0);
    return c2c;
  }

  Step<NcclNic> read_nic(const pugi::xml_node& node) {
    NcclNic nic;
    nic.offset = offset_of(node);
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::string_view name = child.name();
      if (name != "net") {
        if (name != "gin" && name != "rma") ignore(child);  // other views of the same ports
        continue;
      }
      auto net = read_net(child);
      if (!net) return fail(net.error());
      nic.nets.push_back(std::move(*net));
    }
    return nic;
  }

  Step<NcclNet> read_net(const pugi::xml_node& node) {
    NcclNet net;
    net.offset = offset_of(node);
    net.name = text(node, "name");
    if (auto problem = take(node, "dev", net.dev)) return fail(*problem);
    if (auto problem = take<std::int64_t>(node, "speed", net.speed, 0)) return fail(*problem);
    if (auto problem = take(node, "port", net.port)) return fail(*problem);
    if (auto problem = take(node, "maxconn", net.maxconn)) return fail(*problem);
    if (auto problem = take_flag(node, "gdr", net.gdr)) return fail(*problem);
    if (auto problem = take_flag(node, "coll", net.coll)) return fail(*problem);
    const pugi::xml_attribute guid = node.attribute("guid");
    if (guid && *guid.value() != '\0') {
      net.guid = parse_hex(guid.value());
      if (!net.guid) return fail(bad_value(node, "guid", "a hex number of 64 bits, such as 0x1e1407effa1517ea"));
    }
    return net;
  }

  // An absent or empty attribute leaves `into` as it is.
  template <class T>
  std::optional<Error> take(const pugi::xml_node& node, const char* name, std::optional<T>& into,
                            T least = std::numeric_limits<T>::min(), T most = std::numeric_limits<T>::max()) {
    auto value = whole<T>(node, name);
    if (!value) return value.error();
    if (!*value) return std::nullopt;
    if (**value < least || **value > most) {
      const std::string range = most == std::numeric_limits<T>::max()
                                    ? std::to_string(least) + " or more"
                                    : "from " + std::to_string(least) + " to " + std::to_string(most);
      return bad_value(node, name, "a number " + range);
    }
    into = *value;
    return std::nullopt;
  }

  std::optional<Error> take_flag(const pugi::xml_node& node, const char* name, std::optional<bool>& into) {
    std::optional<int> value;
    if (auto problem = take(node, name, value)) return problem;
    if (value) into = *value != 0;
    return std::nullopt;
  }

  template <class T>
  Step<std::optional<T>> whole(const pugi::xml_node& node, const char* name) {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute || *attribute.value() == '\0') return std::optional<T>();
    const std::optional<std::int64_t> value = parse_whole(attribute.value());
    if (!value || *value < std::numeric_limits<T>::min() || *value > std::numeric_limits<T>::max()) {
      return fail(bad_value(node, name, "a whole number"));
    }
    return std::optional<T>(static_cast<T>(*value));
  }

  [[nodiscard]] Error bad_value(const pugi::xml_node& node, const char* name, std::string expected) const {
    return input_error("WEFT-FMT-0116",
                       "<" + std::string(node.name()) + "> has " + name + "=" + in_quotes(node.attribute(name).value()))
        .at(place(node, name))
        .with_expected(std::move(expected));
  }

  [[nodiscard]] static std::string text(const pugi::xml_node& node, const char* name) {
    return node.attribute(name).value();
  }

  // The offset of the "<" of an element; pugixml knows where the name begins.
  [[nodiscard]] static std::size_t offset_of(const pugi::xml_node& node) {
    const std::ptrdiff_t offset = node.offset_debug();
    return offset > 0 ? static_cast<std::size_t>(offset) - 1 : 0;
  }

  [[nodiscard]] Error at_node(Error error, const pugi::xml_node& node) const {
    return std::move(error).at(source_.position(offset_of(node)));
  }

  // The place of an attribute's value: pugixml keeps none, so it is looked up in the tag's own text.
  [[nodiscard]] SourcePosition place(const pugi::xml_node& node, std::string_view name) const {
    const std::string& all = source_.text;
    for (std::size_t i = offset_of(node); i < all.size() && all[i] != '>'; ++i) {
      if (all[i] == '"' || all[i] == '\'') {  // over a value
        const std::size_t end = all.find(all[i], i + 1);
        if (end == std::string::npos) break;
        i = end;
      } else if (is_space(all[i]) && all.compare(i + 1, name.size(), name) == 0) {
        const std::size_t after = i + 1 + name.size();
        const std::size_t value = all.find_first_of("\"'", after);
        const bool whole_name = after < all.size() && (all[after] == '=' || is_space(all[after]));
        if (whole_name && value != std::string::npos) return source_.position(value + 1);
      }
    }
    return source_.position(offset_of(node));
  }

  void ignore(const pugi::xml_node& node) {
    system_.ignored.push_back({offset_of(node), node.name(), node.parent().name()});
  }

  const SourceText& source_;
  NcclSystem& system_;
};

Error wrong_root(const SourceText& source, const XmlOutline& outline) {
  Error error = input_error("WEFT-FMT-0111", "the root element is <" +
                                                 printable(outline.root.substr(0, whole_characters(outline.root, 40))) +
                                                 ">, not <system>")
                    .at(source.position(outline.root_offset));
  error.expected = "NCCL or RCCL topology XML: <system version=\"1\">";
  if (outline.root == "graphs") {
    error.message = "this is an NCCL graph file (the search result: rings, trees, channels), not a topology";
    error.hint = "write the topology with NCCL_TOPO_DUMP_FILE=topo.xml; NCCL_GRAPH_DUMP_FILE wrote this one";
  } else if (outline.root == "topology") {
    error.message = "this is hwloc XML (lstopo), not an NCCL topology";
    error.hint = "write the topology with NCCL_TOPO_DUMP_FILE=topo.xml";
  } else if (outline.root == "cpu" || outline.root == "pci") {
    error.hint = "the first line seems to be missing: a whole file begins with <system version=\"1\">";
  }
  return error;
}

}  // namespace

Result<NcclSystem> read_nccl_tree(const SourceText& source) {
  auto outline = scan_xml(source);
  if (!outline) return fail(outline.error());
  if (outline->root != "system") return fail(wrong_root(source, *outline));

  pugi::xml_document document;
  // No DOCTYPE, no entities beyond the five of XML itself: nothing in the file can make it larger than it is.
  const unsigned options = pugi::parse_escapes | pugi::parse_wconv_attribute;
  const pugi::xml_parse_result parsed =
      document.load_buffer(source.text.data(), source.text.size(), options, pugi::encoding_utf8);
  if (!parsed) {
    return fail(input_error("WEFT-FMT-0110", std::string("this is not well-formed XML: ") + parsed.description())
                    .at(source.position(static_cast<std::size_t>(parsed.offset))));
  }
  NcclSystem system;
  if (auto step = TreeReader(source, system).read_system(document.document_element()); !step) return fail(step.error());
  return system;
}

PciRole role_of(const NcclPci& pci) {
  const std::string_view c = pci.device_class;
  if (pci.gpu) return PciRole::gpu;
  if (c.starts_with("0x068001")) return PciRole::nvlink_cpu_bridge;
  if (c.starts_with("0x068000")) return PciRole::nvswitch;
  if (c.starts_with("0x03") || c.starts_with("0x1200") || c.starts_with("0x0b40")) return PciRole::gpu;
  if (c.starts_with("0x02")) return PciRole::nic;
  // A host bridge or a data-direct function that carries <nic> is where the NIC sits (virtual machines, ConnectX-8).
  if (!pci.nics.empty() && pci.children.empty()) return PciRole::nic;
  return PciRole::bridge;
}

}  // namespace weft::formats
