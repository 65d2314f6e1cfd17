#include "weft/formats/part_book.h"

#include <gtest/gtest.h>

#include "weft/formats/catalog.test.h"

namespace weft::formats {
namespace {

const PartBook& book() {
  static const PartBook book(test_catalog());
  return book;
}

std::string cpu_of(const char* vendor, const char* arch, int family, int model, const char* gpu = "") {
  const catalog::CpuPart* part = book().cpu_by_signature({vendor, arch, family, model}, gpu);
  return part == nullptr ? "" : part->id;
}

TEST(PartBook, ProcessorsByFamilyAndModel) {
  EXPECT_EQ(cpu_of("GenuineIntel", "x86_64", 6, 143), "xeon-spr");
  EXPECT_EQ(cpu_of("GenuineIntel", "x86_64", 6, 207), "xeon-emr");
  EXPECT_EQ(cpu_of("GenuineIntel", "x86_64", 6, 106), "xeon-icl");
  EXPECT_EQ(cpu_of("GenuineIntel", "x86_64", 6, 85), "xeon-skl");
  EXPECT_EQ(cpu_of("GenuineIntel", "x86_64", 6, 79), "xeon-bdw");
  EXPECT_EQ(cpu_of("GenuineIntel", "x86_64", 6, 1), "");
  EXPECT_EQ(cpu_of("CentaurHauls", "x86_64", 7, 91), "");
  EXPECT_EQ(cpu_of("", "ppc64", 0, 0), "power9");
}

// NCCL wrote (extended family << 4) + family until it began to write the sum.
TEST(PartBook, BothConventionsOfAmdFamiliesMeanTheSame) {
  EXPECT_EQ(cpu_of("AuthenticAMD", "x86_64", 143, 49), "epyc-rome");
  EXPECT_EQ(cpu_of("AuthenticAMD", "x86_64", 23, 49), "epyc-rome");
  EXPECT_EQ(cpu_of("AuthenticAMD", "x86_64", 175, 1), "epyc-milan");
  EXPECT_EQ(cpu_of("AuthenticAMD", "x86_64", 25, 1), "epyc-milan");
  EXPECT_EQ(cpu_of("AMD", "x86_64", 175, 48), "epyc-milan");  // Trento, as RCCL names the vendor
  EXPECT_EQ(cpu_of("AuthenticAMD", "x86_64", 25, 17), "epyc-genoa");
  EXPECT_EQ(cpu_of("AuthenticAMD", "x86_64", 191, 2), "epyc-turin");
  EXPECT_EQ(cpu_of("AuthenticAMD", "x86_64", 26, 2), "epyc-turin");
}

TEST(PartBook, ArmHostsAreKnownByTheirGpu) {
  EXPECT_EQ(cpu_of("", "arm64", 0, 0, "gb200"), "grace");
  EXPECT_EQ(cpu_of("", "arm64", 0, 0, "gb10"), "gb10-cpu");
}

TEST(PartBook, SignaturesReadBackToTheirProcessor) {
  for (const catalog::Part* part : test_catalog().parts(catalog::Kind::cpu)) {
    const catalog::CpuPart* cpu = book().cpu(part->id);
    ASSERT_NE(cpu, nullptr);
    const CpuSignature signature = cpu_signature(*cpu);
    if (signature.vendor.empty()) continue;  // ARM and POWER say no model
    const catalog::CpuPart* back = book().cpu_by_signature(signature, "");
    ASSERT_NE(back, nullptr) << part->id;
    EXPECT_EQ(back->id, part->id);
  }
}

TEST(PartBook, GpusByPciId) {
  EXPECT_EQ(book().gpu_by_pci("0x10de", "0x2330")->id, "h100-sxm5");
  EXPECT_EQ(book().gpu_by_pci("0x1002", "0x74A1")->id, "mi300x");
  EXPECT_EQ(book().gpu_by_pci("0x10de", "0xffff"), nullptr);
}

TEST(PartBook, GpusByArchitecture) {
  EXPECT_EQ(book().gpu_by_architecture(90, "", 8, true)->sm, 90);
  EXPECT_EQ(book().gpu_by_architecture(304, "gfx942", 8, true)->id, "mi300x");
  EXPECT_EQ(book().gpu_by_architecture(104, "910", 8, true)->id, "mi250x");
  EXPECT_EQ(book().gpu_by_architecture(7, "", 8, true), nullptr);
  EXPECT_EQ(book().gpu_by_architecture(0, "", 8, true), nullptr);
}

TEST(PartBook, TheUsualServerOfAGpu) {
  EXPECT_EQ(book().server_with("h100-sxm5", 8)->id, "hgx-h100-8");
  EXPECT_EQ(book().server_with("h100-sxm5", 4)->id, "hgx-h100-4");
  EXPECT_EQ(book().server_with("gb300", 8)->id, "gb300-nvl72");
  // 40 GB cards sit on the board of the 80 GB ones.
  EXPECT_EQ(book().server_with("a100-sxm4-40", 8)->id, "hgx-a100-8");
  EXPECT_EQ(book().server_with("no-such-gpu", 8), nullptr);
}

std::string nic_of(NicQuery query) {
  const catalog::NicPart* part = book().nic_for(query);
  return part == nullptr ? "" : part->id;
}

TEST(PartBook, AdaptersByIdClassAndRate) {
  EXPECT_EQ(nic_of({"15b3:1021", "", true, 400'000, 1}), "cx7-ndr");
  EXPECT_EQ(nic_of({"15b3:1021", "", false, 400'000, 1}), "cx7-400g");
  EXPECT_EQ(nic_of({"15b3:1021", "", false, 400'000, 2}), "cx7-400g");
  EXPECT_EQ(nic_of({"15b3:101b", "", true, 200'000, 1}), "cx6-hdr");
  EXPECT_EQ(nic_of({"1d0f:efa0", "", false, std::nullopt, 1}), "efa-v1");
  EXPECT_EQ(nic_of({"17db:0501", "", false, std::nullopt, 1}), "cassini");
  // Two ports of 100G: the id counts for more than the sum of the rates.
  EXPECT_EQ(nic_of({"15b3:1013", "", true, 200'000, 2}), "cx4-edr");
  // No id: the maker by the device's name, and the rate must fit.
  EXPECT_EQ(nic_of({"", "15b3", true, 400'000, 1}), "cx7-ndr");
  EXPECT_EQ(nic_of({"", "15b3", false, 7, 1}), "");
  EXPECT_EQ(nic_of({"", "15b3", std::nullopt, std::nullopt, 1}), "");
  EXPECT_EQ(nic_of({"", "", true, 400'000, 1}), "");
  EXPECT_EQ(nic_of({"8086:0d57", "", std::nullopt, 400'000, 1}), "");
}

TEST(PartBook, NcclsSocketConstants) {
  EXPECT_EQ(nccl_socket_gbytes({"GenuineIntel", "x86_64", 6, 143}), 22);
  EXPECT_EQ(nccl_socket_gbytes({"GenuineIntel", "x86_64", 6, 85}), 10);
  EXPECT_EQ(nccl_socket_gbytes({"AuthenticAMD", "x86_64", 23, 49}), 16);
  EXPECT_EQ(nccl_socket_gbytes({"", "ppc64", {}, {}}), 32);
  EXPECT_EQ(nccl_socket_gbytes({"  Shanghai  ", "x86_64", 7, 91}), 6);
}

}  // namespace
}  // namespace weft::formats
