#include "weft/plan/reasons.h"

#include <cmath>

#include "weft/units/text.h"

namespace weft::plan {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

class Reasons {
 public:
  Reasons(Candidate& candidate, const Setting& setting, const MemoryNeeds& needs)
      : candidate_(candidate),
        model_(setting.request.model),
        request_(setting.request),
        parallelism_(candidate.spread.parallelism),
        needs_(needs) {}

  void add_all() {
    axes();
    spread();
    load();
    slo();
    memory();
  }

 private:
  void say(std::string text) { candidate_.reasons.push_back(std::move(text)); }

  void axes() {
    for (const AxisCost& axis : candidate_.axes) {
      if (axis.time.count() > 0) {
        say(std::string(llm::name_of(axis.axis)) + ": " + number(axis.count_per_step) + " x " + axis.collective +
            " of " + human(axis.bytes) + (axis.also.empty() ? "" : " and " + axis.also) + " over " + axis.link +
            " take " + human(axis.time) + ", " + percent(axis.share) + " of a decode step");
      }
      if (axis.axis == llm::Axis::tp && axis.scope > fabric::Scope::nvlink_domain) {
        say("tp leaves the NVLink domain: " + std::string(fabric::name_of(axis.scope)) + " over " + axis.link);
      }
    }
  }

  void spread() {
    if (candidate_.spread.units > 1)
      say("dp: " + number(candidate_.spread.units) + " copies exchange nothing while serving");
    if (parallelism_.attention_dp > 1) {
      say("attention-dp: " + number(parallelism_.attention_dp) + " copies of attention share the " +
          number(model_.moe.experts) + " experts of a layer, " +
          (parallelism_.ep > 1
               ? number(model_.moe.experts / parallelism_.ep) + " on each of " + number(parallelism_.ep) +
                     (parallelism_.expert_tp() > 1 ? " groups of " + number(parallelism_.expert_tp()) : " GPUs")
               : "each cut over all " + number(parallelism_.expert_gpus()) + " GPUs"));
    }
    if (parallelism_.cp > 1)
      say("cp: each prompt and its cache is cut into " + number(parallelism_.cp) + " parts; weights are held " +
          number(parallelism_.cp) + " times");
    if (model_.attention == catalog::AttentionKind::grouped && model_.kv_heads > 0 &&
        parallelism_.tp > model_.kv_heads) {
      say("tp " + number(parallelism_.tp) + " exceeds the " + number(model_.kv_heads) + " KV heads: each is held " +
          number(parallelism_.tp / model_.kv_heads) + " times");
    }
    if (model_.attention == catalog::AttentionKind::latent && parallelism_.tp > 1)
      say("tp " + number(parallelism_.tp) + ": the latent cache has no heads to cut, each GPU holds all of it");
    if (parallelism_.pp > 1 && model_.layers % parallelism_.pp != 0) {
      say("pp: " + number(model_.layers) + " layers do not divide by " + number(parallelism_.pp) +
          ": the stages are uneven");
    }
  }

  void load() {
    const SteadyState& state = candidate_.state;
    if (state.itl_s <= 0) return;
    if (state.saturated && request_.workload.chunk == 0) {
      say("prompts take all the time there is: " + significant(state.decoding, 3) + " of " +
          significant(state.in_flight, 3) + " sequences a copy decode, the rest wait");
      return;
    }
    if (state.saturated) {
      say("prompts come as fast as the budget of " + number(request_.workload.chunk) +
          " tokens a pass can take them: " + significant(state.decoding, 3) + " of " + significant(state.in_flight, 3) +
          " sequences a copy decode, the rest wait");
      return;
    }
    if (state.prefill_share <= 0) return;
    say(percent(state.prefill_share) + " of the passes also work on " +
        significant(std::round(state.prompt_tokens), 6) +
        " prompt tokens: " + human(Duration::from_us(state.itl_s * 1e6)) + " between tokens on average, " +
        human(Duration::from_us(state.decode_pass_s * 1e6)) + " without them");
  }

  void slo() {
    if (candidate_.fits && !candidate_.keeps_up)
      say("does not keep up: " + significant(candidate_.state.requests_per_s * candidate_.spread.dp(), 3) + " of the " +
          significant(request_.workload.rate.value_or(0), 3) + " requests that come each second");
    if (!candidate_.fits || !request_.slo.given() || candidate_.within_slo) return;
    const auto over = [&](const char* name, Duration value, const std::optional<Duration>& limit) {
      if (limit && value > *limit)
        say(std::string(name) + " is " + human(value) + ", " + human(value - *limit) + " above what was asked for");
    };
    over("ttft", candidate_.ttft, request_.slo.ttft);
    over("tpot", candidate_.tpot, request_.slo.tpot);
  }

  [[nodiscard]] std::string parts() const {
    const Memory& memory = candidate_.memory;
    return "(weights " + human(memory.weights) + ", KV cache " + human(memory.kv_cache) + ", workspace " +
           human(memory.workspace) + ")";
  }

  void memory() {
    const Memory& memory = candidate_.memory;
    if (candidate_.fits) {
      say("memory: " + human(memory.total()) + " of " + human(memory.limit) + " a GPU " + parts() +
          "; the cluster holds " + number(candidate_.capacity) + " such sequences");
      return;
    }
    if (memory.total() <= memory.limit) return;
    say("does not fit: " + human(memory.total()) + " a GPU, " + human(memory.total() - memory.limit) + " too much " +
        parts() + remedy());
  }

  [[nodiscard]] std::string remedy() const {
    const Memory& memory = candidate_.memory;
    if (candidate_.capacity > 0) return "; it would with " + number(candidate_.capacity) + " sequences in flight";
    if (needs_.weights <= needs_.limit)
      return "; the weights alone do: shorter prompts, a smaller --chunked-prefill or more GPUs a copy";
    const double needed = std::ceil(memory.weights / memory.limit * parallelism_.gpus());
    return "; the weights alone need " + significant(needed) + " GPUs a copy";
  }

  Candidate& candidate_;
  const catalog::ModelShape& model_;
  const PlanRequest& request_;
  const llm::Parallelism& parallelism_;
  const MemoryNeeds& needs_;
};

}  // namespace

void add_reasons(Candidate& candidate, const Setting& setting, const MemoryNeeds& needs) {
  Reasons(candidate, setting, needs).add_all();
}

}  // namespace weft::plan
