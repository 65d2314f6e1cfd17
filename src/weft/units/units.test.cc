#include "weft/units/units.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>

namespace weft {
namespace {

using detail::kMax;
using detail::Wide;

constexpr Bytes kGiB{std::int64_t{1} << 30};

TEST(Units, TimeToSendIsTheTextbookValue) {
  // 400 Gb/s is 50 GB/s: 1 MB takes 20 us, one byte 20 ps.
  EXPECT_EQ(Bytes(1'000'000) / Rate::gbit_per_s(400), Duration::microseconds(20));
  EXPECT_EQ(Bytes(1) / Rate::gbit_per_s(400), Duration::picoseconds(20));
  // NVLink 4 of one H100: 450 GB/s each way; 1 GiB in 2386.09 us.
  EXPECT_NEAR((kGiB / Rate::gbyte_per_s(450)).us(), 1073741824.0 / 450e3, 1e-6);
}

TEST(Units, TimeToSendRoundsUp) {
  EXPECT_EQ(Bytes(1) / Rate::bits_per_s(3), Duration(2'666'666'666'667));
  EXPECT_EQ(Bytes(3) / Rate::bits_per_s(24), Duration(1'000'000'000'000));
  EXPECT_EQ(Bytes(-1) / Rate::bits_per_s(3), Duration(-2'666'666'666'666));
  EXPECT_EQ(Bytes(-3) / Rate::bits_per_s(24), Duration(-1'000'000'000'000));
}

TEST(Units, ARateOfZeroNeverFinishes) {
  EXPECT_EQ((Bytes(1) / Rate(0)).count(), kMax);
  EXPECT_EQ((Bytes(1) / Rate(-5)).count(), kMax);
  EXPECT_EQ(PsPerByte(Rate(0)).time(Bytes(1)).count(), kMax);
  EXPECT_EQ(PsPerByte().time(Bytes(1)).count(), kMax);
  EXPECT_EQ(mean_rate(Bytes(1), Duration(0)), Rate(0));
}

TEST(Units, SaturatesInsteadOfWrapping) {
  EXPECT_EQ((Bytes(kMax) + Bytes(1)).count(), kMax);
  EXPECT_EQ((Bytes(-kMax) - Bytes(kMax)).count(), -kMax);
  EXPECT_EQ((Rate(kMax / 2) * 3).count(), kMax);
  EXPECT_EQ((Bytes(kMax) / Rate(1)).count(), kMax);
  EXPECT_EQ(Rate::gbyte_per_s(kMax).count(), kMax);
  EXPECT_EQ(Bytes(std::numeric_limits<std::uint64_t>::max()).count(), kMax);
  EXPECT_EQ(Bytes(std::numeric_limits<std::int64_t>::min()).count(), -kMax);
  EXPECT_EQ((Instant(Duration(kMax)) + Duration(1)).since_start().count(), kMax);
}

TEST(Units, FromFloatingPointRoundsAndSaturates) {
  EXPECT_EQ(Duration::from_us(2.5), Duration(2'500'000));
  EXPECT_EQ(Duration::from_us(0.0000006), Duration(1));
  EXPECT_EQ(Duration::from_us(1e300).count(), kMax);
  EXPECT_EQ(Duration::from_us(-1e300).count(), -kMax);
  EXPECT_EQ(Duration::from_us(std::numeric_limits<double>::quiet_NaN()).count(), kMax);
  EXPECT_EQ(Rate::from_gbyte_per_s(31.5), Rate(252'000'000'000));
  EXPECT_EQ(Rate::gbyte_per_s(450).scaled(0.8), Rate::gbyte_per_s(360));
}

TEST(Units, ArithmeticOfOneKind) {
  Bytes sum(1);
  sum += Bytes(5);
  sum -= Bytes(2);
  EXPECT_EQ(sum, Bytes(4));
  EXPECT_EQ(3 * Rate::gbit_per_s(100), Rate::gbit_per_s(300));
  EXPECT_EQ(Rate::gbit_per_s(100) / 3, Rate(33'333'333'333));
  EXPECT_DOUBLE_EQ(Bytes(3) / Bytes(4), 0.75);
  EXPECT_LT(Duration(1), Duration(2));
  Instant now;
  now += Duration(7);
  EXPECT_EQ(now + Duration(3) - now, Duration(3));
  EXPECT_LT(Instant(), now);
}

TEST(UnitsDeathTest, DividingByZeroIsABugOfOurs) {
  const std::int64_t zero = std::int64_t{0};
  EXPECT_DEATH(static_cast<void>(Bytes(1) / zero), "a quantity divided by zero");
}

TEST(Units, MeanRateIsTheInverse) {
  EXPECT_EQ(mean_rate(Bytes(1'000'000), Duration::microseconds(20)), Rate::gbit_per_s(400));
}

rc::Gen<std::int64_t> counts(std::int64_t below) {
  // Every order of magnitude is as likely as every other: bugs of range sit at the ends.
  return rc::gen::map(rc::gen::pair(rc::gen::arbitrary<std::uint64_t>(), rc::gen::inRange(0, 63)),
                      [below](std::pair<std::uint64_t, int> draw) {
                        return static_cast<std::int64_t>(draw.first >> (1 + draw.second)) % below;
                      });
}

RC_GTEST_PROP(UnitsProperty, TimeToSendIsTheLeastWholePicosecondThatIsNotEarly, ()) {
  const Bytes bytes(*counts(std::int64_t{1} << 50));
  const Rate rate(1 + *counts(std::int64_t{1} << 50));
  const Wide work = static_cast<Wide>(bytes.count()) * 8'000'000'000'000;
  const Wide time = (bytes / rate).count();
  RC_PRE(time < kMax);
  RC_ASSERT(time * rate.count() >= work);
  RC_ASSERT((time - 1) * rate.count() < work);
}

RC_GTEST_PROP(UnitsProperty, PsPerByteIsNeverEarlierAndWithinItsBound, ()) {
  const Bytes bytes(*counts(std::int64_t{1} << 50));
  const Rate rate(*counts(std::int64_t{1} << 50));
  const Duration exact = bytes / rate;
  const Duration fast = PsPerByte(rate).time(bytes);
  RC_ASSERT(fast >= exact);
  if (rate.count() < 3'726) {
    RC_ASSERT(fast.count() == kMax);
  } else if (fast.count() < kMax) {
    RC_ASSERT((fast - exact).count() <= 1 + (bytes.count() >> 32) + 1);
  }
}

RC_GTEST_PROP(UnitsProperty, MeanRateOfASendIsNeverAboveTheLink, ()) {
  const Bytes bytes(1 + *counts(std::int64_t{1} << 50));
  const Rate rate(1 + *counts(std::int64_t{1} << 50));
  const Duration time = bytes / rate;
  RC_PRE(time.count() < kMax);
  RC_ASSERT(mean_rate(bytes, time) <= rate);
}

RC_GTEST_PROP(UnitsProperty, SumsAgreeWithWideArithmeticOrSaturate, (std::int64_t a, std::int64_t b)) {
  const auto clamp = [](Wide value) { return value > kMax ? kMax : value < -kMax ? -kMax : value; };
  const Wide left = clamp(a);
  const Wide right = clamp(b);
  RC_ASSERT((Duration(a) + Duration(b)).count() == clamp(left + right));
  RC_ASSERT((Duration(a) - Duration(b)).count() == clamp(left - right));
  RC_ASSERT((Duration(a) * b).count() == clamp(left * b));
}

}  // namespace
}  // namespace weft
