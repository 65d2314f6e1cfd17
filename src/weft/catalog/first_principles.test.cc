// The builtin figures recomputed from what they are made of: lanes and line codes, header bytes, channels, link counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "weft/catalog/fields.h"
#include "weft/catalog/test_catalog.h"

namespace weft::catalog {
namespace {

const Part& part(std::string_view id) { return *builtin_catalog().find(id); }
std::vector<const Part*> links() { return builtin_catalog().parts(Kind::link); }
LinkPart link(std::string_view id) { return builtin_catalog().link(id).value(); }
ServerPart server(std::string_view id) { return builtin_catalog().server(id).value(); }

// Figures are written with six digits.
void expect_near(Rate actual, double expected_gbits, const std::string& what) {
  EXPECT_NEAR(actual.gbits() / expected_gbits, 1, 1e-5) << what;
}

TEST(FirstPrinciples, NvlinkOfAGpu) {
  const std::map<std::string, int> gbytes_each_way = {{"nvlink1", 80},  {"nvlink2", 150}, {"nvlink3", 300},
                                                      {"nvlink4", 450}, {"nvlink5", 900}, {"nvlink6", 1800}};
  for (const auto& [id, rate] : gbytes_each_way) {
    EXPECT_EQ(link(id).line * int_field(part(id), "per_gpu"), Rate::gbyte_per_s(rate)) << id;
    // NCCL plans with 128-byte payloads in 160 bytes, or a little more where copies are longer.
    const double share = link(id).goodput / link(id).line;
    EXPECT_GE(share, 0.80) << id;
    EXPECT_LE(share, 0.90) << id;
  }
  // 106.25 and 212.5 Gb/s lanes, two of them, 16 of 17 symbols carry data.
  expect_near(link("nvlink4").raw, 2 * 106.25, "nvlink4");
  expect_near(link("nvlink4").line, 2 * 106.25 * 16 / 17, "nvlink4");
  expect_near(link("nvlink5").raw, 2 * 212.5, "nvlink5");
  expect_near(link("nvlink5").line, 2 * 212.5 * 16 / 17, "nvlink5");
  EXPECT_EQ(link("nvlink4").goodput * 18, Rate::from_gbyte_per_s(370.8)) << "the total that NCCL prints";
}

TEST(FirstPrinciples, PcieLinesAndPayloads) {
  int seen = 0;
  for (const Part* slot : links()) {
    if (field<std::string>(*slot, "class") != "pcie" || field<std::string>(*slot, "unit") == "port") continue;
    ++seen;
    const auto gigatransfers = field<double>(*slot, "transfer_rate");
    const double raw = gigatransfers * int_field(*slot, "lanes");
    const bool flits = gigatransfers == 64;  // 256 bytes: 236 packets, 6 link layer, 8 CRC, 6 FEC
    const double line = flits ? raw * 242 / 256 : raw * 128 / 130;
    const double packets = flits ? raw * 236 / 256 : line;
    const auto payload = static_cast<double>(field<Bytes>(*slot, "packet_payload").count());
    const auto overhead = static_cast<double>(field<Bytes>(*slot, "packet_overhead").count());
    EXPECT_EQ(payload, 256) << slot->id;
    EXPECT_EQ(overhead, flits ? 16 : 4 + 16 + 4) << slot->id;
    expect_near(field<Rate>(*slot, "raw"), raw, slot->id);
    expect_near(field<Rate>(*slot, "line"), line, slot->id);
    expect_near(field<Rate>(*slot, "goodput"), packets * payload / (payload + overhead), slot->id);
  }
  EXPECT_EQ(seen, 16) << "generations 3 to 6, x16 x8 x4 x1";
}

TEST(FirstPrinciples, GoodputOfNetworksFromTheirHeaders) {
  constexpr int kEthernet = 14 + 4;
  constexpr int kGap = 20;  // preamble and inter-frame gap
  constexpr int kTcp = kEthernet + 20 + 20 + 12 + kGap;
  const std::map<std::string, int> overheads = {{"infiniband", 8 + 12 + 4 + 2},
                                                {"roce", kEthernet + 20 + 8 + 12 + 4 + kGap},
                                                {"tcp", kTcp},
                                                {"ethernet", kTcp},
                                                {"iwarp", kTcp + 2 + 14 + 4}};
  int seen = 0;
  for (const Part* each : links()) {
    const auto expected = overheads.find(field<std::string>(*each, "class"));
    if (expected == overheads.end() || each->find("goodput")->from.basis != Basis::derived) continue;
    ++seen;
    const auto payload = static_cast<double>(field<Bytes>(*each, "packet_payload").count());
    const auto overhead = static_cast<double>(field<Bytes>(*each, "packet_overhead").count());
    EXPECT_EQ(overhead, expected->second) << each->id;
    expect_near(field<Rate>(*each, "goodput"), field<Rate>(*each, "line").gbits() * payload / (payload + overhead),
                each->id);
  }
  EXPECT_EQ(seen, 6 + 6 + 4 + 3 + 3);
  // Shares that the field knows by heart.
  EXPECT_NEAR(link("roce-v2-400g").goodput / link("roce-v2-400g").line, 0.9804, 5e-5);
  EXPECT_NEAR(link("ib-ndr").goodput / link("ib-ndr").line, 0.9937, 5e-5);
  EXPECT_NEAR(link("tcp").goodput / link("tcp").line, 0.9900, 5e-5);
  EXPECT_NEAR(link("iwarp").goodput / link("iwarp").line, 0.9878, 5e-5);
  EXPECT_NEAR(link("ethernet-1g").goodput / link("ethernet-1g").line, 0.9415, 5e-5);
}

TEST(FirstPrinciples, LinesOfNetworksFromTheirLanes) {
  int seen = 0;
  for (const Part* each : links()) {
    if (!is_network(link_class_from(field<std::string>(*each, "class")).value()) || each->find("raw") == nullptr)
      continue;
    ++seen;
    const double raw = field<Rate>(*each, "raw").gbits();
    const double line = field<Rate>(*each, "line").gbits();
    // RS(544,514) over 256b/257b; 64b/66b; 8b/10b of gigabit.
    const double pam4 = raw * 514 / 544 * 256 / 257;
    const double nrz = raw * 64 / 66;
    const double gigabit = raw * 8 / 10;
    EXPECT_TRUE(std::abs(line - pam4) < 1e-6 * line || std::abs(line - nrz) < 1e-6 * line ||
                std::abs(line - gigabit) < 1e-6 * line)
        << each->id << ": " << raw << " Gb/s raw, " << line << " line";
  }
  EXPECT_GE(seen, 20);
}

TEST(FirstPrinciples, HostMemoryFromItsChannels) {
  int seen = 0;
  for (const Part& each : builtin_catalog().parts()) {
    const Figure* figure = each.find(each.kind == Kind::cpu ? "memory_rate" : "line");
    int channels = 0;
    int generation = 0;
    int megatransfers = 0;
    if (figure == nullptr) continue;
    if (std::sscanf(figure->from.note.c_str(), "%d channels DDR%d-%d", &channels, &generation, &megatransfers) != 3)
      continue;
    ++seen;
    // DDR4-2666 runs at 2666.67.
    EXPECT_NEAR(std::get<Rate>(figure->value).gbits() / (channels * megatransfers * 64e-3), 1, 3e-4) << each.id;
  }
  EXPECT_GE(seen, 8);
}

TEST(FirstPrinciples, SwitchesCarryWhatTheirMakersSay) {
  const auto all_ports = [](std::string_view id) {
    const SwitchPart found = builtin_catalog().network_switch(id).value();
    EXPECT_EQ(found.port_rate.count() / 1'000'000'000, link(found.link).line.count() / 1'000'000'000) << id;
    return found.port_rate * found.ports;
  };
  EXPECT_EQ(all_ports("nvswitch1") * 2, Rate::gbyte_per_s(900));
  EXPECT_EQ(all_ports("nvswitch2") * 2, Rate::gbyte_per_s(1800));
  EXPECT_EQ(all_ports("nvswitch3") * 2, Rate::gbyte_per_s(3200));
  EXPECT_EQ(all_ports("nvswitch4") * 2, Rate::gbyte_per_s(7200));
  EXPECT_EQ(all_ports("qm9700") * 2, Rate::gbit_per_s(51'200));
  EXPECT_EQ(all_ports("q3400"), Rate::gbit_per_s(115'200));
  EXPECT_EQ(all_ports("sn5600"), Rate::gbit_per_s(51'200));
  EXPECT_EQ(all_ports("sn5600-128x400g"), Rate::gbit_per_s(51'200));
  EXPECT_EQ(all_ports("tomahawk3-32x400g"), Rate::gbit_per_s(12'800));
  EXPECT_EQ(all_ports("tomahawk4-64x400g"), Rate::gbit_per_s(25'600));
  EXPECT_EQ(all_ports("tomahawk5-64x800g"), Rate::gbit_per_s(51'200));
  for (const std::string& id : builtin_catalog().ids(Kind::network_switch)) all_ports(id);
}

int sum(const std::vector<int>& numbers) {
  int total = 0;
  for (const int n : numbers) total += n;
  return total;
}

TEST(FirstPrinciples, SwitchedServersUseEveryLinkAndFitTheirSwitches) {
  for (const std::string& id : builtin_catalog().ids(Kind::server)) {
    const ServerPart each = server(id);
    if (each.shape != GpuFabricShape::switched) continue;
    const GpuPart gpu = builtin_catalog().gpu(each.gpu).value();
    const SwitchPart chip = builtin_catalog().network_switch(each.nvswitch).value();
    EXPECT_EQ(sum(each.switch_links), gpu.gpu_links) << id;
    EXPECT_EQ(chip.link, gpu.gpu_link) << id;
    for (const int links_each : each.switch_links) {
      const int down = links_each * each.gpus / each.baseboards;
      EXPECT_LE(each.baseboards > 1 ? 2 * down : down, chip.ports) << id;
    }
  }
  const ServerPart hgx = server("hgx-h100-8");
  EXPECT_EQ(hgx.switch_links.size(), 4U);
  EXPECT_EQ(link("nvlink4").line * 2 * 18 * hgx.gpus, Rate::gbyte_per_s(7200));
  EXPECT_EQ(server("dgx2-v100").switch_links.size() * 2, 12U);
  EXPECT_EQ(server("gb200-nvl72").switch_links.size(), 18U);
  EXPECT_NEAR((link("nvlink5").line * 2 * 18 * 72).gbytes(), 130e3, 500) << "130 TB/s of an NVL72 rack";
}

std::vector<int> degrees(const ServerPart& meshed) {
  std::vector<int> degree(static_cast<std::size_t>(meshed.gpus), 0);
  for (const MeshEdge& edge : meshed.mesh) {
    degree[static_cast<std::size_t>(edge.a)] += edge.links;
    degree[static_cast<std::size_t>(edge.b)] += edge.links;
  }
  return degree;
}

TEST(FirstPrinciples, MeshesUseTheLinksThatGpusHave) {
  EXPECT_EQ(degrees(server("dgx1-v100")), std::vector<int>(8, 6));
  EXPECT_EQ(degrees(server("mi300x-8")), std::vector<int>(8, 7));
  EXPECT_EQ(degrees(server("hgx-h100-4")), std::vector<int>(4, 18));
  EXPECT_EQ(degrees(server("gh200-quad")), std::vector<int>(4, 18));
  for (const int degree : degrees(server("mi250x-4"))) EXPECT_LE(degree, 8);
  // Two dies of a module: four links. Each die has a way out to other modules.
  for (const MeshEdge& edge : server("mi250x-4").mesh) {
    EXPECT_EQ(edge.links == 4, edge.a / 2 == edge.b / 2) << edge.a << '-' << edge.b;
  }
}

TEST(FirstPrinciples, TheHybridCubeMeshIsTwoSquaresJoinedByACube) {
  const ServerPart dgx1 = server("dgx1-v100");
  EXPECT_EQ(dgx1.mesh.size(), 16U);
  int across = 0;
  for (const MeshEdge& edge : dgx1.mesh) {
    ASSERT_LT(edge.a, edge.b);
    if (edge.a / 4 == edge.b / 4) continue;
    ++across;
    EXPECT_EQ(edge.b - edge.a, 4) << "GPU i of one square joins GPU i of the other";
  }
  EXPECT_EQ(across, 4);
}

TEST(FirstPrinciples, EveryGpuAndAdapterHangsInOneGroup) {
  for (const std::string& id : builtin_catalog().ids(Kind::server)) {
    const ServerPart each = server(id);
    std::vector<int> gpus(static_cast<std::size_t>(each.gpus), 0);
    std::vector<int> nics(static_cast<std::size_t>(each.nics), 0);
    for (const PcieGroup& group : each.pcie) {
      EXPECT_LT(group.socket, each.sockets) << id;
      if (!group.switch_part.empty()) {
        EXPECT_TRUE(builtin_catalog().link(group.uplink)) << id;
      }
      for (const int gpu : group.gpus) ++gpus.at(static_cast<std::size_t>(gpu));
      for (const int nic : group.nics) ++nics.at(static_cast<std::size_t>(nic));
    }
    EXPECT_EQ(gpus, std::vector<int>(gpus.size(), 1)) << id;
    EXPECT_EQ(nics, std::vector<int>(nics.size(), 1)) << id;
  }
}

TEST(FirstPrinciples, ReferenceNetworks) {
  struct Expected {
    std::string_view server;
    int adapters;  // a tray
    int gbits;
  };
  constexpr auto kExpected = std::to_array<Expected>(
      {{"dgx1-v100", 4, 100},  {"dgx2-v100", 8, 100},   {"hgx-a100-8", 8, 200},  {"hgx-h100-8", 8, 400},
       {"hgx-h200-8", 8, 400}, {"hgx-h800-8", 8, 400},  {"hgx-h20-8", 8, 400},   {"hgx-b200-8", 8, 400},
       {"hgx-b300-8", 8, 800}, {"gb200-nvl72", 4, 400}, {"gb300-nvl72", 4, 800}, {"gh200-quad", 4, 200},
       {"mi250x-4", 4, 200},   {"mi300x-8", 8, 400},    {"mi325x-8", 8, 400},    {"mi350x-8", 8, 400},
       {"mi355x-8", 8, 400},   {"dgx-spark", 1, 200},   {"pcie-a100", 0, 0},     {"pcie-rtx4090", 0, 0}});
  for (const Expected& expected : kExpected) {
    const ServerPart each = server(expected.server);
    EXPECT_EQ(each.nics / each.trays, expected.adapters) << expected.server;
    if (each.nics == 0) continue;
    const NicPart nic = builtin_catalog().nic(each.nic).value();
    EXPECT_EQ(link(nic.network_link).line * nic.ports, Rate::gbit_per_s(expected.gbits)) << expected.server;
  }
}

TEST(FirstPrinciples, AdaptersFitTheirSlotsAndTheirSwitches) {
  for (const std::string& id : builtin_catalog().ids(Kind::server)) {
    const ServerPart each = server(id);
    if (each.nics == 0) continue;
    const NicPart nic = builtin_catalog().nic(each.nic).value();
    EXPECT_LE(link(nic.network_link).goodput, link(nic.host_link).line) << id;
    EXPECT_EQ(builtin_catalog().network_switch(each.network_switch)->link, nic.network_link) << id;
  }
}

TEST(FirstPrinciples, NarrowerNumbersAreAtLeastTwiceAsFast) {
  for (const std::string& id : builtin_catalog().ids(Kind::gpu)) {
    const GpuPart gpu = builtin_catalog().gpu(id).value();
    if (gpu.fp8_tflops > 0) {
      EXPECT_NEAR(gpu.fp8_tflops / gpu.fp16_tflops, 2, 0.03) << id;
    }
    if (gpu.fp4_tflops > 0) {
      EXPECT_GE(gpu.fp4_tflops / gpu.fp8_tflops, 1.99) << id;
    }
  }
}

TEST(FirstPrinciples, ThePublishedPlateausStayBelowTheNominal) {
  // NCCL all-reduce bus bandwidth without in-switch sums: 370 GB/s on 8 x H100, 235 on 8 x A100 (NVIDIA/nccl-tests
  // issues).
  EXPECT_NEAR((link("nvlink4").goodput * 18).gbytes(), 370, 4);
  EXPECT_NEAR((link("nvlink3").goodput * 12).gbytes(), 235, 6);
}

TEST(FirstPrinciples, CablesPropagateAtTwoThirdsOfLight) {
  for (const std::string& id : builtin_catalog().ids(Kind::cable)) {
    const double share = 1.0 / (field<Duration>(part(id), "latency_per_metre").seconds() * 299'792'458.0);
    EXPECT_GE(share, 0.66) << id;
    EXPECT_LE(share, 0.78) << id;
  }
}

}  // namespace
}  // namespace weft::catalog
