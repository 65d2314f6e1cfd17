// Measurements that the model itself "made", so that a fit has a right answer.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "weft/engine/closed/closed.h"
#include "weft/intake/measurement.h"
#include "weft/validate/score.h"

namespace weft::validate {

inline const catalog::Catalog& parts() {
  static const catalog::Catalog catalog = *catalog::Catalog::builtin();
  return catalog;
}

struct Made {
  std::string server = "hgx-h100-8";
  int servers = 1;
  int gpus = 8;
  std::string operation = "all_reduce";
  std::string source = "made";
  std::string more = {};  // further header lines, each with its end
};

// Times as the calibration predicts them, times `factor`.
inline intake::Measurement made(const catalog::Calibration& calibration, const Made& what, double factor = 1) {
  intake::MeasurementJoiner joiner(parts());
  const std::string header = "# source: " + what.source + "\n# server: " + what.server +
                             "\n# servers: " + std::to_string(what.servers) +
                             "\n# gpus_per_server: " + std::to_string(what.gpus) +
                             "\n# library: nccl-2.27.3\n# launch: process_per_gpu\n# collective: " + what.operation +
                             "\n# healthy: yes\n" + what.more + "size_bytes\ttime_us\n";
  intake::Measurement asked = joiner.join(*formats::read_measured_table({"asked.tsv", header + "8\t1\n"}));
  const collective::Profiles profiles = *collective::load_profiles(calibration, asked.library, *engine_of(asked));
  std::ostringstream rows;
  for (std::int64_t bytes = 1024; bytes <= std::int64_t{8} << 30; bytes *= 2) {
    const auto cost =
        engine::closed::collective_cost(asked.call(Bytes(bytes)), asked.shape, profiles, !asked.table.kernel.empty());
    rows << bytes << '\t' << cost->total.us() * factor << '\n';
  }
  return joiner.join(*formats::read_measured_table({what.source + ".tsv", header + rows.str()}));
}

}  // namespace weft::validate
