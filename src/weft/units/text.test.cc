#include "weft/units/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace weft {
namespace {

template <class T>
std::string error_text(const Result<T>& result) {
  return result ? "no error" : result.error().to_string();
}

TEST(UnitText, Rates) {
  EXPECT_EQ(parse_rate("400Gb/s"), Rate::gbit_per_s(400));
  EXPECT_EQ(parse_rate(" 25 GB/s\t"), Rate::gbyte_per_s(25));
  EXPECT_EQ(parse_rate("100Gbps"), Rate::gbit_per_s(100));
  EXPECT_EQ(parse_rate("1GiB/s"), Rate(8LL << 30));
  EXPECT_EQ(parse_rate("0.1b/s"), Rate(0));
  EXPECT_EQ(parse_rate("31.508GB/s"), Rate(252'064'000'000));
  EXPECT_EQ(parse_rate("450 GB/s per direction"), Rate::gbyte_per_s(450));
  EXPECT_EQ(parse_rate("450GB/s/dir"), Rate::gbyte_per_s(450));
  EXPECT_EQ(parse_rate("0000000000000000000000000000007b/s"), Rate(7));
}

TEST(UnitText, BidirIsHalvedAndRemembered) {
  for (const char* text : {"900GB/s bidir", "900 GB/s bidirectional", "900GB/sbidir"}) {
    const Result<ParsedRate> parsed = parse_rate_text(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(parsed->rate, Rate::gbyte_per_s(450)) << text;
    EXPECT_TRUE(parsed->was_bidir) << text;
    EXPECT_EQ(human_both(parsed->rate), "450 GB/s per direction, 900 GB/s bidir");
  }
  EXPECT_FALSE(parse_rate_text("450GB/s")->was_bidir);
}

TEST(UnitText, SizesAreDecimalOrBinaryAsWritten) {
  EXPECT_EQ(parse_bytes("64KiB"), Bytes(65536));
  EXPECT_EQ(parse_bytes("64kB"), Bytes(64000));
  EXPECT_EQ(parse_bytes("1.5 GB"), Bytes(1'500'000'000));
  EXPECT_EQ(parse_bytes(".5KiB"), Bytes(512));
  EXPECT_EQ(parse_bytes("9223372036854775807B"), Bytes(std::numeric_limits<std::int64_t>::max()));
}

TEST(UnitText, MessageSizesAreThoseOfNcclTests) {
  EXPECT_EQ(parse_message("8"), Bytes(8));
  EXPECT_EQ(parse_message("64K"), Bytes(65536));
  EXPECT_EQ(parse_message("1M"), Bytes(1 << 20));
  EXPECT_EQ(parse_message("8G"), Bytes(8LL << 30));
  EXPECT_EQ(parse_message("1MiB"), Bytes(1 << 20));
  EXPECT_EQ(human(*parse_message("128M")), "128 MiB");
}

TEST(UnitText, DurationsDownToThePicosecond) {
  EXPECT_EQ(parse_duration("5us"), Duration::microseconds(5));
  EXPECT_EQ(parse_duration("5µs"), Duration::microseconds(5));
  EXPECT_EQ(parse_duration("5\xce\xbcs"), Duration::microseconds(5));
  EXPECT_EQ(parse_duration("1.5 ms"), Duration::microseconds(1500));
  EXPECT_EQ(parse_duration("20ps"), Duration(20));
  EXPECT_EQ(parse_duration("2s"), Duration(2'000'000'000'000));
}

TEST(UnitText, NumbersAreRoundedOnceToTheNearest) {
  EXPECT_EQ(parse_duration("0.4ps"), Duration(0));
  EXPECT_EQ(parse_duration("0.5ps"), Duration(1));
  EXPECT_EQ(parse_duration("0.0000000000004999999999999s"), Duration(0));
  // 0.1 has no exact double; 0.1 Tb/s has an exact count.
  EXPECT_EQ(parse_rate("0.1Tb/s"), Rate(100'000'000'000));
  EXPECT_EQ(parse_rate("0.123456789012345678901234567890123456789Gb/s"), Rate(123'456'789));
}

TEST(UnitTextErrors, ANumberWithoutItsUnit) {
  EXPECT_EQ(error_text(parse_rate("400")),
            "error WEFT-UNIT-0003: \"400\": a rate without a unit\n"
            "  expected: a rate such as 400Gb/s or 25GB/s\n"
            "  hint: did you mean 400Gb/s?\n");
  EXPECT_EQ(error_text(parse_rate("900 bidir")),
            "error WEFT-UNIT-0003: \"900 bidir\": a rate without a unit\n"
            "  expected: a rate such as 400Gb/s or 25GB/s\n"
            "  hint: did you mean 900Gb/s bidir?\n");
  EXPECT_EQ(error_text(parse_bytes("4096")),
            "error WEFT-UNIT-0003: \"4096\": a size without a unit\n"
            "  expected: a size such as 64KiB or 80GB\n"
            "  hint: did you mean 4096B?\n");
  EXPECT_EQ(error_text(parse_duration("5")),
            "error WEFT-UNIT-0003: \"5\": a time without a unit\n"
            "  expected: a time such as 5us, 1.5ms or 900ns\n"
            "  hint: did you mean 5us?\n");
}

TEST(UnitTextErrors, AUnitInTheWrongCase) {
  EXPECT_EQ(error_text(parse_rate("400gb/s")),
            "error WEFT-UNIT-0002: \"400gb/s\": \"gb/s\" is not a unit of rate\n"
            "  expected: a rate such as 400Gb/s or 25GB/s\n"
            "  hint: did you mean Gb/s or GB/s? (b is bit, B is byte)\n");
  EXPECT_EQ(error_text(parse_bytes("64KB")),
            "error WEFT-UNIT-0002: \"64KB\": \"KB\" is not a unit of size\n"
            "  expected: a size such as 64KiB or 80GB\n"
            "  hint: did you mean kB or KiB? (k, M, G are decimal, Ki, Mi, Gi binary)\n");
  EXPECT_EQ(error_text(parse_duration("5US")),
            "error WEFT-UNIT-0002: \"5US\": \"US\" is not a unit of time\n"
            "  expected: a time such as 5us, 1.5ms or 900ns\n"
            "  hint: did you mean us?\n");
}

TEST(UnitTextErrors, AnUnknownUnit) {
  EXPECT_EQ(error_text(parse_rate("32GT/s")),
            "error WEFT-UNIT-0002: \"32GT/s\": \"GT/s\" is not a unit of rate\n"
            "  expected: a rate such as 400Gb/s or 25GB/s\n"
            "  hint: GT/s counts transfers per lane; give the rate of the link, or a link by name (pcie5-x16)\n");
  EXPECT_EQ(error_text(parse_rate("400G")),
            "error WEFT-UNIT-0002: \"400G\": \"G\" is not a unit of rate\n"
            "  expected: a rate such as 400Gb/s or 25GB/s\n"
            "  hint: did you mean Gb/s or GB/s? (b is bit, B is byte)\n");
  EXPECT_EQ(error_text(parse_bytes("64M")),
            "error WEFT-UNIT-0002: \"64M\": \"M\" is not a unit of size\n"
            "  expected: a size such as 64KiB or 80GB\n"
            "  hint: did you mean MiB or MB? (k, M, G are decimal, Ki, Mi, Gi binary)\n");
  EXPECT_EQ(error_text(parse_rate("400 parsecs")),
            "error WEFT-UNIT-0002: \"400 parsecs\": \"parsecs\" is not a unit of rate\n"
            "  expected: a rate such as 400Gb/s or 25GB/s\n");
  EXPECT_EQ(error_text(parse_message("8X")),
            "error WEFT-UNIT-0002: \"8X\": \"X\" is not a unit of message size\n"
            "  expected: a message size such as 8, 64K, 1M or 8G (binary, as in nccl-tests)\n");
}

TEST(UnitTextErrors, NotANumber) {
  for (const char* text : {"", " ", ".", "GB/s", "-5GB/s", "+5GB/s", "fast", "bidir", "\xff"}) {
    const Result<Rate> rate = parse_rate(text);
    ASSERT_FALSE(rate) << text;
    EXPECT_EQ(rate.error().id, "WEFT-UNIT-0001") << text;
  }
  EXPECT_EQ(error_text(parse_rate("")),
            "error WEFT-UNIT-0001: \"\" is not a rate\n"
            "  expected: a rate such as 400Gb/s or 25GB/s\n");
}

TEST(UnitTextErrors, NoExponentNoSecondPointNoComma) {
  for (const char* text : {"1e9B", "1.2.3B", "1,5B", "0x10B", "1 000B"}) {
    const Result<Bytes> bytes = parse_bytes(text);
    ASSERT_FALSE(bytes) << text;
    EXPECT_EQ(bytes.error().id, "WEFT-UNIT-0002") << text;
  }
}

TEST(UnitTextErrors, TooLarge) {
  EXPECT_EQ(error_text(parse_rate("99999999999Gb/s")),
            "error WEFT-UNIT-0004: \"99999999999Gb/s\" is too large for a rate\n"
            "  expected: a rate such as 400Gb/s or 25GB/s\n");
  EXPECT_EQ(parse_bytes("9223372036854775808B").error().id, "WEFT-UNIT-0004");
  EXPECT_EQ(parse_bytes("9223372036854775807.5B").error().id, "WEFT-UNIT-0004");
  EXPECT_EQ(parse_rate(std::string(1'000'000, '9') + "b/s").error().id, "WEFT-UNIT-0004");
}

TEST(UnitTextErrors, HostileTextIsShortAndPrintableInTheMessage) {
  const std::string text = "4\x1b[31m\n" + std::string(100'000, 'x');
  const std::string message = error_text(parse_rate(text));
  EXPECT_LT(message.size(), 400U);
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
}

TEST(UnitText, Human) {
  EXPECT_EQ(human_bits(Rate::gbit_per_s(400)), "400 Gb/s");
  EXPECT_EQ(human_bytes(Rate::from_gbyte_per_s(370.84)), "370.8 GB/s");
  EXPECT_EQ(human_bits(Rate(999'990'000)), "1 Gb/s");
  EXPECT_EQ(human_bits(Rate(0)), "0 b/s");
  EXPECT_EQ(human(Bytes(1)), "1 B");
  EXPECT_EQ(human(Bytes(1536)), "1.5 KiB");
  EXPECT_EQ(human(Duration(2'500'000)), "2.5 us");
  EXPECT_EQ(human(Duration(-2'500'000)), "-2.5 us");
}

TEST(UnitText, ExactPicksTheShortestUnit) {
  EXPECT_EQ(exact(Rate::gbit_per_s(400)), "400Gb/s");
  EXPECT_EQ(exact(Bytes(65536)), "64KiB");
  EXPECT_EQ(exact(Bytes(80'000'000'000)), "80GB");
  EXPECT_EQ(exact(Bytes(1023)), "1023B");
  EXPECT_EQ(exact(Duration(1500)), "1.5ns");
  EXPECT_EQ(exact(Duration(-1500)), "-1.5ns");
  EXPECT_EQ(exact(Bytes(0)), "0B");
  EXPECT_EQ(exact(Rate(0)), "0b/s");
  EXPECT_EQ(exact(Duration(0)), "0s");
}

TEST(UnitText, Significant) {
  EXPECT_EQ(significant(370.84), "370.8");
  EXPECT_EQ(significant(0.6), "0.6");
  EXPECT_EQ(significant(12345.6), "12346");
  EXPECT_EQ(significant(0.000123456), "0.0001235");
  EXPECT_EQ(significant(9.99996), "10");
  EXPECT_EQ(significant(-2.5), "-2.5");
  EXPECT_EQ(significant(1e300).size(), 301U);
  EXPECT_EQ(significant(5e-324).substr(0, 4), "0.00");
  EXPECT_EQ(significant(std::nan("")), "nan");
  EXPECT_EQ(significant(HUGE_VAL), "inf");
  EXPECT_EQ(significant(-HUGE_VAL), "-inf");
}

rc::Gen<std::int64_t> counts() {
  return rc::gen::map(rc::gen::pair(rc::gen::arbitrary<std::uint64_t>(), rc::gen::inRange(1, 64)),
                      [](std::pair<std::uint64_t, int> draw) {
                        return static_cast<std::int64_t>(draw.first >> static_cast<unsigned>(draw.second));
                      });
}

// Round figures, which print in the large units, are as likely as crooked ones.
rc::Gen<std::int64_t> round_counts() {
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange(0, 100'000), rc::gen::inRange(0, 14), rc::gen::inRange(0, 30)),
                      [](std::tuple<int, int, int> draw) {
                        std::int64_t count = std::get<0>(draw);
                        for (int i = 0; i < std::get<1>(draw) && count < detail::kMax / 10; ++i) count *= 10;
                        for (int i = 0; i < std::get<2>(draw) && count < detail::kMax / 2; ++i) count *= 2;
                        return count;
                      });
}

rc::Gen<std::int64_t> any_count() { return rc::gen::oneOf(counts(), round_counts()); }

RC_GTEST_PROP(UnitTextProperty, RateReadsBack, ()) {
  const Rate rate(*any_count());
  RC_ASSERT(parse_rate(exact(rate)) == rate);
}

RC_GTEST_PROP(UnitTextProperty, BytesReadBack, ()) {
  const Bytes bytes(*any_count());
  RC_ASSERT(parse_bytes(exact(bytes)) == bytes);
}

RC_GTEST_PROP(UnitTextProperty, DurationReadsBack, ()) {
  const Duration duration(*any_count());
  RC_ASSERT(parse_duration(exact(duration)) == duration);
}

RC_GTEST_PROP(UnitTextProperty, BidirIsHalfOfTheSameText, ()) {
  const Rate rate(*any_count());
  RC_ASSERT(parse_rate(exact(rate) + " bidir") == Rate(rate.count() / 2));
  RC_ASSERT(parse_rate(exact(rate) + "/dir") == rate);
}

RC_GTEST_PROP(UnitTextProperty, HumanIsWithinItsFourDigits, ()) {
  const Bytes bytes(1 + *any_count());
  const Result<Bytes> read = parse_bytes(human(bytes));
  if (read) {
    RC_ASSERT(std::fabs(*read / bytes - 1) <= 0.0005 || bytes.count() < 10'000);
  } else {
    RC_ASSERT(read.error().id == "WEFT-UNIT-0004");  // 8388608 TiB is one more than there are
  }
}

RC_GTEST_PROP(UnitTextProperty, AnyTextIsAValueOrAnError, (std::string text)) {
  for (const std::string& tried : {text, "12" + text, "1.5" + text + "bidir"}) {
    const Result<Rate> rate = parse_rate(tried);
    RC_ASSERT((rate ? rate->count() >= 0 : !rate.error().id.empty()));
    const Result<Bytes> bytes = parse_message(tried);
    RC_ASSERT((bytes ? bytes->count() >= 0 : !bytes.error().id.empty()));
  }
}

TEST(UnitText, ManyThreadsReadAndWriteAtOnce) {
  constexpr int kThreads = 4;
  std::array<int, kThreads> wrong{};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([t, &wrong] {
        for (int i = 1; i < 500; ++i) {
          const Rate rate(static_cast<std::int64_t>(t + 1) * i * 1'000'003);
          if (parse_rate(exact(rate)) != rate || parse_rate(std::to_string(i))) ++wrong[static_cast<std::size_t>(t)];
        }
      });
    }
  }
  EXPECT_EQ(wrong, (std::array<int, kThreads>{}));
}

}  // namespace
}  // namespace weft
