// One collective as a program asks a library for it, and the library that it asks.
//
// Launch mode decides who waits for whom: a process (or thread) per GPU launches its kernel while the others launch
// theirs; one process that drives many GPUs launches them one after another, and a small collective then takes as long
// as that; a captured graph launches nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/collective/operation.h"
#include "weft/units/units.h"

namespace weft::collective {

enum class LaunchMode { unknown, process_per_gpu, thread_per_gpu, single_process, graph };
[[nodiscard]] std::string_view name_of(LaunchMode mode);  // "process_per_gpu"
[[nodiscard]] std::optional<LaunchMode> launch_mode_from(std::string_view text);

enum class LibraryFamily { nccl, rccl, mccl };
[[nodiscard]] std::string_view name_of(LibraryFamily family);

// "nccl-2.27.3", "rccl-2.22.3", "nccl-2.27", "nccl-unknown" (no version).
struct Library {
  LibraryFamily family = LibraryFamily::nccl;
  int major = 0;  // 0: not known
  int minor = 0;
  int patch = 0;
  [[nodiscard]] bool version_known() const { return major > 0; }
  auto operator<=>(const Library&) const = default;
};
[[nodiscard]] std::optional<Library> library_from(std::string_view text);
[[nodiscard]] std::string to_text(const Library& library);  // "nccl-2.27.3"; "nccl-unknown"
// When a user names none.
inline constexpr Library kDefaultLibrary{LibraryFamily::nccl, 2, 27, 0};

// What a library takes for a call (tuner.h); `believed_us` is what it thinks that takes.
struct Choice {
  Algorithm algorithm = Algorithm::ring;
  Protocol protocol = Protocol::simple;
  int channels = 0;
  int threads = 0;
  double believed_us = 0;
};

struct Call {
  Operation operation = Operation::all_reduce;
  Bytes bytes = {};                         // S as nccl-tests counts it (operation.h)
  std::optional<Algorithm> algorithm = {};  // forced, as by NCCL_ALGO
  std::optional<Protocol> protocol = {};    // forced, as by NCCL_PROTO
  LaunchMode launch = LaunchMode::unknown;
  int gpus_per_process = 0;           // of single_process; 0: all that the group has on a server
  std::optional<Choice> chosen = {};  // none: the fastest that is known
};

}  // namespace weft::collective
