#include "weft/base/suggest.h"

#include <algorithm>
#include <vector>

namespace weft {
namespace {

constexpr std::size_t kLongestWord = 64;  // longer input is not a mistyped name

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool contains(const std::string& whole, const std::string& part) {
  return part.size() >= 3 && whole.find(part) != std::string::npos;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> two_back(width);
  std::vector<int> back(width);
  std::vector<int> row(width);
  for (std::size_t j = 0; j < width; ++j) back[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const int replace = back[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, back[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_back[j - 2] + 1);
    }
    std::swap(two_back, back);
    std::swap(back, row);
  }
  return back[b.size()];
}

std::string nearest(std::string_view typed, std::span<const std::string> candidates) {
  if (typed.empty() || typed.size() > kLongestWord) return "";
  const std::string word = lower(typed);
  // Less than the whole word: a suggestion shares at least a letter with what was typed.
  const int length = static_cast<int>(word.size());
  const int limit = std::min(std::clamp(length / 3, 1, 4), length - 1);
  int best = limit + 1;
  std::string answer;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const std::string other = lower(candidate);
    int distance = edit_distance(word, other);
    if (distance > limit && (contains(other, word) || contains(word, other))) distance = limit;
    if (distance < best) {
      best = distance;
      answer = candidate;
    }
  }
  return answer;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> candidates) {
  const std::string word = nearest(typed, candidates);
  return word.empty() ? "" : "did you mean " + word + "?";
}

}  // namespace weft
