#include "weft/collective/tuner_system.h"

namespace weft::collective {
namespace {

TunerSystem::Cpu cpu_of(const fabric::Fabric& fabric, fabric::DeviceId gpu) {
  const fabric::DeviceId cpu = fabric.first_of(fabric::DeviceKind::cpu, fabric.device(gpu).server);
  if (!cpu.valid()) return TunerSystem::Cpu::other;
  const std::string& part = fabric.model(cpu).part;
  if (part.starts_with("xeon")) return TunerSystem::Cpu::intel;
  return part.starts_with("epyc") ? TunerSystem::Cpu::amd : TunerSystem::Cpu::other;
}

}  // namespace

TunerSystem tuner_system(const Channels& channels, const fabric::Fabric& fabric,
                         std::span<const fabric::DeviceId> gpus) {
  TunerSystem system;
  system.ranks = static_cast<int>(gpus.size());
  system.graphs = channels.graphs;
  system.capability = channels.capability;
  system.nvls = graph_of(channels.graphs, GraphPattern::nvls).channels > 0;
  system.nvls_blocks = channels.nvls_blocks;
  system.nvswitch = channels.nvswitch;
  if (gpus.empty()) return system;
  system.servers = channels.servers;
  system.cpu = cpu_of(fabric, gpus.front());
  system.plain_tree = system.servers > 1 && system.ranks == system.servers;
  return system;
}

}  // namespace weft::collective
