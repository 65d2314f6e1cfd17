// What `weft collective` is asked: sizes, ranks, operation.
#pragma once

#include <string_view>
#include <vector>

#include "args.h"
#include "weft/collective/call.h"
#include "weft/fabric/graph.h"

namespace weft::cli {

// "all_reduce", and the names of the programs of nccl-tests ("all_reduce_perf", "alltoall", "sendrecv").
[[nodiscard]] Result<collective::Operation> parse_operation(std::string_view text);

// As nccl-tests' -b -e -f -i: from, to, by a factor or in steps.
struct SizeRange {
  Bytes from;
  Bytes to;
  double factor = 2;
  Bytes step;  // > 0: instead of the factor
};
[[nodiscard]] Result<SizeRange> size_range(const Args& args);
[[nodiscard]] std::vector<Bytes> sizes_of(const SizeRange& range);

// "8" the first eight; "0-7" "0,8,16" "0-63/8" by rank (all GPUs of the cluster in order), "server0.gpu3" by name;
// several, separated by commas. Each GPU once.
[[nodiscard]] Result<std::vector<fabric::DeviceId>> parse_ranks(std::string_view text, const fabric::Fabric& fabric);

}  // namespace weft::cli
