#include "weft/formats/config_keys.h"

#include <algorithm>
#include <utility>

#include "weft/base/printable.h"
#include "weft/base/suggest.h"

namespace weft::formats {
namespace {

constexpr std::size_t kLongestKey = 64;
constexpr std::size_t kMostKeysCompared = 2000;  // a config has a few hundred
constexpr std::size_t kLongestList = 10'000;

// "numHiddenLayers" and "num_hidden_layers" are the same slip away from each other.
std::string plain(std::string_view key) {
  std::string out;
  for (const char c : key.substr(0, kLongestKey)) {
    if (c == '_' || c == '-') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::string range(std::int64_t least, std::int64_t most) {
  return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace

ConfigKeys::ConfigKeys(const SourceText& source, const JsonValue& root, const JsonValue& part)
    : source_(source), root_(root), part_(part) {}

const JsonValue* ConfigKeys::find_in(const JsonValue* object, Names names) {
  if (object == nullptr) return nullptr;
  for (const std::string_view name : names) {
    const JsonValue* value = object->find(name);
    if (value == nullptr) continue;
    if (object->count(name) > 1) {
      fault(input_error("WEFT-FMT-0408", in_quotes(name) + " stands more than once, and only one can hold")
                .with_expected("one " + std::string(name))
                .at(place(value)));
    }
    if (value->type != JsonType::null) return value;
  }
  return nullptr;
}

const JsonValue* ConfigKeys::find(Names names) {
  for (const std::string_view name : names) asked_.emplace(name);
  return find_in(&part_, names);
}

const JsonValue* ConfigKeys::find_anywhere(Names names) {
  const JsonValue* value = find(names);
  return value != nullptr || &part_ == &root_ ? value : find_in(&root_, names);
}

std::int64_t ConfigKeys::whole_of(const JsonValue* value, std::int64_t otherwise, std::int64_t least,
                                  std::int64_t most) {
  if (value == nullptr) return otherwise;
  if (value->is_whole && value->whole >= least && value->whole <= most) return value->whole;
  fault(input_error("WEFT-FMT-0407", in_quotes(value->key) + " is " + shown(*value))
            .with_expected(range(least, most))
            .at(place(value)));
  return otherwise;
}

std::int64_t ConfigKeys::whole(Names names, std::int64_t otherwise, std::int64_t least, std::int64_t most) {
  return whole_of(find(names), otherwise, least, most);
}

std::int64_t ConfigKeys::needed(Names names, std::string_view what, std::int64_t least, std::int64_t most) {
  const JsonValue* value = find(names);
  if (value == nullptr && !missing_) missing_ = Missing{{names.begin(), names.end()}, std::string(what)};
  return whole_of(value, least, least, most);
}

bool ConfigKeys::flag_of(const JsonValue* value, bool otherwise) {
  if (value == nullptr) return otherwise;
  if (value->type == JsonType::boolean) return value->boolean;
  fault(input_error("WEFT-FMT-0407", in_quotes(value->key) + " is " + shown(*value))
            .with_expected("true or false")
            .at(place(value)));
  return otherwise;
}

bool ConfigKeys::flag(Names names, bool otherwise) { return flag_of(find(names), otherwise); }

std::string ConfigKeys::text(Names names) {
  const JsonValue* value = find(names);
  return value != nullptr && value->type == JsonType::text ? value->text : "";
}

std::vector<std::int64_t> ConfigKeys::whole_list(Names names, std::int64_t most) {
  std::vector<std::int64_t> numbers;
  const JsonValue* list = find(names);
  if (list == nullptr) return numbers;
  const bool sound = list->type == JsonType::list && list->children.size() <= kLongestList &&
                     std::ranges::all_of(list->children, [&](const JsonValue& item) {
                       return item.is_whole && item.whole >= 0 && item.whole <= most;
                     });
  if (!sound) {
    fault(input_error("WEFT-FMT-0407", in_quotes(list->key) + " is not a list of layer numbers")
              .with_expected("a list of whole numbers from 0 to " + std::to_string(most))
              .at(place(list)));
    return numbers;
  }
  for (const JsonValue& item : list->children) numbers.push_back(item.whole);
  return numbers;
}

void ConfigKeys::fault(Error error) {
  if (!error_) error_ = std::move(error);
}

SourcePosition ConfigKeys::place(const JsonValue* value) const {
  if (value != nullptr) return source_.position(value->offset);
  if (&part_ != &root_) return source_.position(part_.offset);
  return source_.position(source_.text.find('{'));
}

std::optional<Error> ConfigKeys::error() const {
  const bool twice = error_ && error_->id == "WEFT-FMT-0408";
  if (missing_ && !twice) return missing_error();  // whatever else is wrong may follow from the default in its place
  return error_;
}

// As it stands in the text, so that NaN is called NaN.
std::string ConfigKeys::shown(const JsonValue& value) const {
  if (value.type == JsonType::list || value.type == JsonType::object || value.type == JsonType::boolean) {
    return std::string(name_of(value.type));
  }
  const std::string_view text = source_.text;
  std::size_t begin = text.find(':', value.offset + value.key.size());
  if (begin == std::string_view::npos) return std::string(name_of(value.type));
  begin = std::min(text.find_first_not_of(" \t\r\n", begin + 1), text.size());
  const std::size_t end = std::min(text.find_first_of(",}\n\r", begin), text.size());
  constexpr std::size_t kLongest = 40;
  const std::string_view token = text.substr(begin, end - begin);
  return printable(token.substr(0, whole_characters(token, kLongest))) + (token.size() > kLongest ? "…" : "");
}

const JsonValue* ConfigKeys::nearest_unasked(const std::vector<std::string>& names, int most_distance) const {
  const JsonValue* best = nullptr;
  int least = most_distance + 1;
  std::size_t compared = 0;
  for (const JsonValue& member : part_.children) {
    if (++compared > kMostKeysCompared) break;
    if (member.key.size() > kLongestKey || asked_.contains(member.key)) continue;
    for (const std::string& name : names) {
      const std::string wanted = plain(name);
      // One slip in a short word makes another word (n_head, n_group), so short names must be nearly right.
      const int allowed = std::min(most_distance, static_cast<int>(wanted.size()) / 5);
      const int distance = edit_distance(plain(member.key), wanted);
      if (distance > allowed || distance >= least) continue;
      least = distance;
      best = &member;
    }
  }
  return best;
}

Error ConfigKeys::missing_error() const {
  const std::vector<std::string>& names = missing_->names;
  Error error = input_error("WEFT-FMT-0406", missing_->what + " is not given: no " + names.front());
  error.expected = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) error.expected += (i == 1 ? " (or " : ", ") + names[i];
  if (names.size() > 1) error.expected += ")";
  const JsonValue* slip = nearest_unasked(names, 3);
  error.where = place(slip);
  if (slip == nullptr) return error;
  error.hint = in_quotes(slip->key) + " stands here: did you mean " + nearest(slip->key, names) + "?";
  return error;
}

std::vector<std::string> ConfigKeys::likely_slips() const {
  std::vector<std::string> slips;
  std::size_t compared = 0;
  for (const JsonValue& member : part_.children) {
    if (++compared > kMostKeysCompared) break;
    if (member.key.size() > kLongestKey || asked_.contains(member.key)) continue;
    for (const std::string& name : asked_) {
      const bool like_it =
          name.size() >= 8 && name.size() <= member.key.size() + 1 && name.size() + 1 >= member.key.size();
      if (!like_it || edit_distance(member.key, name) != 1 || part_.find(name) != nullptr) continue;
      slips.push_back(in_quotes(member.key) + " is not a key weft knows and was ignored; if " + name +
                      " is meant, mend it");
      break;
    }
  }
  return slips;
}

}  // namespace weft::formats
