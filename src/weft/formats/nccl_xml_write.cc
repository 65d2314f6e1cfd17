#include "weft/formats/nccl_xml_write.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "weft/formats/fields.h"
#include "weft/formats/nccl_xml_tags.h"
#include "weft/formats/part_book.h"
#include "weft/formats/pcie_speed.h"
#include "weft/formats/remarks.h"
#include "weft/units/text.h"

namespace weft::formats {
namespace {

using fabric::Device;
using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;
using fabric::Link;
using fabric::LinkClass;
using fabric::LinkId;
using fabric::Technology;

class Writer {
 public:
  Writer(const PartBook& book, const Fabric& fabric) : book_(book), fabric_(fabric) {}

  NcclXmlText run(const std::vector<std::uint32_t>& servers) {
    amd_ = false;
    for (const std::uint32_t s : servers) {
      const catalog::GpuPart* part = book_.gpu(fabric_.model(fabric_.gpu(s, 0)).part);
      amd_ = amd_ || (part != nullptr && part->vendor == "amd");
    }
    fused_ = servers.size() > 1;
    xml_ = std::string("<system version=\"") + (amd_ ? "2" : "1") + "\">\n";
    for (const std::uint32_t s : servers) write_server(s);
    xml_ += extra_ + "</system>\n";
    if (!fabric_.devices_of(DeviceKind::leaf).empty() || !fabric_.devices_of(DeviceKind::management).empty()) {
      remarks_.notes.add("the network between servers (switches, cables) is left out: this format describes servers");
    }
    if (amd_) remarks_.notes.add("version 2, for RCCL: NCCL reads version 1 only");
    if (made_up_) {
      remarks_.notes.add(
          "bus ids that the fabric does not know are made up: put in those of the machine (lspci) before "
          "NCCL_TOPO_FILE");
    }
    return {std::move(xml_), remarks_.notes.texts()};
  }

 private:
  // ---- servers and their hosts ----

  void write_server(std::uint32_t server) {
    const std::vector<DeviceId> cpus = fabric_.devices_of(DeviceKind::cpu, server);
    const std::vector<std::size_t> host = hosts_of(cpus);
    const std::size_t hosts = cpus.empty() ? 0 : *std::max_element(host.begin(), host.end()) + 1;
    rack_ = hosts > 1;
    number_switches(server);
    find_tree(server);
    for (std::size_t h = 0; h < hosts; ++h) {
      for (std::size_t i = 0; i < cpus.size(); ++i) {
        if (host[i] == h)
          write_cpu(cpus[i], fused_ || rack_
                                 ? "0x" + hex((std::uint64_t{0x77656674} << 32) + (std::uint64_t{server} << 12) + h, 16)
                                 : "");
      }
    }
    write_switches(server);
  }

  // Sockets that are joined make one host.
  [[nodiscard]] std::vector<std::size_t> hosts_of(const std::vector<DeviceId>& cpus) const {
    std::vector<std::size_t> host(cpus.size());
    std::iota(host.begin(), host.end(), std::size_t{0});
    for (std::size_t a = 0; a < cpus.size(); ++a) {
      for (std::size_t b = a + 1; b < cpus.size(); ++b) {
        if (!fabric_.link_between(cpus[a], cpus[b]).valid()) continue;
        const std::size_t from = std::max(host[a], host[b]);
        const std::size_t to = std::min(host[a], host[b]);
        std::replace(host.begin(), host.end(), from, to);
      }
    }
    std::map<std::size_t, std::size_t> dense;
    for (std::size_t& h : host) h = dense.emplace(h, dense.size()).first->second;
    return host;
  }

  void write_cpu(DeviceId cpu, const std::string& host_hash) {
    const catalog::CpuPart* part = book_.cpu(fabric_.model(cpu).part);
    const CpuSignature signature = part == nullptr ? CpuSignature() : cpu_signature(*part);
    const auto number = [](const std::optional<int>& n) { return n ? std::to_string(*n) : std::string(); };
    const std::string own = std::string(name_of(DeviceKind::cpu)) + std::to_string(fabric_.device(cpu).index);
    xml_ += open_tag(1, "cpu",
                     {{"host_hash", host_hash},
                      {"numaid", std::to_string(fabric_.device(cpu).index)},
                      {"arch", signature.arch},
                      {"vendor", signature.vendor},
                      {"familyid", number(signature.family)},
                      {"modelid", number(signature.model)},
                      {"part", fabric_.model(cpu).part},
                      {"name", own}});
    for (const LinkId id : fabric_.links_from(cpu)) {
      const Link& link = fabric_.link(id);
      const DeviceKind kind = fabric_.device(link.to).kind;
      if (kind == DeviceKind::root_complex) {
        write_children(link.to, 2, own_name(link.to));
      } else if (kind == DeviceKind::gpu && only_c2c(link.to)) {
        write_gpu(link.to, LinkId::none(), 2, "");
      } else if (above(link.to) == id) {
        remarks_.notes.add("a device right on a socket, without a root complex, cannot be told from one with",
                           fabric_.name(link.to));
        write_device(link.to, id, 2, "");
      }
    }
    xml_ += close_tag(1, "cpu");
  }

