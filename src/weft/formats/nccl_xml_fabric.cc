#include "weft/formats/nccl_xml_fabric.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "weft/fabric/builder.h"
#include "weft/formats/fields.h"
#include "weft/formats/nccl_gpu_links.h"
#include "weft/formats/nccl_server.h"
#include "weft/formats/part_book.h"

namespace weft::formats {
namespace {

constexpr std::size_t kMostHosts = 1024;
constexpr std::size_t kMostDevices = 20'000;  // GPUs and NICs together; NCCL's own limit is 576 a server
constexpr std::size_t kMostCpusPerHost = 64;

struct Census {
  std::size_t gpus = 0;
  std::size_t gpu_elements = 0;
  std::size_t nics = 0;
  bool sentinel = false;
  const NcclPci* first_gpu = nullptr;
};

void count(const NcclPci& pci, Census& census) {
  const PciRole role = role_of(pci);
  if (role == PciRole::gpu) {
    ++census.gpus;
    if (census.first_gpu == nullptr) census.first_gpu = &pci;
    if (pci.gpu) {
      ++census.gpu_elements;
      for (const NcclGpuLink& link : pci.gpu->links)
        census.sentinel = census.sentinel || is_fabric_sentinel(link.target);
    }
  }
  if (role == PciRole::nic) ++census.nics;
  for (const NcclNic& nic : pci.nics) census.nics += nic.nets.size();
  for (const NcclPci& child : pci.children) count(child, census);
}

// CPUs by host, in the order of the file.
std::vector<std::vector<const NcclCpu*>> hosts_of(const NcclSystem& system) {
  std::vector<std::vector<const NcclCpu*>> hosts;
  std::map<std::string, std::size_t> index;
  for (const NcclCpu& cpu : system.cpus) {
    const auto [it, is_new] = index.emplace(cpu.host_hash, hosts.size());
    if (is_new) hosts.emplace_back();
    hosts[it->second].push_back(&cpu);
  }
  for (auto& host : hosts) {
    std::stable_sort(host.begin(), host.end(), [](const NcclCpu* a, const NcclCpu* b) {
      // A NUMA node without a number (-1, missing) comes last.
      const auto place = [](const NcclCpu* c) { return c->numaid && *c->numaid >= 0 ? *c->numaid : 1 << 30; };
      return place(a) < place(b);
    });
  }
  return hosts;
}

class Converter {
 public:
  Converter(const PartBook& book, const SourceText& source, const NcclSystem& system, const ReadOptions& options)
      : book_(book), source_(source), system_(system), options_(options) {}

  Result<OperatorFabric> run() {
    for (const NcclCpu& cpu : system_.cpus) {
      for (const NcclPci& pci : cpu.pcis) count(pci, census_);
      for (const NcclNic& nic : cpu.nics) census_.nics += nic.nets.size();
    }
    hosts_ = hosts_of(system_);
    if (auto fit = check(); !fit) return fail(fit.error());
    if (auto named = check_option(); !named) return fail(named.error());
    say_what_it_is();
    fabric::FabricBuilder builder;
    std::vector<NcclServerBuilt> built;
    for (const auto& group : servers()) {
      NcclServerInput input{system_, book_, group, options_.gpu, census_.gpu_elements == 0, remarks_};
      built.push_back(add_nccl_server(builder, input));
    }
    OperatorFabric out;
    out.fabric = std::move(builder).finish();
    for (const NcclServerBuilt& server : built) observe(server, out);
    out.assumed = remarks_.assumed.texts();
    out.notes = remarks_.notes.texts();
    return out;
  }

 private:
  Result<void> check() {
    const SourcePosition start = source_.position(system_.cpus.front().offset);
    if (census_.gpus == 0) {
      return fail(
          input_error("WEFT-FMT-0121",
                      "the topology holds no GPU: no <gpu>, and no PCI device of a GPU's class (0x03…, 0x12…)")
              .at(start)
              .with_expected("<pci class=\"0x030200\" …>")
              .with_hint("dump it from a job that uses the GPUs: NCCL_TOPO_DUMP_FILE=topo.xml, one process a GPU"));
    }
    if (census_.gpus + census_.nics > kMostDevices || hosts_.size() > kMostHosts) {
      return fail(input_error("WEFT-FMT-0122", "the topology has " + counted(census_.gpus, "GPU") + ", " +
                                                   counted(census_.nics, "NIC port") + " and " +
                                                   counted(hosts_.size(), "host"))
                      .at(start)
                      .with_expected("at most " + std::to_string(kMostDevices) + " devices on " +
                                     std::to_string(kMostHosts) + " hosts"));
    }
    for (const auto& host : hosts_) {
      if (host.size() <= kMostCpusPerHost) continue;
      return fail(input_error("WEFT-FMT-0122", "one host has " + counted(host.size(), "NUMA node"))
                      .at(source_.position(host.back()->offset))
                      .with_expected("at most " + std::to_string(kMostCpusPerHost))
                      .with_hint("dumps of several hosts in one file need a host_hash on each <cpu>"));
    }
    return {};
  }

