// Why a candidate stands where it does, in sentences with its own figures.
#pragma once

#include "weft/plan/evaluate.h"

namespace weft::plan {

void add_reasons(Candidate& candidate, const Setting& setting, const MemoryNeeds& needs);

}  // namespace weft::plan