  [[nodiscard]] std::string own_name(DeviceId id) const {
    return std::string(name_of(fabric_.device(id).kind)) + std::to_string(fabric_.device(id).index);
  }

  // A GPU whose only way to the host is C2C.
  [[nodiscard]] bool only_c2c(DeviceId gpu) const {
    for (const LinkId id : fabric_.links_from(gpu)) {
      if (fabric_.technology(id).link_class == LinkClass::pcie) return false;
    }
    return true;
  }

  // ---- the PCI tree ----

  // Every device hangs below the one that leads to a socket by the fewest links; other links are peer links.
  void find_tree(std::uint32_t server) {
    above_.clear();
    std::vector<DeviceId> queue = fabric_.devices_of(DeviceKind::root_complex, server);
    for (const DeviceId cpu : fabric_.devices_of(DeviceKind::cpu, server)) queue.push_back(cpu);
    const std::set<DeviceId> tops(queue.begin(), queue.end());
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const DeviceKind kind = fabric_.device(queue[i]).kind;
      if (kind == DeviceKind::gpu || kind == DeviceKind::nic) continue;
      for (const LinkId id : fabric_.links_from(queue[i])) {
        const DeviceId next = fabric_.link(id).to;
        if (fabric_.technology(id).link_class != LinkClass::pcie || tops.contains(next)) continue;
        if (above_.emplace(next, id).second) queue.push_back(next);
      }
    }
  }

  // The link that a device hangs on, from above; none() when nothing leads to it.
  [[nodiscard]] LinkId above(DeviceId id) const {
    const auto found = above_.find(id);
    return found == above_.end() ? LinkId::none() : found->second;
  }

  void write_children(DeviceId parent, int depth, const std::string& root) {
    for (const LinkId id : fabric_.links_from(parent)) {
      if (above(fabric_.link(id).to) == id) write_device(fabric_.link(id).to, id, depth, root);
    }
  }

  void write_device(DeviceId id, LinkId up, int depth, const std::string& root) {
    const DeviceKind kind = fabric_.device(id).kind;
    if (kind == DeviceKind::gpu) write_gpu(id, up, depth, root);
    if (kind == DeviceKind::nic) write_nic(id, up, depth, root);
    if (kind == DeviceKind::pcie_switch) write_switch(id, up, depth, root);
  }

  void write_switch(DeviceId id, LinkId up, int depth, const std::string& root) {
    XmlAttributes attributes = {{"busid", bus_id(id, 0xffff)}, {"class", "0x060400"}};
    append_link(attributes, up, root);
    attributes.emplace_back("part", fabric_.model(id).part);
    attributes.emplace_back("name", own_name(id));
    xml_ += open_tag(depth, "pci", attributes);
    for (const LinkId link : fabric_.links_from(id)) {
      const DeviceId peer = fabric_.link(link).to;
      if (fabric_.device(peer).kind != DeviceKind::pcie_switch) continue;
      if (above(peer) == link || above(id) == fabric_.reverse(link)) continue;
      xml_ += empty_tag(depth + 1, "pcilink", {{"target", bus_id(peer, 0xffff)}});
      if (up.valid() && fabric_.technology(link) != fabric_.technology(up)) {
        remarks_.notes.add(
            "a peer link between PCIe switches is written without its rate: it reads back as the switch's own",
            fabric_.name(id));
      }
    }
    write_children(id, depth + 1, "");
    xml_ += close_tag(depth, "pci");
  }

  // Speed and width; a technology that is no PCIe shape is named beside the nearest one below it.
  void append_link(XmlAttributes& attributes, LinkId up, const std::string& root) {
    PcieShape shape{3, 16};
    std::string link;
    if (up.valid()) {
      const Technology& technology = fabric_.technology(up);
      if (const auto known = pcie_shape(technology.id)) {
        shape = *known;
      } else {
        link = technology.id;
        shape = nearest_shape(technology.line);
        if (!book_.catalog().link(technology.id)) {
          remarks_.notes.add("links of a kind that the catalog does not name are written as the nearest PCIe slot: " +
                             technology.id);
        }
      }
    }
    attributes.emplace_back("link_speed", std::string(pcie_speed_text(shape.generation)));
    attributes.emplace_back("link_width", std::to_string(shape.lanes));
    attributes.emplace_back("link", link);
    attributes.emplace_back("root", root);
  }

