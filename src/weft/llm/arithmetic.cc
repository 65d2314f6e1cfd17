#include "weft/llm/arithmetic.h"

#include <utility>

#include "weft/catalog/model_rules.h"
#include "weft/llm/precision.h"
#include "weft/llm/traffic.h"
#include "weft/units/text.h"

namespace weft::llm {

using catalog::ModelShape;

namespace {

constexpr std::int64_t kHandBytes = 4;  // people count fp32
constexpr std::int64_t kQuotedHidden = 8192;
constexpr std::int64_t kQuotedLayers = 32;

std::string text(std::int64_t number) { return std::to_string(number); }

// As people say it: 32,768 bytes are "32 KB", a binary size with a decimal name.
std::string spoken_size(double bytes) {
  if (bytes < 1024) return significant(bytes, 3) + " B";
  if (bytes < 1024 * 1024) return significant(bytes / 1024, 3) + " KB";
  if (bytes < 1024.0 * 1024 * 1024) return significant(bytes / 1024 / 1024, 3) + " MB";
  return significant(bytes / 1024 / 1024 / 1024, 3) + " GB";
}

std::string bytes_per_s(double rate) { return human_bytes(Rate::from_gbyte_per_s(rate / 1e9)); }

class Rows {
 public:
  explicit Rows(ArithmeticPart part) : part_(part) {}
  void add(std::string key, std::string label, std::string formula, std::string value, double number) {
    rows_.push_back({part_, std::move(key), std::move(label), std::move(formula), std::move(value), number});
  }
  void append_to(std::vector<ArithmeticRow>& all) {
    for (ArithmeticRow& row : rows_) all.push_back(std::move(row));
  }

 private:
  ArithmeticPart part_;
  std::vector<ArithmeticRow> rows_;
};

void add_popular_sum(ArithmeticPart part, std::int64_t hidden, std::int64_t layers, const ArithmeticQuestion& question,
                     std::vector<ArithmeticRow>& all) {
  Rows rows(part);
  const double message = static_cast<double>(hidden * kHandBytes);
  const double pass = message * static_cast<double>(layers);
  rows.add("message", "one layer", text(hidden) + " x " + text(kHandBytes) + " B", spoken_size(message), message);
  rows.add("pass", "one pass", spoken_size(message) + " x " + text(layers) + " layers", "~" + spoken_size(pass), pass);
  if (question.steps_per_s) {
    const double rate = pass * *question.steps_per_s;
    rows.add("rate", "traffic", spoken_size(pass) + " x " + significant(*question.steps_per_s) + " tokens/s",
             bytes_per_s(rate), rate);
  } else {
    rows.add("rate", "traffic", spoken_size(pass) + " x tokens/s", "", 0);
  }
  rows.append_to(all);
}

void add_true_sum(const ModelShape& shape, const ArithmeticQuestion& question, std::vector<ArithmeticRow>& all) {
  Rows rows(ArithmeticPart::in_truth);
  const Bytes number = plain(shape.compute).bytes(1);
  const Bytes message = activation_message(shape, question.tokens);
  const Parallelism parallelism{question.tp, 1, 1};
  const std::int64_t count = layer_all_reduces(shape, parallelism);
  const std::int64_t a_layer = question.tp == 1 ? 0 : shape.parallel_block ? 1 : 2;
  const Bytes payload = message * count;
  const double n = question.tp;
  const double factor = 2 * (n - 1) / n;
  const double on_the_wire = static_cast<double>(payload.count()) * factor;

  rows.add("message", "message of one all-reduce",
           text(question.tokens) + (question.tokens == 1 ? " token x " : " tokens x ") + text(shape.hidden) + " x " +
               text(number.count()) + " B (" + std::string(catalog::name_of(shape.compute)) + ")",
           human(message), static_cast<double>(message.count()));
  rows.add("all_reduces", "all-reduces a pass", text(a_layer) + " x " + text(shape.layers) + " layers", text(count),
           static_cast<double>(count));
  rows.add("payload", "reduced a pass", human(message) + " x " + text(count), human(payload),
           static_cast<double>(payload.count()));
  rows.add("ring_factor", "ring factor", "2 (n - 1) / n, n = " + text(question.tp), significant(factor), factor);
  rows.add("sent", "sent by each GPU a pass", human(payload) + " x " + significant(factor),
           human(Bytes(static_cast<std::int64_t>(on_the_wire))), on_the_wire);
  if (question.steps_per_s) {
    const double rate = on_the_wire * *question.steps_per_s;
    rows.add(
        "rate", "sent by each GPU, one direction",
        human(Bytes(static_cast<std::int64_t>(on_the_wire))) + " x " + significant(*question.steps_per_s) + " passes/s",
        bytes_per_s(rate), rate);
  }
  if (question.all_reduce_latency) {
    const Duration wait = *question.all_reduce_latency * count;
    rows.add("wait", "waited for a pass",
             text(count) + " x " + human(*question.all_reduce_latency) + ", one after another", human(wait), wait.us());
    const double busy = wait.seconds() > 0 ? 1.0 / wait.seconds() : 0;
    if (busy > 0) {
      rows.add("most_passes", "passes/s if nothing else took time", "1 / " + human(wait), significant(busy, 3), busy);
    }
  }
  rows.append_to(all);
}

}  // namespace

std::vector<ArithmeticRow> tensor_parallel_arithmetic(const ModelShape& shape, const ArithmeticQuestion& question) {
  std::vector<ArithmeticRow> all;
  add_popular_sum(ArithmeticPart::as_quoted, kQuotedHidden, kQuotedLayers, question, all);
  add_popular_sum(ArithmeticPart::by_hand, shape.hidden, shape.layers, question, all);
  add_true_sum(shape, question, all);
  return all;
}

}  // namespace weft::llm
