#include "weft/catalog/catalog.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/catalog/fields.h"
#include "weft/catalog/server_layout.h"
#include "weft/catalog/state.h"

namespace weft::catalog {
namespace {

Error unknown(std::string_view what, std::string_view id, const std::vector<std::string>& known) {
  return input_error("WEFT-CAT-0020", "no " + std::string(what) + " " + in_quotes(id) + " in the catalog")
      .with_hint(did_you_mean(id, known));
}

// "pcie-a100:4" -> "pcie-a100" and "4".
std::pair<std::string_view, std::string_view> split_count(std::string_view id) {
  const std::size_t colon = id.find(':');
  if (colon == std::string_view::npos) return {id, {}};
  return {id.substr(0, colon), id.substr(colon + 1)};
}

Result<int> count_for(const Part& part, std::string_view text) {
  if (text.empty()) return 0;
  const std::string whole = in_quotes(part.id + ":" + std::string(text));
  if (!field<bool>(part, "parametric")) {
    const std::string gpus = std::to_string(int_field(part, "gpus"));
    return fail(input_error("WEFT-CAT-0021", whole + ": " + part.id + " always has " + gpus + " GPUs")
                    .with_expected("a count after a server of PCIe cards, such as pcie-a100:4")
                    .with_hint("for several servers write 2x" + part.id));
  }
  int count = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (problem != std::errc() || end != text.data() + text.size() || count < 1 || count > kMostGpusOfParametricServer) {
    return fail(input_error("WEFT-CAT-0022", whole + ": not a count of GPUs")
                    .with_expected("1 to " + std::to_string(kMostGpusOfParametricServer)));
  }
  return count;
}

}  // namespace

Catalog::Catalog() : state_(std::make_shared<CatalogState>(AllParts(), std::vector<ModelShape>())) {}
Catalog::Catalog(std::shared_ptr<const CatalogState> state) : state_(std::move(state)) {}

std::span<const Part> Catalog::parts() const { return state_->all().parts; }
std::span<const Source> Catalog::sources() const { return state_->all().sources; }
std::span<const ModelShape> Catalog::models() const { return state_->models(); }
const Part* Catalog::find(std::string_view id) const { return state_->find(id); }
const Source* Catalog::source(std::string_view id) const { return state_->source(id); }
std::vector<std::string> Catalog::ids(Kind kind) const { return state_->ids(kind); }

std::vector<const Part*> Catalog::parts(Kind kind) const {
  std::vector<const Part*> some;
  for (const Part& part : parts()) {
    if (part.kind == kind) some.push_back(&part);
  }
  return some;
}

Result<const Part*> Catalog::part(std::string_view id) const {
  const auto [name, count] = split_count(id);
  if (const Part* found = find(name); found != nullptr && (count.empty() || found->kind == Kind::server)) return found;
  return fail(unknown("part", id, state_->names()));
}

Result<const Part*> Catalog::part_of(Kind kind, std::string_view id) const {
  const Part* found = find(id);
  if (found != nullptr && found->kind == kind) return found;
  Error error = unknown(name_of(kind), id, ids(kind));
  if (found != nullptr) error.hint = found->id + " is a " + std::string(name_of(found->kind));
  return fail(std::move(error));
}

std::vector<std::string> Catalog::model_ids() const {
  std::vector<std::string> all;
  for (const ModelShape& model : models()) all.push_back(model.id);
  return all;
}

Result<LinkPart> Catalog::link(std::string_view id) const {
  const Result<const Part*> found = part_of(Kind::link, id);
  if (!found) return fail(found.error());
  const Part& part = **found;
  LinkPart link;
  link.id = part.id;
  link.title = part.title;
  link.link_class = link_class_from(field<std::string>(part, "class")).value_or(LinkClass::proprietary);
  link.unit = field<std::string>(part, "unit");
  link.raw = field<Rate>(part, "raw");
  link.line = field<Rate>(part, "line");
  link.goodput = field<Rate>(part, "goodput");
  link.latency = field<Duration>(part, "latency");
  return link;
}

Result<GpuPart> Catalog::gpu(std::string_view id) const {
  const Result<const Part*> found = part_of(Kind::gpu, id);
  if (!found) return fail(found.error());
  const Part& part = **found;
  GpuPart gpu;
  gpu.id = part.id;
  gpu.title = part.title;
  gpu.vendor = field<std::string>(part, "vendor");
  gpu.architecture = field<std::string>(part, "architecture");
  gpu.sm = int_field(part, "sm");
  gpu.gcn = field<std::string>(part, "gcn");
  gpu.memory = field<Bytes>(part, "memory");
  gpu.memory_rate = field<Rate>(part, "memory_rate");
  gpu.fp16_tflops = field<double>(part, "fp16_tflops");
  gpu.fp8_tflops = field<double>(part, "fp8_tflops");
  gpu.fp4_tflops = field<double>(part, "fp4_tflops");
  gpu.int8_tops = field<double>(part, "int8_tops");
  gpu.gpu_link = field<std::string>(part, "gpu_link");
  gpu.gpu_links = int_field(part, "gpu_links");
  gpu.host_link = field<std::string>(part, "host_link");
  gpu.pci_ids = field<std::vector<std::string>>(part, "pci_ids");
  return gpu;
}

Result<CpuPart> Catalog::cpu(std::string_view id) const {
  const Result<const Part*> found = part_of(Kind::cpu, id);
  if (!found) return fail(found.error());
  const Part& part = **found;
  CpuPart cpu;
  cpu.id = part.id;
  cpu.title = part.title;
  cpu.socket_link = field<std::string>(part, "socket_link");
  cpu.socket_links = int_field(part, "socket_links");
  cpu.p2p_rate = field<Rate>(part, "p2p_rate");
  cpu.memory_rate = field<Rate>(part, "memory_rate");
  cpu.p2p_latency = field<Duration>(part, "p2p_latency");
  return cpu;
}

Result<NicPart> Catalog::nic(std::string_view id) const {
  const Result<const Part*> found = part_of(Kind::nic, id);
  if (!found) return fail(found.error());
  const Part& part = **found;
  NicPart nic;
  nic.id = part.id;
  nic.title = part.title;
  nic.network_link = field<std::string>(part, "network_link");
  nic.ports = int_field(part, "ports", 1);
  nic.host_link = field<std::string>(part, "host_link");
  nic.gpudirect_rdma = field<bool>(part, "gpudirect_rdma");
  nic.pci_ids = field<std::vector<std::string>>(part, "pci_ids");
  nic.latency = field<Duration>(part, "latency");
  return nic;
}

Result<SwitchPart> Catalog::network_switch(std::string_view id) const {
  const Result<const Part*> found = part_of(Kind::network_switch, id);
  if (!found) return fail(found.error());
  const Part& part = **found;
  SwitchPart network_switch;
  network_switch.id = part.id;
  network_switch.title = part.title;
  network_switch.link = field<std::string>(part, "link");
  network_switch.ports = int_field(part, "ports");
  network_switch.port_rate = field<Rate>(part, "port_rate");
  network_switch.latency = field<Duration>(part, "latency");
  network_switch.in_network_reduction = field<bool>(part, "in_network_reduction");
  return network_switch;
}

Result<ServerPart> Catalog::server(std::string_view id) const {
  const auto [name, count_text] = split_count(id);
  const Result<const Part*> found = part_of(Kind::server, name);
  if (!found) return fail(found.error());
  const Part& part = **found;
  if (count_text.empty() && id.ends_with(':')) return fail(unknown("server", id, ids(Kind::server)));
  const Result<int> count = count_for(part, count_text);
  if (!count) return fail(count.error());
  const Part* gpu = find(field<std::string>(part, "gpu"));
  return lay_out_server(part, gpu == nullptr ? 0 : int_field(*gpu, "gpu_links"), *count);
}

Result<ModelShape> Catalog::model(std::string_view id) const {
  for (const ModelShape& model : models()) {
    if (model.id == id || std::ranges::find(model.aliases, id) != model.aliases.end()) return model;
  }
  return fail(unknown("model", id, model_ids()));
}

}  // namespace weft::catalog
