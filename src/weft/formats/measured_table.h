// A measured collective: what was run where, and how long it took, one row a message size.
//
// The form of a measured table (tab-separated, `# key: value` lines above) and of a raw nccl-tests log
// (nccl_tests_log.h), which says less about the hardware. What the file leaves open stays empty here: joining it with a
// cluster, and the rules by which gaps are filled, are intake's (intake/measurement.h). Sizes as nccl-tests prints
// them: S of operation.h. Times are out of place, microseconds.
//
// `unknown`, `None`, `N/A` and nothing are one and the same. A word that is not of a key's list, and a key that no
// list has, are remarked and count as unknown; a cell that is no number, a count that is none and an unheard-of
// collective are errors with line and column. Rows without a size or a time are left out and counted.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/collective/call.h"
#include "weft/units/units.h"

namespace weft::formats {

enum class Health { unknown, yes, no };

struct MeasuredRow {
  Bytes size;
  double time_us = 0;  // derived from algbw (or busbw) when the file has no time; S/t of that precision then
  int line = 0;        // of the file
};

struct MeasuredTable {
  std::string file;
  bool raw_log = false;  // printed by a benchmark: names GPUs and hosts, never a server of the catalog
  std::string source;
  std::string date;    // "2024-07-19"; "" = unknown
  std::string server;  // catalog name; "" = unknown
  std::optional<int> servers;
  std::optional<int> gpus_per_server;
  std::string gpu;  // as the file names it ("NVIDIA H100 80GB HBM3")
  std::optional<int> nics_per_server;
  std::optional<double> nic_gbps;
  std::string fabric;        // ib roce efa slingshot tcp tcpx none; "" = unknown
  std::string interconnect;  // prose
  std::optional<bool> p2p;
  std::optional<bool> gdr;  // GPUDirect RDMA
  std::optional<collective::Library> library;
  std::optional<collective::Operation> operation;
  std::optional<collective::Algorithm> algorithm;  // none = auto
  std::optional<collective::Protocol> protocol;
  collective::LaunchMode launch = collective::LaunchMode::unknown;
  std::optional<int> gpus_per_process;  // where the file says it: nGpus of a log
  std::string kernel;                   // "vllm-0.24.0": a serving kernel was asked, not the library; "" = the library
  std::string dtype;
  bool old_semantics = false;  // algbw of all-gather and reduce-scatter already holds (n-1)/n
  Health healthy = Health::unknown;
  std::string healthy_note;
  std::string cause;
  std::string env;
  std::vector<std::string> notes;  // `note`, and prose under another key with the key in front
  std::vector<MeasuredRow> rows;
  std::vector<std::string> remarks;  // what the reader noticed: rows dropped and why
};

// The file's name without its folders.
[[nodiscard]] std::string_view base_name(const MeasuredTable& table);

Result<MeasuredTable> read_measured_table(const SourceText& file);

// True when the text looks like a measured table: a line of column names with size_bytes and a time or bandwidth.
[[nodiscard]] bool looks_like_measured_table(std::string_view text);

}  // namespace weft::formats
