#include "weft/formats/remarks.h"

#include <algorithm>

#include "weft/base/printable.h"
#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

constexpr std::size_t kMostRemarks = 200;  // a hostile file gives every device its own oddity
constexpr std::size_t kMostDevices = 8;

}  // namespace

RemarkList::Entry* RemarkList::entry(std::string text) {
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.text == text; });
  if (known != entries_.end()) return &*known;
  if (entries_.size() >= kMostRemarks) {
    ++left_out_;
    return nullptr;
  }
  entries_.push_back({std::move(text), {}, 0});
  return &entries_.back();
}

void RemarkList::add(std::string text) { entry(std::move(text)); }

void RemarkList::add(std::string text, std::string device) {
  Entry* e = entry(std::move(text));
  if (e == nullptr) return;
  if (std::find(e->devices.begin(), e->devices.end(), device) != e->devices.end()) return;
  if (e->devices.size() < kMostDevices) {
    e->devices.push_back(std::move(device));
  } else {
    ++e->more;
  }
}

std::vector<std::string> RemarkList::texts() const {
  std::vector<std::string> texts;
  for (const Entry& e : entries_) {
    std::string text = e.text;
    if (!e.devices.empty() && e.more > 0) {
      std::string devices;
      for (const std::string& device : e.devices) devices += device + ", ";
      text += " (" + devices.substr(0, devices.size() - 2) + " and " + std::to_string(e.more) + " more)";
    } else if (!e.devices.empty()) {
      text += " (" + listed(e.devices, kMostDevices) + ")";
    }
    texts.push_back(printable(text));
  }
  if (left_out_ > 0) texts.push_back("and " + std::to_string(left_out_) + " remarks more");
  return texts;
}

}  // namespace weft::formats
