// A 32-bit index that cannot be mixed with another kind of index.
//
// `struct DeviceTag; using DeviceId = StrongId<DeviceTag>;` Ids are dense and start at 0; iteration order is id order
// everywhere, which is what makes results repeatable. A default-made id is none() and names nothing.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "weft/base/check.h"

namespace weft {

template <class Tag>
class StrongId {
 public:
  constexpr StrongId() = default;
  constexpr explicit StrongId(std::uint32_t value) : value_(value) {}
  constexpr explicit StrongId(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {
    WEFT_CHECK(value < kNone, "more things of one kind than a 32-bit index can tell apart");
  }

  static constexpr StrongId none() { return StrongId(); }
  [[nodiscard]] constexpr bool valid() const { return value_ != kNone; }
  [[nodiscard]] constexpr std::uint32_t value() const { return value_; }
  [[nodiscard]] constexpr std::size_t index() const { return value_; }

  friend constexpr auto operator<=>(StrongId, StrongId) = default;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t value_ = kNone;
};

}  // namespace weft

template <class Tag>
struct std::hash<weft::StrongId<Tag>> {
  std::size_t operator()(weft::StrongId<Tag> id) const noexcept { return id.value(); }
};
