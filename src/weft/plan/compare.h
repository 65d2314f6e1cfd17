// The same tensor-parallel group over each interconnect: what one all-reduce costs, what a token pays, what share of
// it.
//
// Everything but the interconnect is held: one GPU part computes, and n of them form the group as 1xn inside a server,
// or over a network as 2x(n/2) and nx1 (a GPU a server). Each row is a fabric built from the catalog and priced by the
// closed-form engine: 160 all-reduces for 80 layers, one after another, of batch x hidden x dtype. NDR and RoCE stand
// at the same rate too, so that protocol and rate are not confounded.
//
// The rule of thumb is the table that planners quote: one all-reduce a layer and a quoted latency for each link.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/calibration.h"
#include "weft/catalog/catalog.h"
#include "weft/plan/verdict.h"
#include "weft/units/units.h"

namespace weft::plan {

struct CompareRequest {
  catalog::ModelShape model;
  int tp = 8;
  std::int64_t batch = 1;
  std::int64_t context = 2048;
  std::string gpu = "h100-sxm5";  // computes in every row
};

struct CompareRow {
  std::string interconnect;
  std::string layout;  // "1x8": servers x GPUs
  Bytes bytes;         // of one all-reduce
  std::int64_t all_reduces = 0;
  Duration all_reduce;
  std::optional<Duration> all_reduce_high;  // a quoted range
  Duration total;                           // of a token
  std::optional<Duration> total_high;
  double share_of_token = 0;  // total / (total + compute); the ratio to the first row in a rule of thumb
  Verdict verdict = Verdict::unusable;
  std::string algorithm;
  std::string note;
};

struct Comparison {
  std::vector<CompareRow> rows;
  Duration compute;  // of a token, the same in every row; zero in a rule of thumb
  std::vector<std::string> assumed;
  std::vector<std::string> calibration;
};

// Errors: tp does not divide the heads.
Result<Comparison> compare_interconnects(const catalog::Catalog& catalog, const catalog::Calibration& calibration,
                                         const CompareRequest& request);
Comparison rule_of_thumb(const catalog::ModelShape& model);

}  // namespace weft::plan