  [[nodiscard]] PcieShape nearest_shape(Rate rate) const {
    PcieShape best{1, 1};
    Rate best_rate;
    for (int generation = 1; generation <= 6; ++generation) {
      for (const int lanes : {1, 2, 4, 8, 16}) {
        const Rate line = pcie_technology(book_.catalog(), generation, lanes).line;
        if (line <= rate && line > best_rate) {
          best = {generation, lanes};
          best_rate = line;
        }
      }
    }
    return best;
  }

  // ---- end points ----

  void write_gpu(DeviceId id, LinkId up, int depth, const std::string& root) {
    const catalog::GpuPart* part = book_.gpu(fabric_.model(id).part);
    XmlAttributes attributes = {{"busid", bus_id(id, 0x0100)},
                                {"class", part != nullptr && part->vendor == "amd" ? "0x120000" : "0x030200"}};
    append_pci_id(attributes, part == nullptr ? std::vector<std::string>() : part->pci_ids);
    append_link(attributes, up, root);
    attributes.emplace_back("part", fabric_.model(id).part);
    xml_ += open_tag(depth, "pci", attributes);
    const std::string index = std::to_string(fabric_.device(id).index);
    const bool gdr = fabric_.server_of(id).gpudirect_rdma;
    const std::string sm = part == nullptr || part->sm == 0 ? "" : std::to_string(part->sm);
    xml_ += open_tag(depth + 1, "gpu",
                     {{"dev", index},
                      {"sm", sm},
                      {"gcn", part == nullptr ? "" : part->gcn},
                      {"rank", index},
                      {"gdr", gdr ? "1" : "0"}});
    write_gpu_links(id, part, depth + 2);
    xml_ += close_tag(depth + 1, "gpu") + close_tag(depth, "pci");
  }

  void write_gpu_links(DeviceId gpu, const catalog::GpuPart* part, int depth) {
    for (const LinkId id : fabric_.links_from(gpu)) {
      const Link& link = fabric_.link(id);
      const Technology& technology = fabric_.technology(id);
      const DeviceKind kind = fabric_.device(link.to).kind;
      if (technology.link_class == LinkClass::c2c && technology.id.ends_with("-to-cpu")) {
        xml_ += empty_tag(depth, "nvlink",
                          {{"target", "ffff:fd:" + hex(fabric_.device(link.to).index, 2) + ".0"},
                           {"count", std::to_string(link.count)},
                           {"tclass", "0x068001"}});
      } else if (technology.link_class == LinkClass::c2c) {
        xml_ += empty_tag(depth, "c2c",
                          {{"bw", std::to_string(fabric_.line_rate(id).count() / 8'000'000)}, {"count", "1"}});
      } else if (kind == DeviceKind::gpu || kind == DeviceKind::nvswitch) {
        const bool usual = part != nullptr && part->gpu_link == technology.id;
        const std::string target_class = kind == DeviceKind::nvswitch ? "0x068000" : amd_ ? "0x120000" : "0x030200";
        xml_ += empty_tag(depth, amd_ ? "xgmi" : "nvlink",
                          {{"target", kind == DeviceKind::nvswitch ? switch_ids_.at(link.to) : bus_id(link.to, 0x0100)},
                           {"count", std::to_string(link.count)},
                           {"tclass", target_class},
                           {"link", usual ? "" : technology.id}});
      }
    }
  }

  void write_nic(DeviceId id, LinkId up, int depth, const std::string& root) {
    const catalog::NicPart* part = book_.nic(fabric_.model(id).part);
    const catalog::LinkPart* port = part == nullptr ? nullptr : book_.link(part->network_link);
    const bool infiniband = port != nullptr && port->link_class == LinkClass::infiniband;
    const std::string& known = fabric_.operator_name(id);
    XmlAttributes attributes = {{"busid", is_bus_id(known) ? known : made_up(0x0200, fabric_.device(id).index)},
                                {"class", infiniband ? "0x020700" : "0x020000"}};
    append_pci_id(attributes, part == nullptr ? std::vector<std::string>() : part->pci_ids);
    append_link(attributes, up, root);
    // Without the word, the reader would look for the adapter that is usual with these GPUs.
    attributes.emplace_back("part", part == nullptr ? "unknown" : part->id);
    xml_ += open_tag(depth, "pci", attributes);
    xml_ += open_tag(depth + 1, "nic", {});
    const std::string index = std::to_string(fabric_.device(id).index);
    const std::string name = known.empty() || is_bus_id(known) ? "nic" + index : known;
    const std::int64_t speed = part == nullptr ? 0 : book_.nic_rate(*part).count() / 1'000'000;
    const std::uint64_t guid =
        (std::uint64_t{0x77656674} << 32) + (std::uint64_t{fabric_.device(id).server} << 16) + fabric_.device(id).index;
    xml_ += empty_tag(depth + 2, "net",
                      {{"name", name},
                       {"dev", index},
                       {"speed", speed > 0 ? std::to_string(speed) : ""},
                       {"port", "1"},
                       {"guid", "0x" + hex(guid, 16)},
                       {"maxconn", "131072"},
                       {"gdr", fabric_.server_of(id).gpudirect_rdma ? "1" : "0"}});
    xml_ += close_tag(depth + 1, "nic") + close_tag(depth, "pci");
  }

