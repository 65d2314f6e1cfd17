// Ranks as a power of two of places, for what doubles or halves at each step: the first `extra` places are pairs of
// ranks, of which the odd one takes part for both.
#pragma once

#include <bit>

namespace weft::collective {

struct Places {
  int power;
  int extra;
  explicit Places(int ranks)
      : power(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))), extra(ranks - power) {}
  // -1: the even one of a pair.
  [[nodiscard]] int place_of(int rank) const {
    if (rank >= 2 * extra) return rank - extra;
    return rank % 2 == 1 ? rank / 2 : -1;
  }
  [[nodiscard]] int rank_of(int place) const { return place < extra ? 2 * place + 1 : place + extra; }
  // The first rank of a place.
  [[nodiscard]] int begin(int place) const { return place < extra ? 2 * place : place + extra; }
};

}  // namespace weft::collective
