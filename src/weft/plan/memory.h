// What a spread needs of each GPU's memory at steady state, and how many sequences it can hold.
//
//   weights      of the fullest pipeline stage
//   KV cache     of the sequences in flight at full length (prompt + output): engines that promise not to evict keep
//                that much free for each
//   workspace    of a pass of `chunk` tokens (of the whole prompt where prompts are not chunked)
//   limit        90 % of the GPU, the usual default of engines; the rest is the driver's, the library's, the graphs'
#pragma once

#include <cstdint>

#include "weft/catalog/parts.h"
#include "weft/llm/anatomy.h"
#include "weft/plan/spread.h"
#include "weft/plan/workload.h"

namespace weft::plan {

inline constexpr double kMemoryShare = 0.9;  // vLLM's gpu-memory-utilization

struct Memory {
  Bytes weights;
  Bytes kv_cache;
  Bytes workspace;
  Bytes limit;
  [[nodiscard]] Bytes total() const { return weights + kv_cache + workspace; }
};

// Of one GPU of the fullest stage, whatever the number of sequences.
struct MemoryNeeds {
  Bytes weights;
  Bytes kv_of_sequence;
  Bytes workspace;
  Bytes limit;

  // Sequences that one copy of attention can hold; 0 = not even one.
  [[nodiscard]] std::int64_t capacity() const;
  [[nodiscard]] Memory with(std::int64_t sequences) const;
};

[[nodiscard]] MemoryNeeds memory_needs(const llm::Anatomy& anatomy, const llm::Parallelism& parallelism,
                                       const ServingWorkload& workload, Bytes gpu_memory);

}  // namespace weft::plan
