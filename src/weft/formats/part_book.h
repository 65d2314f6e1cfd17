// Which catalog part a foreign file means: by PCI id, by compute capability, by the processor's family and model, by
// what a server with that GPU usually has.
//
// The catalog's parts, laid out once for questions that files ask. Answers never fail; an empty id says that nothing
// fits. Nothing here decides what to tell the user: callers say what they assumed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/catalog/catalog.h"

namespace weft::formats {

struct CpuSignature {
  std::string vendor;         // "GenuineIntel", "AuthenticAMD", "IBM" …
  std::string arch;           // "x86_64", "arm64", "ppc64"
  std::optional<int> family;  // NCCL's familyid, in either of its two conventions
  std::optional<int> model;   // modelid
};

struct NicQuery {
  std::string pci_id;                      // "15b3:1021"; "" = not stated
  std::string maker;                       // PCI vendor by the device's name ("15b3" for mlx5_0), when there is no id
  std::optional<bool> infiniband;          // by PCI class 0x0207 / 0x0200
  std::optional<std::int64_t> speed_mbps;  // all ports together
  int ports = 1;
};

class PartBook {
 public:
  explicit PartBook(const catalog::Catalog& catalog);

  [[nodiscard]] const catalog::Catalog& catalog() const { return catalog_; }
  [[nodiscard]] const catalog::GpuPart* gpu(std::string_view id) const;
  [[nodiscard]] const catalog::GpuPart* gpu_by_pci(std::string_view vendor, std::string_view device) const;
  // The likeliest GPU of a compute capability or AMD architecture; prefers one whose usual server has `count`.
  [[nodiscard]] const catalog::GpuPart* gpu_by_architecture(int sm, std::string_view gcn, std::size_t count,
                                                            bool has_links) const;
  [[nodiscard]] const std::vector<catalog::GpuPart>& gpus() const { return gpus_; }

  // A server with that GPU: of that count when there is one, then any; then one whose GPU differs in memory only;
  // nullptr = none.
  [[nodiscard]] const catalog::ServerPart* server_with(std::string_view gpu, std::size_t count) const;
  [[nodiscard]] const std::vector<catalog::ServerPart>& servers() const { return servers_; }

  [[nodiscard]] const catalog::CpuPart* cpu(std::string_view id) const;
  [[nodiscard]] const catalog::CpuPart* cpu_by_signature(const CpuSignature& signature, std::string_view gpu) const;
  [[nodiscard]] const catalog::NicPart* nic(std::string_view id) const;
  [[nodiscard]] const catalog::NicPart* nic_for(const NicQuery& query) const;
  [[nodiscard]] const catalog::SwitchPart* switch_part(std::string_view id) const;
  // The NVSwitch whose ports are that link.
  [[nodiscard]] const catalog::SwitchPart* nvswitch_for(std::string_view gpu_link) const;
  [[nodiscard]] const catalog::LinkPart* link(std::string_view id) const;
  // Line rate of all ports of a NIC.
  [[nodiscard]] Rate nic_rate(const catalog::NicPart& nic) const;

 private:
  [[nodiscard]] double rate_fit(const catalog::NicPart& part, const NicQuery& query) const;

  const catalog::Catalog& catalog_;
  std::vector<catalog::GpuPart> gpus_;
  std::vector<catalog::CpuPart> cpus_;
  std::vector<catalog::NicPart> nics_;
  std::vector<catalog::SwitchPart> switches_;
  std::vector<catalog::ServerPart> servers_;
  std::vector<catalog::LinkPart> links_;
};

// "intel sapphire rapids", from vendor, family and model; "" when not known. AMD family ids are taken in NCCL's old
// convention ((extended << 4) + base: 143, 175, 159, 191) and in the summed one (23, 25, 24, 26).
[[nodiscard]] std::string cpu_generation(const CpuSignature& signature);

// The other way: what NCCL would write of a catalog processor; empty fields when it is not in the table.
[[nodiscard]] CpuSignature cpu_signature(const catalog::CpuPart& part);

// Between two sockets as NCCL counts it, GB/s per direction, when the catalog does not know the processor.
[[nodiscard]] double nccl_socket_gbytes(const CpuSignature& signature);

}  // namespace weft::formats
