#include "weft/llm/arithmetic.h"

#include <gtest/gtest.h>

#include "weft/llm/shipped_models.test.h"

namespace weft::llm {
namespace {

std::string printed(const std::vector<ArithmeticRow>& rows, ArithmeticPart part) {
  std::string text;
  for (const ArithmeticRow& row : rows) {
    if (row.part == part) text += row.label + ": " + row.formula + " = " + row.value + '\n';
  }
  return text;
}

double number_of(const std::vector<ArithmeticRow>& rows, ArithmeticPart part, std::string_view key) {
  for (const ArithmeticRow& row : rows) {
    if (row.part == part && row.key == key) return row.number;
  }
  ADD_FAILURE() << "no row " << key;
  return 0;
}

TEST(Arithmetic, TheSumThatIsOftenDone) {
  const auto rows = tensor_parallel_arithmetic(shipped("llama-3.1-70b"), {8, 1, 50.0, Duration::microseconds(10)});
  EXPECT_EQ(printed(rows, ArithmeticPart::as_quoted),
            "one layer: 8192 x 4 B = 32 KB\n"
            "one pass: 32 KB x 32 layers = ~1 MB\n"
            "traffic: 1 MB x 50 tokens/s = 52.43 MB/s\n");
  EXPECT_EQ(printed(rows, ArithmeticPart::by_hand),
            "one layer: 8192 x 4 B = 32 KB\n"
            "one pass: 32 KB x 80 layers = ~2.5 MB\n"
            "traffic: 2.5 MB x 50 tokens/s = 131.1 MB/s\n");
}

TEST(Arithmetic, TheTrueOneBeside) {
  const auto rows = tensor_parallel_arithmetic(shipped("llama-3.1-70b"), {8, 1, 50.0, Duration::microseconds(10)});
  EXPECT_EQ(printed(rows, ArithmeticPart::in_truth),
            "message of one all-reduce: 1 token x 8192 x 2 B (bf16) = 16 KiB\n"
            "all-reduces a pass: 2 x 80 layers = 160\n"
            "reduced a pass: 16 KiB x 160 = 2.5 MiB\n"
            "ring factor: 2 (n - 1) / n, n = 8 = 1.75\n"
            "sent by each GPU a pass: 2.5 MiB x 1.75 = 4.375 MiB\n"
            "sent by each GPU, one direction: 4.375 MiB x 50 passes/s = 229.4 MB/s\n"
            "waited for a pass: 160 x 10 us, one after another = 1.6 ms\n"
            "passes/s if nothing else took time: 1 / 1.6 ms = 625\n");
  EXPECT_DOUBLE_EQ(number_of(rows, ArithmeticPart::in_truth, "sent"), 160 * 16384 * 1.75);
  EXPECT_DOUBLE_EQ(number_of(rows, ArithmeticPart::in_truth, "wait"), 1600);
}

TEST(Arithmetic, WithoutRatesTheRowsThatNeedThemAreLeftOut) {
  const auto rows = tensor_parallel_arithmetic(shipped("llama-3.1-8b"), {2, 32, std::nullopt, std::nullopt});
  EXPECT_EQ(printed(rows, ArithmeticPart::as_quoted).substr(0, 30), "one layer: 8192 x 4 B = 32 KB\n");
  EXPECT_EQ(printed(rows, ArithmeticPart::in_truth),
            "message of one all-reduce: 32 tokens x 4096 x 2 B (bf16) = 256 KiB\n"
            "all-reduces a pass: 2 x 32 layers = 64\n"
            "reduced a pass: 256 KiB x 64 = 16 MiB\n"
            "ring factor: 2 (n - 1) / n, n = 2 = 1\n"
            "sent by each GPU a pass: 16 MiB x 1 = 16 MiB\n");
}

}  // namespace
}  // namespace weft::llm