  Result<void> check_option() {
    if (options_.gpu.empty() || book_.gpu(options_.gpu) != nullptr) return {};
    auto known = book_.catalog().gpu(options_.gpu);
    if (!known) return fail(std::move(known.error()));
    options_.gpu = known->id;  // an alias
    return {};
  }

  void say_what_it_is() {
    if (census_.gpu_elements == 0) {
      remarks_.notes.add("a skeleton: it lists PCI devices and says nothing of GPU links; GPUs are numbered by bus id");
    }
    if (hosts_.size() > 1) {
      const std::string story = "fused from " + counted(hosts_.size(), "host");
      remarks_.notes.add(census_.sentinel ? story + " of one NVLink fabric: one server here, as a rack is"
                                          : story + ": one server each");
    }
    for (const NcclIgnored& element : system_.ignored) {
      remarks_.notes.add("<" + element.element.substr(0, 40) + "> in <" + element.parent.substr(0, 40) +
                             "> is passed over, as NCCL passes over it",
                         "line " + std::to_string(source_.position(element.offset).line));
      if (++ignored_ == 20) break;
    }
  }

  // Hosts that share an NVLink fabric are one server. A host without any NVLink beside such a fabric belongs to it: a
  // dump is fused only within one.
  [[nodiscard]] std::vector<std::vector<std::vector<const NcclCpu*>>> servers() const {
    std::map<std::string, std::size_t> fabrics;  // sentinel -> server
    std::vector<std::vector<std::vector<const NcclCpu*>>> groups;
    const bool only_one = distinct_fabrics() == 1;
    std::optional<std::size_t> shared;
    for (const auto& host : hosts_) {
      const std::string sentinel = sentinel_of(host);
      std::optional<std::size_t> place;
      if (const auto known = fabrics.find(sentinel); known != fabrics.end()) place = known->second;
      if (only_one) place = shared;
      if (!place) {
        place = groups.size();
        groups.emplace_back();
      }
      groups[*place].push_back(host);
      if (!sentinel.empty()) fabrics.emplace(sentinel, *place);
      if (only_one) shared = place;
    }
    return groups;
  }

  [[nodiscard]] std::size_t distinct_fabrics() const {
    std::set<std::string> all;
    for (const auto& host : hosts_) {
      if (const std::string sentinel = sentinel_of(host); !sentinel.empty()) all.insert(sentinel);
    }
    return all.size();
  }

  static std::string sentinel_of(const std::vector<const NcclCpu*>& host) {
    std::string least;
    for (const NcclCpu* cpu : host) {
      for (const NcclPci& pci : cpu->pcis) find_sentinel(pci, least);
    }
    return least;
  }

  static void find_sentinel(const NcclPci& pci, std::string& least) {
    if (pci.gpu) {
      for (const NcclGpuLink& link : pci.gpu->links) {
        if (is_fabric_sentinel(link.target) && (least.empty() || link.target < least)) least = link.target;
      }
    }
    for (const NcclPci& child : pci.children) find_sentinel(child, least);
  }

  void observe(const NcclServerBuilt& server, OperatorFabric& out) {
    for (const ObservedLinks& seen : server.amiss) {
      fabric::Condition condition;
      condition.target.scope = fabric::Target::Scope::device;
      condition.target.device = seen.gpu;
      condition.kind = fabric::ConditionKind::links;
      condition.value = seen.left;
      condition.text = "links " + std::to_string(seen.left) + " " + out.fabric.name(seen.gpu);
      out.observed.add(std::move(condition));
      const std::string name = out.fabric.name(seen.gpu) + ", " + out.fabric.operator_name(seen.gpu);
      remarks_.notes.add("a GPU has " +
                             (seen.left == 0 ? std::string("no NVLink")
                                             : "only " + counted(static_cast<std::size_t>(seen.left), "NVLink")) +
                             " where its siblings have " + std::to_string(seen.nominal) + ": taken as a fault",
                         name);
    }
  }

  const PartBook& book_;
  const SourceText& source_;
  const NcclSystem& system_;
  ReadOptions options_;
  Census census_;
  std::vector<std::vector<const NcclCpu*>> hosts_;
  Remarks remarks_;
  int ignored_ = 0;
};

}  // namespace

Result<OperatorFabric> nccl_fabric(const catalog::Catalog& catalog, const SourceText& source, const NcclSystem& system,
                                   const ReadOptions& options) {
  const PartBook book(catalog);
  return Converter(book, source, system, options).run();
}

}  // namespace weft::formats
