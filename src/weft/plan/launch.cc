#include "weft/plan/launch.h"

#include <algorithm>

namespace weft::plan {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

// What an engine downloads or opens: the name on the hub where the catalog knows it.
const std::string& name_of(const catalog::ModelShape& model) {
  const auto hub = std::find_if(model.aliases.begin(), model.aliases.end(),
                                [](const std::string& alias) { return alias.find('/') != std::string::npos; });
  return hub == model.aliases.end() ? model.id : *hub;
}

std::string option(std::string_view name, std::int64_t value) { return " " + std::string(name) + " " + number(value); }
std::string option_above_one(std::string_view name, std::int64_t value) { return value > 1 ? option(name, value) : ""; }

class Lines {
 public:
  Lines(const PlanRequest& request, const Candidate& candidate, const Plan& plan)
      : model_(shell_quoted(name_of(request.model))),
        request_(request),
        candidate_(candidate),
        parallelism_(candidate.spread.parallelism),
        experts_(request.model.moe.experts > 0),
        narrow_cache_(request.model.kv_cache == catalog::NumberFormat::fp8),
        gpus_per_server_(
            static_cast<int>(std::max<std::size_t>(1, plan.gpus / std::max<std::size_t>(1, plan.servers)))) {}

  Launch take() {
    launch_.vllm = vllm();
    launch_.sglang = sglang();
    launch_.trtllm = trtllm();
    note_copies();
    return std::move(launch_);
  }

 private:
  void note(std::string text) { launch_.notes.push_back(std::move(text)); }

  // Engines whose line starts one of several copies.
  void note_copies() {
    const int units = candidate_.spread.units;
    std::string engines;
    const auto add = [&](const char* engine, const std::string& line, int started) {
      if (started < units && !line.starts_with('#')) engines += (engines.empty() ? "" : ", ") + std::string(engine);
    };
    add("vllm", launch_.vllm, experts_ ? 1 : vllm_copies());
    add("sglang", launch_.sglang, 1);
    add("trtllm", launch_.trtllm, 1);
    if (!engines.empty()) note(engines + ": " + number(units) + " copies, one such engine for each, behind a router");
  }

  [[nodiscard]] int servers_of(int gpus) const { return (gpus + gpus_per_server_ - 1) / gpus_per_server_; }

  // Copies of attention that one vLLM deployment has: those that share experts; of dense models all of them, unless one
  // crosses servers by itself.
  [[nodiscard]] int vllm_copies() const {
    if (experts_) return parallelism_.attention_dp;
    return servers_of(parallelism_.tp * parallelism_.pp) > 1 ? 1 : candidate_.spread.units;
  }

  std::string vllm() {
    if (parallelism_.cp > 1) return no_context("vllm");
    if (parallelism_.ep > 1 && parallelism_.ep != parallelism_.expert_gpus()) {
      return "# vllm: no line for ep " + number(parallelism_.ep) + ": it spreads experts over all " +
             number(parallelism_.expert_gpus()) + " GPUs of tp x attention-dp, or cuts each over them";
    }
    const int one = parallelism_.tp * parallelism_.pp;
    const int copies = vllm_copies();
    if (copies > 1 && servers_of(one) > 1)
      return "# vllm: no line for copies of attention that cross servers, each over " + number(one) + " GPUs";
    std::string line = "vllm serve " + model_ + option("--tensor-parallel-size", parallelism_.tp) +
                       option_above_one("--pipeline-parallel-size", parallelism_.pp) +
                       option_above_one("--data-parallel-size", copies);
    const int servers = servers_of(one * copies);
    if (servers > 1 && copies == 1) line += " --distributed-executor-backend ray";
    if (servers > 1 && copies > 1) {
      const int local = copies / servers;
      line +=
          option("--data-parallel-size-local", local) + " --data-parallel-address $HEAD --data-parallel-rpc-port 13345";
      note("vllm: on server n = 1, 2 ... add --headless --data-parallel-start-rank $((n * " + number(local) + "))");
    }
    if (parallelism_.ep > 1) line += " --enable-expert-parallel";
    line += option("--max-model-len", request_.workload.prompt + request_.workload.output) +
            option("--max-num-seqs", candidate_.sequences);
    if (request_.workload.chunk > 0) line += option("--max-num-batched-tokens", request_.workload.chunk);
    if (narrow_cache_) line += " --kv-cache-dtype fp8";
    return line + " --gpu-memory-utilization 0.9";
  }

  std::string sglang() {
    if (parallelism_.cp > 1) return no_context("sglang");
    std::string line =
        "python -m sglang.launch_server --model-path " + model_ + option("--tp-size", parallelism_.expert_gpus()) +
        option_above_one("--pp-size", parallelism_.pp) + option_above_one("--dp-size", parallelism_.attention_dp);
    if (parallelism_.attention_dp > 1) line += " --enable-dp-attention";
    line += option_above_one("--ep-size", parallelism_.ep);
    const int servers = servers_of(parallelism_.gpus());
    if (servers > 1) line += option("--nnodes", servers) + " --node-rank $RANK --dist-init-addr $HEAD:20000";
    line += option("--chunked-prefill-size", request_.workload.chunk > 0 ? request_.workload.chunk : -1);
    if (narrow_cache_) line += " --kv-cache-dtype fp8_e4m3";
    return line + " --mem-fraction-static 0.9";
  }

  std::string trtllm() {
    if (parallelism_.cp > 1) return no_context("trtllm");
    const bool copies = parallelism_.attention_dp > 1;
    if (copies && parallelism_.tp > 1)
      return "# trtllm: no line for attention copies of " + number(parallelism_.tp) + " GPUs each: its copies have one";
    std::string settings = copies ? "enable_attention_dp: true" : "";
    if (narrow_cache_) settings += (settings.empty() ? "" : ", ") + std::string("kv_cache_config: {dtype: fp8}");
    std::string line = "trtllm-serve " + model_ + option("--tp_size", parallelism_.expert_gpus()) +
                       option("--pp_size", parallelism_.pp) + option_above_one("--ep_size", parallelism_.ep);
    if (!settings.empty()) {
      line += " --config serve.yaml";
      note("trtllm: serve.yaml holds {" + settings + "}");
    }
    const int servers = servers_of(parallelism_.gpus());
    if (servers == 1) return line;
    return "srun --mpi=pmix -N" + number(servers) + " --ntasks-per-node=" + number(parallelism_.gpus() / servers) +
           " trtllm-llmapi-launch " + line;
  }

  [[nodiscard]] std::string no_context(const std::string& engine) const {
    return "# " + engine + ": no line for prompts cut over cp " + number(parallelism_.cp);
  }

  std::string model_;
  const PlanRequest& request_;
  const Candidate& candidate_;
  const llm::Parallelism& parallelism_;
  bool experts_;
  bool narrow_cache_;
  int gpus_per_server_;
  Launch launch_;
};

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

Launch launch_lines(const PlanRequest& request, const Candidate& candidate, const Plan& plan) {
  Launch launch = Lines(request, candidate, plan).take();
  const bool on_roce = std::any_of(candidate.axes.begin(), candidate.axes.end(), [](const AxisCost& axis) {
    return axis.time.count() > 0 && axis.scope > fabric::Scope::server && axis.link.starts_with("roce");
  });
  if (on_roce)
    launch.nccl_env.push_back(
        {"NCCL_IB_TC", "106", "DSCP 26 with ECT: the lossless class of a RoCE fabric; the default 0 is lossy"});
  return launch;
}

}  // namespace weft::plan