  static void append_pci_id(XmlAttributes& attributes, const std::vector<std::string>& ids) {
    if (ids.empty()) return;
    const std::size_t colon = ids.front().find(':');
    if (colon == std::string::npos) return;
    attributes.emplace_back("vendor", "0x" + ids.front().substr(0, colon));
    attributes.emplace_back("device", "0x" + ids.front().substr(colon + 1));
  }

  // ---- NVSwitches ----

  // A rack's switches serve several hosts: they get ids of the multi-node fabric's kind.
  void number_switches(std::uint32_t server) {
    for (const DeviceId id : fabric_.devices_of(DeviceKind::nvswitch, server)) {
      const std::string index = hex(fabric_.device(id).index, 2);
      switch_ids_[id] = rack_ ? "fffffff:" + hex(server, 4) + ":" + index + ".0" : "ffff:fe:" + index + ".0";
    }
  }

  void write_switches(std::uint32_t server) {
    for (const DeviceId id : fabric_.devices_of(DeviceKind::nvswitch, server)) {
      extra_ += empty_tag(1, "nvswitch",
                          {{"busid", switch_ids_.at(id)}, {"name", own_name(id)}, {"part", fabric_.model(id).part}});
      for (const LinkId link : fabric_.links_from(id)) {
        const DeviceId peer = fabric_.link(link).to;
        if (fabric_.device(peer).kind != DeviceKind::nvswitch || peer < id) continue;
        extra_ += empty_tag(1, "trunk",
                            {{"from", switch_ids_.at(id)},
                             {"to", switch_ids_.at(peer)},
                             {"link", fabric_.technology(link).id},
                             {"count", std::to_string(fabric_.link(link).count)}});
      }
    }
  }

  // ---- addresses ----

  std::string bus_id(DeviceId id, unsigned domain) {
    const std::string& known = fabric_.operator_name(id);
    return is_bus_id(known) ? known : made_up(domain, fabric_.device(id).index);
  }

  std::string made_up(unsigned domain, std::uint32_t index) {
    made_up_ = true;
    if (domain == 0xffff) return "ffff:" + hex(0xff - index / 256, 2) + ":" + hex(index % 256, 2) + ".0";
    return hex(domain + index / 256, 4) + ":" + hex(index % 256, 2) + ":00.0";
  }

  const PartBook& book_;
  const Fabric& fabric_;
  std::string xml_;
  std::string extra_;
  Remarks remarks_;
  std::map<DeviceId, std::string> switch_ids_;
  std::map<DeviceId, LinkId> above_;
  bool amd_ = false;
  bool fused_ = false;
  bool rack_ = false;
  bool made_up_ = false;
};

}  // namespace

Result<NcclXmlText> write_nccl_xml(const catalog::Catalog& catalog, const Fabric& fabric,
                                   std::optional<std::uint32_t> server) {
  std::vector<std::uint32_t> servers;
  if (server) {
    if (*server >= fabric.servers().size()) {
      return fail(input_error("WEFT-FMT-0131", "there is no server" + std::to_string(*server))
                      .with_expected("server0 to server" + std::to_string(fabric.servers().size() - 1)));
    }
    servers.push_back(*server);
  } else {
    servers.resize(fabric.servers().size());
    std::iota(servers.begin(), servers.end(), 0U);
  }
  for (const std::uint32_t s : servers) {
    if (fabric.servers()[s].gpus > 0) continue;
    return fail(input_error("WEFT-FMT-0131",
                            "server" + std::to_string(s) + " has no GPU: NCCL's format describes servers with GPUs"));
  }
  if (servers.empty()) return fail(input_error("WEFT-FMT-0131", "the fabric has no server"));
  const PartBook book(catalog);
  return Writer(book, fabric).run(servers);
}

}  // namespace weft::formats
