#include "weft/plan/memory.h"

#include <algorithm>

#include "weft/llm/memory.h"

namespace weft::plan {
namespace {

constexpr std::int64_t kSampledTogether = 64;  // sequences whose logits the workspace has room for

}  // namespace

std::int64_t MemoryNeeds::capacity() const {
  const Bytes left = limit - weights - workspace;
  if (left.count() <= 0) return 0;
  return left.count() / std::max<std::int64_t>(1, kv_of_sequence.count());
}

Memory MemoryNeeds::with(std::int64_t sequences) const {
  return {weights, kv_of_sequence * sequences, workspace, limit};
}

MemoryNeeds memory_needs(const llm::Anatomy& anatomy, const llm::Parallelism& parallelism,
                         const ServingWorkload& workload, Bytes gpu_memory) {
  MemoryNeeds needs;
  const std::int64_t length = workload.prompt + workload.output;
  std::int64_t most = -1;
  for (int stage = 0; stage < parallelism.pp; ++stage) {
    const Bytes weights = llm::stage_weights(anatomy, parallelism, stage).total();
    const Bytes cache = llm::kv_cache(anatomy, parallelism, stage, length);
    if ((weights + cache).count() <= most) continue;
    most = (weights + cache).count();
    needs.weights = weights;
    needs.kv_of_sequence = cache;
  }
  const std::int64_t whole = (workload.prompt + parallelism.cp - 1) / parallelism.cp;
  const std::int64_t tokens = workload.chunk > 0 ? std::min(workload.chunk, whole) : whole;
  needs.workspace = llm::activation_workspace(anatomy.shape(), parallelism, tokens, kSampledTogether);
  needs.limit = Bytes(static_cast<std::int64_t>(kMemoryShare * static_cast<double>(gpu_memory.count())));
  return needs;
}

}  // namespace weft::plan
