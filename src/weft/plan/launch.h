// The lines that start a candidate: vLLM, SGLang and TensorRT-LLM, and the NCCL environment where a default must
// change.
//
// Engines cut models in words of their own. vLLM: data parallelism that shares experts is --data-parallel-size, and
// experts are spread over all its GPUs or none. SGLang: --tp-size counts all GPUs of a stage, those of attention copies
// included. TensorRT-LLM the same, but its attention copies have one GPU each. What an engine has no words for gets a
// comment that says so in place of a line. Not written: context parallelism, for any of them.
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
  std::vector<std::string> notes;  // what else is to be done
  std::vector<EnvironmentSetting> nccl_env;
};

[[nodiscard]] Launch launch_lines(const PlanRequest& request, const Candidate& candidate, const Plan& plan);

// 'it'"'"'s' when it must be, plain when it may.
[[nodiscard]] std::string shell_quoted(const std::string& text);

}  // namespace weft::plan
