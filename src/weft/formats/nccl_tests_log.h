// Logs of nccl-tests and its kin (rccl-tests, MetaX's), of all ages, as measured tables.
//
// What launchers and people do to logs is undone: tags of mpirun, srun and kubectl, timestamps, colours, several
// processes' lines between each other, rows cut in two by other output, NCCL INFO lines, several runs after one
// another, tables printed once a process. Each table says in `remarks` what was dropped and what was inferred. Runs of
// one size each that follow one another (a loop around the test) are one table.
//
// From the log: rows (out of place), data type, the test's name, GPU, hosts and ranks -> servers and GPUs of each,
// launch mode (nThread, nGpus, graph), library version, network, peer-to-peer and NCCL_ variables where NCCL_DEBUG
// printed them (nccl_tests_facts.h). `# key: value` lines that a user wrote on top (`# server: hgx-h100-8`) count as in
// a measured table. The server is nobody's to know here: intake asks or guesses.
//
// Other benchmarks' output (nvbandwidth, p2pBandwidthLatencyTest, OSU, perftest, torch scripts) is refused by name.
#pragma once

#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/formats/measured_table.h"

namespace weft::formats {

// At least one table; with several, `file` of the second is "NAME#2".
Result<std::vector<MeasuredTable>> read_nccl_tests_log(const SourceText& file);

// A header of nccl-tests' columns, or a row of its form.
[[nodiscard]] bool looks_like_nccl_tests_log(std::string_view text);

// "nvbandwidth, which copies and does no collectives" and the like; "" when it is nobody's that is known.
[[nodiscard]] std::string_view other_benchmark(std::string_view text);

}  // namespace weft::formats
