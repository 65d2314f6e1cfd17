#include "weft/plan/launch.h"

#include <algorithm>

namespace weft::plan {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

int servers_of_replica(const Candidate& candidate, const Plan& plan) {
  const auto per_server = std::max<std::size_t>(1, plan.gpus / std::max<std::size_t>(1, plan.servers));
  return static_cast<int>(
      (static_cast<std::size_t>(candidate.spread.parallelism.tp * candidate.spread.parallelism.pp) + per_server - 1) /
      per_server);
}

std::string vllm_line(const std::string& model, const ServingWorkload& workload, const Candidate& candidate,
                      const Plan& plan) {
  std::string line = "vllm serve " + model + " --tensor-parallel-size " + number(candidate.spread.parallelism.tp);
  if (candidate.spread.parallelism.pp > 1)
    line += " --pipeline-parallel-size " + number(candidate.spread.parallelism.pp);
  const int servers = servers_of_replica(candidate, plan);
  if (servers > 1) {
    line += " --distributed-executor-backend ray";
  } else if (candidate.spread.dp() > 1) {
    const int local = std::max(1, candidate.spread.dp() / static_cast<int>(plan.servers));
    line += " --data-parallel-size " + number(candidate.spread.dp());
    if (plan.servers > 1)
      line += " --data-parallel-size-local " + number(local) +
              " --data-parallel-address $HEAD --data-parallel-rpc-port 13345";
  }
  const std::int64_t sequences = (workload.concurrency + candidate.spread.dp() - 1) / candidate.spread.dp();
  return line + " --max-model-len " + number(workload.prompt + workload.output) + " --max-num-seqs " +
         number(sequences) + " --gpu-memory-utilization 0.9";
}

std::string sglang_line(const std::string& model, const Candidate& candidate, const Plan& plan) {
  std::string line =
      "python -m sglang.launch_server --model-path " + model + " --tp-size " + number(candidate.spread.parallelism.tp);
  if (candidate.spread.parallelism.pp > 1) line += " --pp-size " + number(candidate.spread.parallelism.pp);
  const int servers = servers_of_replica(candidate, plan);
  if (servers > 1) line += " --nnodes " + number(servers) + " --node-rank $RANK --dist-init-addr $HEAD:20000";
  return line + " --mem-fraction-static 0.9";
}

std::string trtllm_line(const std::string& model, const Candidate& candidate, const Plan& plan) {
  const int servers = servers_of_replica(candidate, plan);
  std::string line = "trtllm-serve " + model + " --tp_size " + number(candidate.spread.parallelism.tp) + " --pp_size " +
                     number(candidate.spread.parallelism.pp);
  if (servers > 1) {
    const int per_server = candidate.spread.parallelism.tp * candidate.spread.parallelism.pp / servers;
    line = "srun --mpi=pmix -N" + number(servers) + " --ntasks-per-node=" + number(per_server) +
           " trtllm-llmapi-launch " + line;
  }
  return line;
}

}  // namespace

std::string shell_quoted(const std::string& text) {
  const bool plain = !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("./_-:@+").find(c) != std::string_view::npos;
  });
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\"'\"'";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

Launch launch_lines(const std::string& name, const ServingWorkload& workload, const Candidate& candidate,
                    const Plan& plan) {
  const std::string model = shell_quoted(name);
  Launch launch{vllm_line(model, workload, candidate, plan),
                sglang_line(model, candidate, plan),
                trtllm_line(model, candidate, plan),
                {}};
  const bool on_roce = std::any_of(candidate.axes.begin(), candidate.axes.end(), [](const AxisCost& axis) {
    return axis.time.count() > 0 && axis.scope > fabric::Scope::server && axis.link.starts_with("roce");
  });
  if (on_roce)
    launch.nccl_env.push_back(
        {"NCCL_IB_TC", "106", "DSCP 26 with ECT: the lossless class of a RoCE fabric; the default 0 is lossy"});
  return launch;
}

}  // namespace weft::plan
