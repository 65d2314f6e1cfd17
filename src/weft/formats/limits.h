// How much a reader takes from a file that nobody vouches for. A file beyond these is refused with a message that
// names the limit; within them memory stays a small multiple of the file.
#pragma once

#include <cstddef>

namespace weft::formats {

inline constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;  // the largest real dump seen is below 1 MB
inline constexpr int kMaxDepth = 64;                                 // PCIe allows about 10 levels of bridges
inline constexpr std::size_t kMaxElements = 200'000;                 // an NVL72 rack needs about 1,700
inline constexpr std::size_t kMaxAttributes = 64;                    // of one element; NCCL itself keeps 16

}  // namespace weft::formats
