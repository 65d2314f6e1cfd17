#include "weft/collective/call.h"

#include <array>
#include <charconv>

namespace weft::collective {
namespace {

constexpr std::array<std::string_view, 5> kLaunchModes = {"unknown", "process_per_gpu", "thread_per_gpu",
                                                          "single_process", "graph"};
constexpr std::array<std::string_view, 3> kFamilies = {"nccl", "rccl", "mccl"};
constexpr int kLargestPart = 9999;

// Takes "2." or "27" off the front; false when there is no number.
bool take_number(std::string_view& text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number > kLargestPart) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with('.')) text.remove_prefix(1);
  return true;
}

}  // namespace

std::string_view name_of(LaunchMode mode) { return kLaunchModes[static_cast<std::size_t>(mode)]; }
std::string_view name_of(LibraryFamily family) { return kFamilies[static_cast<std::size_t>(family)]; }

std::optional<LaunchMode> launch_mode_from(std::string_view text) {
  for (std::size_t i = 0; i < kLaunchModes.size(); ++i) {
    if (kLaunchModes[i] == text) return static_cast<LaunchMode>(i);
  }
  return std::nullopt;
}

std::optional<Library> library_from(std::string_view text) {
  for (std::size_t i = 0; i < kFamilies.size(); ++i) {
    const std::string_view family = kFamilies[i];
    if (!text.starts_with(family)) continue;
    Library library{static_cast<LibraryFamily>(i), 0, 0, 0};
    text.remove_prefix(family.size());
    if (text.empty() || text == "-unknown") return library;
    if (!text.starts_with('-')) return std::nullopt;
    text.remove_prefix(1);
    if (!take_number(text, library.major) || library.major == 0) return std::nullopt;
    if (!text.empty() && !take_number(text, library.minor)) return std::nullopt;
    if (!text.empty() && !take_number(text, library.patch)) return std::nullopt;
    if (!text.empty()) return std::nullopt;
    return library;
  }
  return std::nullopt;
}

std::string to_text(const Library& library) {
  const std::string family(name_of(library.family));
  if (!library.version_known()) return family + "-unknown";
  std::string text = family + "-" + std::to_string(library.major) + "." + std::to_string(library.minor);
  if (library.patch > 0) text += "." + std::to_string(library.patch);
  return text;
}

}  // namespace weft::collective
