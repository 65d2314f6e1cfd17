#include "weft/plan/serving.h"

#include <gtest/gtest.h>

namespace weft::plan {
namespace {

// A pass takes a + b x tokens.
class Linear : public PassTimer {
 public:
  Linear(double fixed, double per_token, int stages = 1) : fixed_(fixed), per_token_(per_token), stages_(stages) {}
  PassSeconds time_of(const PassLoad& load) override {
    const double latency = fixed_ + per_token_ * (load.decode + load.prompts * load.tokens);
    return {latency, latency / stages_};
  }

 private:
  double fixed_;
  double per_token_;
  int stages_;
};

ServingWorkload workload(std::int64_t prompt, std::int64_t output, std::int64_t chunk = 8192) {
  ServingWorkload made;
  made.prompt = prompt;
  made.output = output;
  made.chunk = chunk;
  return made;
}

TEST(SteadyState, OneSequenceAlone) {
  Linear passes(0.010, 1e-5);
  const SteadyState state = steady_state(passes, workload(1000, 100), {1, {}}, 1);
  EXPECT_NEAR(state.ttft_s, 0.010 + 1e-5 * 1001, 1e-9);  // nothing else is on its way
  EXPECT_EQ(state.wait_s, 0);
  EXPECT_NEAR(state.in_flight, 1, 5e-3);
  // Its own prompt is the only one, so its tokens come at the pace of decoding alone but for the share of its
  // successor.
  EXPECT_NEAR(state.decode_pass_s, 0.01001, 1e-9);
}

TEST(SteadyState, LittlesLawHolds) {
  Linear passes(0.010, 2e-5);
  const SteadyState state = steady_state(passes, workload(2000, 200), {64, {}}, 1);
  EXPECT_NEAR(state.decoding + state.requests_per_s * state.ttft_s, 64, 0.3);
  EXPECT_NEAR(state.requests_per_s * 200 * state.itl_s, state.decoding, 1e-9);
}

// D / O prompts begin in each pass; each takes b P longer than a pass without.
TEST(SteadyState, PromptsSlowDecodingByTheirShare) {
  Linear passes(0.010, 1e-5);
  const SteadyState state = steady_state(passes, workload(1000, 100), {10, {}}, 1);
  EXPECT_NEAR(state.prefill_share, state.decoding / 100, 1e-9);
  EXPECT_NEAR(state.itl_s, 0.010 + 1e-5 * state.decoding + state.prefill_share * 1e-5 * 1000, 1e-6);
}

TEST(SteadyState, LongPromptsAreCutIntoChunks) {
  Linear passes(0.010, 1e-5);
  const SteadyState one = steady_state(passes, workload(20'000, 1000), {1, {}}, 1);
  EXPECT_NEAR(one.prompt_tokens, 20'000.0 / 3, 1e-9);  // budget 8192 less one decoding
  EXPECT_NEAR(one.ttft_s, 3 * (0.010 + 1e-5 * (1 + 20'000.0 / 3)), 1e-9);
}

TEST(SteadyState, WholePromptsStallDecoding) {
  Linear passes(0.010, 1e-5);
  const SteadyState state = steady_state(passes, workload(20'000, 1000, 0), {10, {}}, 1);
  const double prompt = 0.010 + 1e-5 * 20'000;
  EXPECT_NEAR(state.itl_s, 0.010 + 1e-5 * state.decoding + state.decoding / 1000 * prompt, 1e-6);
}

TEST(SteadyState, ARateFixesWhatDecodes) {
  Linear passes(0.010, 1e-5);
  const SteadyState state = steady_state(passes, workload(1000, 100), {0, 5.0}, 1);
  EXPECT_NEAR(state.requests_per_s, 5, 0.02);
  EXPECT_NEAR(state.decoding, 5 * 100 * state.itl_s, 0.05);
  EXPECT_FALSE(state.saturated);
  // More comes, all wait longer.
  const SteadyState busier = steady_state(passes, workload(1000, 100), {0, 30.0}, 1);
  EXPECT_GT(busier.ttft_s, state.ttft_s);
  EXPECT_GT(busier.itl_s, state.itl_s);
}

TEST(SteadyState, MoreThanTheBudgetFeedsIsSaid) {
  Linear passes(0.010, 1e-5);
  // 10 prompt tokens for each that is generated: 8192 tokens a pass feed no more than 8192 / 11 sequences.
  const SteadyState state = steady_state(passes, workload(1000, 100), {5000, {}}, 1);
  EXPECT_TRUE(state.saturated);
  EXPECT_LT(state.decoding, 8192.0 / 11);
  EXPECT_NEAR(state.in_flight, 5000, 1);
  EXPECT_GT(state.ttft_s, 10 * (0.010 + 1e-5 * 8192));
  const SteadyState flooded = steady_state(passes, workload(1000, 100), {0, 1e4}, 1);
  EXPECT_TRUE(flooded.saturated);
  EXPECT_LT(flooded.requests_per_s, 1e4);
}

// Stages work on different micro-batches: as many tokens as one engine four times as fast, if there are enough of them.
TEST(SteadyState, APipelineKeepsItsStagesBusy) {
  Linear passes(0.040, 1e-5, 4);
  const SteadyState full = steady_state(passes, workload(10, 1000), {64, {}}, 4);
  EXPECT_NEAR(full.itl_s, 0.040 + 1e-5 * full.decoding / 4, 2e-4);
  const SteadyState one = steady_state(passes, workload(10, 1000), {1, {}}, 4);
  EXPECT_NEAR(one.itl_s, 0.040 + 1e-5, 1e-4);  // a token goes through all stages whatever else there is
}

TEST(SteadyState, MoreInFlightNeverServesLess) {
  Linear passes(0.010, 1e-5);
  double before = 0;
  for (const double in_flight : {1.0, 3.0, 10.0, 50.0, 200.0, 700.0, 2000.0}) {
    const SteadyState state = steady_state(passes, workload(1000, 100), {in_flight, {}}, 1);
    EXPECT_GE(state.requests_per_s, before * 0.995) << in_flight;
    EXPECT_NEAR(state.in_flight, in_flight, 0.01 * in_flight);
    before = state.requests_per_s;
  }
}

}  // namespace
}  // namespace weft::plan
