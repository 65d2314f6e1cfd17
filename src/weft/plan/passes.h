// How long one pass of a spread takes, with what it sends: llm/step_time for the GPUs, `Prices` for the exchanges.
//
//   latency        kernels + exchanges of all axes, one after another: a layer needs the sum before it goes on
//   slowest stage  the slowest stage's kernels + its part of the exchanges
//
// A pass of decoding alone is replayed from a captured graph; one with prompts is launched kernel by kernel.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "weft/llm/step_time.h"
#include "weft/plan/prices.h"
#include "weft/plan/serving.h"

namespace weft::plan {

// What an axis sends in a pass.
struct AxisTraffic {
  llm::Axis axis = llm::Axis::tp;
  double seconds = 0;  // all of it
  llm::Exchange main;  // what takes most of it
  Price main_price;
  std::vector<llm::Exchange> others;
};

// What is the same for all spreads.
struct PassSetting {
  const llm::Anatomy& anatomy;
  const llm::KernelTimes& kernels;
  double context = 0;      // tokens that a decoding sequence attends to, on average over its life
  double expert_skew = 1;  // what the busiest GPU gets of the routed tokens, over the mean
};

class PassModel : public PassTimer {
 public:
  // All must outlive it; llm::possible() must hold.
  PassModel(const PassSetting& setting, Placements& placements, Prices& prices, const Spread& spread);

  PassSeconds time_of(const PassLoad& load) override;

  // The same load, taken apart.
  [[nodiscard]] llm::PassTime compute(const PassLoad& load) const;
  [[nodiscard]] std::vector<AxisTraffic> traffic(const PassLoad& load);

  // Why an exchange could not be priced; passes then take no communication into account. Empty: all could.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  [[nodiscard]] llm::Batch batch_of(const PassLoad& load) const;
  [[nodiscard]] llm::Tokens tokens_of(const PassLoad& load) const;
  // use(exchange, price, seconds of all of them) for every exchange that can be priced.
  template <class Use>
  void for_each_exchange(const PassLoad& load, const Use& use);

  const PassSetting& setting_;
  Prices& prices_;
  llm::Parallelism parallelism_;
  llm::StepModel step_;
  std::array<const GroupSet*, 5> groups_{};  // by axis
  std::string failure_;
};

}  // namespace weft::plan
