// The lines that start a candidate: vLLM, SGLang and TensorRT-LLM, and the NCCL environment where a default must
// change.
//
// Names that came from outside are quoted for a POSIX shell. Hosts are placeholders ($HEAD, $RANK): weft does not know
// names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/plan/plan.h"

namespace weft::plan {

struct EnvironmentSetting {
  std::string name;
  std::string value;
  std::string why;
};

struct Launch {
  std::string vllm;
  std::string sglang;
  std::string trtllm;
  std::vector<EnvironmentSetting> nccl_env;
};

[[nodiscard]] Launch launch_lines(const std::string& model, const ServingWorkload& workload, const Candidate& candidate,
                                  const Plan& plan);

// 'it'"'"'s' when it must be, plain when it may.
[[nodiscard]] std::string shell_quoted(const std::string& text);

}  // namespace weft::plan
