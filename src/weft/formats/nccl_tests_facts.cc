#include "weft/formats/nccl_tests_facts.h"

#include <algorithm>
#include <vector>

#include "weft/base/printable.h"
#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

using collective::Library;
using collective::LibraryFamily;

constexpr std::size_t kMostVariables = 64;
constexpr std::size_t kLongestValue = 100;
constexpr std::size_t kLookAt = 4096;
constexpr int kMostNics = 1024;

// What follows `what`; nothing when the line does not say it.
std::optional<std::string_view> after(std::string_view line, std::string_view what) {
  const std::size_t at = line.find(what);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + what.size());
}

std::string_view digits_and_dots(std::string_view text) {
  return text.substr(0, text.find_first_not_of("0123456789."));
}

// 22304 -> 2.23.4; before 2.9 one digit less: 2708 -> 2.7.8 (NCCL_VERSION of nccl.h).
std::optional<Library> from_code(LibraryFamily family, std::string_view text) {
  const std::optional<std::int64_t> code = parse_whole(text.substr(0, text.find_first_not_of("0123456789")));
  if (!code || *code < 1000 || *code > 999'999) return std::nullopt;
  const std::int64_t unit = *code < 10'000 ? 1000 : 10'000;
  return Library{family, static_cast<int>(*code / unit), static_cast<int>(*code % unit / 100),
                 static_cast<int>(*code % 100)};
}

int count_of(std::string_view text, std::string_view what) {
  int count = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

bool is_variable(std::string_view name) {
  return (name.starts_with("NCCL_") || name.starts_with("RCCL_")) && name.size() <= 64 &&
         name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

}  // namespace

void NcclFacts::take(std::string_view line) {
  line = line.substr(0, kLookAt);
  if (line.find("CCL") == std::string_view::npos && line.find("ccl-library=") == std::string_view::npos &&
      line.find("ccl-tests") == std::string_view::npos)
    return;
  take_version(line);
  take_network(line);
  take_transport(line);
  take_environment(line);
}

void NcclFacts::begin_next_run() {
  p2p_ = false;
  shared_memory_ = false;
  gdr_ = false;
  no_gdr_ = false;
  environment_.clear();
}

void NcclFacts::take_version(std::string_view line) {
  if (const auto code = after(line, "nccl-library=")) {
    if (const auto library = from_code(LibraryFamily::nccl, *code)) library_ = library;
    return;
  }
  if (const auto code = after(line, "rccl-library=")) {
    if (const auto library = from_code(LibraryFamily::rccl, *code)) library_ = library;
    return;
  }
  if (line.find("rccl-tests") != std::string_view::npos && !library_) library_ = Library{LibraryFamily::rccl, 0, 0, 0};
  std::optional<std::string_view> text = after(line, "CCL version");
  if (!text) return;
  // "NCCL version 2.22.3+cuda12.6", "RCCL version : 2.18.6-HEAD:…"
  while (!text->empty() && (is_space(text->front()) || text->front() == ':')) text->remove_prefix(1);
  const std::string_view number = digits_and_dots(*text);
  const bool amd =
      line.find("RCCL version") != std::string_view::npos || text->substr(number.size()).starts_with("+hip");
  if (const auto library = collective::library_from((amd ? "rccl-" : "nccl-") + std::string(number))) {
    if (library->version_known()) library_ = library;
  }
}

void NcclFacts::take_network(std::string_view line) {
  if (const auto list = after(line, "NET/IB : Using [")) {
    const int roce = count_of(*list, "/RoCE");
    const int ib = count_of(*list, "/IB");
    if (roce + ib > 0 && roce + ib <= kMostNics) {
      fabric_ = roce > ib ? "roce" : "ib";
      nics_ = std::max(roce, ib);
    }
  } else if (const auto provider = after(line, "Selected Provider is ")) {
    if (provider->starts_with("efa")) fabric_ = "efa";
    if (provider->starts_with("cxi")) fabric_ = "slingshot";
    if (const auto found = after(*provider, "(found ")) {
      const auto number = parse_whole(found->substr(0, found->find_first_not_of("0123456789")));
      if (number && *number > 0 && *number <= kMostNics) nics_ = static_cast<int>(*number);
    }
  } else if (line.find("Using network Socket") != std::string_view::npos) {
    fabric_ = "tcp";
    nics_.reset();
  } else if (line.find("GPUDirectTCPX") != std::string_view::npos || line.find("FasTrak") != std::string_view::npos) {
    fabric_ = "tcpx";
  }
  if (line.find("NET/IB") != std::string_view::npos) {
    if (const auto speed = after(line, "speed=")) {  // Mb/s
      const auto number = parse_whole(speed->substr(0, speed->find_first_not_of("0123456789")));
      if (number && *number >= 1000 && *number <= 10'000'000) nic_gbps_ = static_cast<double>(*number) / 1000;
    }
  }
}

void NcclFacts::take_transport(std::string_view line) {
  if (line.find("NCCL INFO") == std::string_view::npos) return;
  if (line.find(" via P2P/") != std::string_view::npos) p2p_ = true;
  if (line.find(" via SHM/") != std::string_view::npos) shared_memory_ = true;
  if (const auto net = after(line, " via NET/")) {
    const bool direct = net->find("/GDRDMA") != std::string_view::npos;
    gdr_ = gdr_ || direct;
    no_gdr_ = no_gdr_ || (!direct && !net->starts_with("Socket"));
  }
  if (line.find("GPU Direct RDMA Disabled for HCA") != std::string_view::npos) no_gdr_ = true;
}

void NcclFacts::take_environment(std::string_view line) {
  if (const std::size_t at = line.find(" set by environment to "); at != std::string_view::npos) {
    const std::string_view before = line.substr(0, at);
    const std::size_t space = before.find_last_of(" \t");
    const auto value = after(line, " set by environment to ");
    std::string_view text = trim(*value);
    if (text.ends_with('.')) text.remove_suffix(1);
    set(space == std::string_view::npos ? before : before.substr(space + 1), text);
    return;
  }
  if (line.find("NCCL INFO") != std::string_view::npos) return;
  for (const std::string_view word : words(line)) {
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos) set(word.substr(0, equals), word.substr(equals + 1));
  }
}

void NcclFacts::set(std::string_view name, std::string_view value) {
  if (!is_variable(name) || (environment_.size() >= kMostVariables && environment_.find(name) == environment_.end()))
    return;
  environment_.insert_or_assign(std::string(name), printable(value.substr(0, kLongestValue)));
}

void NcclFacts::apply(MeasuredTable& table, RemarkList& remarks) const {
  if (!table.library || !table.library->version_known()) {
    if (library_) table.library = library_;
  }
  const bool several = table.servers.value_or(1) > 1;
  if (several && table.fabric.empty()) {
    table.fabric = fabric_;
    if (!table.nics_per_server) table.nics_per_server = nics_;
    if (!table.nic_gbps) table.nic_gbps = nic_gbps_;
  }
  if (several && !table.gdr && gdr_ != no_gdr_) table.gdr = gdr_;
  const auto disabled = environment_.find("NCCL_P2P_DISABLE");
  if (!table.p2p && disabled != environment_.end() && disabled->second == "1") table.p2p = false;
  if (!table.p2p && p2p_ != shared_memory_) table.p2p = p2p_;
  if (!table.p2p && p2p_ && shared_memory_) remarks.add("some GPUs reach each other by peer-to-peer, some do not");
  if (table.env.empty()) {
    for (const auto& [name, value] : environment_) {
      if (name == "NCCL_DEBUG" || name == "NCCL_DEBUG_SUBSYS" || name == "NCCL_DEBUG_FILE") continue;
      table.env += (table.env.empty() ? "" : " ") + name + "=" + value;
    }
  }
}

}  // namespace weft::formats
