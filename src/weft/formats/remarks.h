// What a reader tells beside its result: each thing once, with the devices that it holds for.
#pragma once

#include <string>
#include <vector>

namespace weft::formats {

class RemarkList {
 public:
  void add(std::string text);                      // once, however often it is said
  void add(std::string text, std::string device);  // "text (a, b and 6 more)"
  [[nodiscard]] std::vector<std::string> texts() const;
  [[nodiscard]] bool empty() const { return entries_.empty(); }

 private:
  struct Entry {
    std::string text;
    std::vector<std::string> devices;
    std::size_t more = 0;  // devices beyond those kept
  };
  Entry* entry(std::string text);
  std::vector<Entry> entries_;
  std::size_t left_out_ = 0;
};

struct Remarks {
  RemarkList assumed;  // not in the file, chosen
  RemarkList notes;    // left out, repaired, odd
};

}  // namespace weft::formats
