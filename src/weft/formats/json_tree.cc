#include "weft/formats/json_tree.h"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "weft/base/printable.h"

namespace weft::formats {
namespace {

constexpr std::size_t kLargestText = std::size_t{16} << 20;
constexpr std::size_t kDeepest = 64;
constexpr std::size_t kMostValues = std::size_t{1} << 18;

// Hands characters to the parser and counts them: at the event of a key, the count stands right behind its last quote.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* consumed) : at_(at), consumed_(consumed) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*consumed_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  std::size_t* consumed_;
};

// The member names are the parser's.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(const SourceText& source, std::string_view parsed, const std::size_t& consumed)
      : source_(source), parsed_(parsed), consumed_(consumed) {}

  bool null() override { return add(JsonType::null) != nullptr; }
  bool boolean(bool value) override {
    JsonValue* added = add(JsonType::boolean);
    if (added != nullptr) added->boolean = value;
    return added != nullptr;
  }
  bool number_integer(number_integer_t value) override { return add_number(static_cast<double>(value), value); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kMost = static_cast<number_unsigned_t>(INT64_MAX);
    return value <= kMost ? add_number(static_cast<double>(value), static_cast<std::int64_t>(value))
                          : add_number(static_cast<double>(value), std::nullopt);
  }
  bool number_float(number_float_t value, const string_t& /*digits*/) override {
    constexpr double kExact = 9007199254740992.0;  // 2^53: 4096.0 is a whole number, 1e300 is not one of ours
    const bool whole = std::fabs(value) <= kExact && std::floor(value) == value;
    return add_number(value, whole ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt);
  }
  bool string(string_t& value) override {
    JsonValue* added = add(JsonType::text);
    if (added != nullptr) added->text = std::move(value);
    return added != nullptr;
  }
  bool binary(binary_t& /*value*/) override { return false; }  // JSON text has none

  bool start_object(std::size_t /*elements*/) override { return open(JsonType::object); }
  bool start_array(std::size_t /*elements*/) override { return open(JsonType::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    key_ = std::move(value);
    key_offset_ = offset_of_text_before(consumed_);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& broken) override {
    std::string why = broken.what();  // "[json.exception…] parse error at line 1, column 2: syntax error while …"
    if (const std::size_t colon = why.find(": "); colon != std::string::npos) why = why.substr(colon + 2);
    if (const std::size_t dash = why.find(" - "); dash != std::string::npos) why = why.substr(dash + 3);
    constexpr std::size_t kLongestWhy = 160;
    why = printable(why.substr(0, whole_characters(why, kLongestWhy))) + (why.size() > kLongestWhy ? "…" : "");
    error_ = input_error("WEFT-FMT-0403", "not JSON: " + why).at(source_.position(position == 0 ? 0 : position - 1));
    return false;
  }

  Result<JsonValue> take() {
    if (error_) return fail(std::move(*error_));
    return std::move(root_);
  }

 private:
  bool add_number(double number, std::optional<std::int64_t> whole) {
    JsonValue* added = add(JsonType::number);
    if (added == nullptr) return false;
    added->number = number;
    added->is_whole = whole.has_value();
    added->whole = whole.value_or(0);
    return true;
  }

  // Null pointer when a limit is reached, with error_ set.
  JsonValue* add(JsonType type) {
    if (++values_ > kMostValues) {
      limit_reached("more than " + std::to_string(kMostValues) + " values");
      return nullptr;
    }
    JsonValue* value = &root_;
    if (!open_.empty()) {
      JsonValue& parent = *open_.back();
      value = &parent.children.emplace_back();
      const bool member = parent.type == JsonType::object;
      if (member) value->key = std::move(key_);
      value->offset = member ? key_offset_ : parent.offset;
    }
    value->type = type;
    return value;
  }

  // Only the last child of the last open value ever grows, so pointers to open values stay good.
  bool open(JsonType type) {
    if (open_.size() >= kDeepest) {
      limit_reached("nested deeper than " + std::to_string(kDeepest) + " levels");
      return false;
    }
    JsonValue* added = add(type);
    if (added == nullptr) return false;
    open_.push_back(added);
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  void limit_reached(std::string what) {
    error_ = input_error("WEFT-FMT-0404", std::move(what)).at(source_.position(consumed_ == 0 ? 0 : consumed_ - 1));
  }

  // The opening quote of the text that ends right before `end`: the nearest quote with no backslash before it, for a
  // quote inside a text always has one.
  [[nodiscard]] std::size_t offset_of_text_before(std::size_t end) const {
    std::size_t at = end >= 2 ? end - 2 : 0;
    while (at > 0 && (parsed_[at] != '"' || parsed_[at - 1] == '\\')) --at;
    return at;
  }

  const SourceText& source_;
  std::string_view parsed_;
  const std::size_t& consumed_;
  JsonValue root_;
  std::vector<JsonValue*> open_;
  std::string key_;
  std::size_t key_offset_ = 0;
  std::size_t values_ = 0;
  std::optional<Error> error_;
};

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Python's non-numbers outside of texts become an empty text padded to the same length, so that places stay right.
std::string without_non_numbers(std::string text) {
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_text && text[i] == '\\') {
      ++i;
      continue;
    }
    if (text[i] == '"') in_text = !in_text;
    if (in_text || (text[i] != 'N' && text[i] != 'I' && text[i] != '-')) continue;
    for (const std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
      const std::size_t end = i + word.size();
      if (text.compare(i, word.size(), word) != 0 || (end < text.size() && is_word_char(text[end]))) continue;
      if (i > 0 && is_word_char(text[i - 1])) continue;
      text.replace(i, word.size(), "\"\"" + std::string(word.size() - 2, ' '));
      i = end - 1;
      break;
    }
  }
  return text;
}

}  // namespace

std::string_view name_of(JsonType type) {
  switch (type) {
    case JsonType::null:
      return "null";
    case JsonType::boolean:
      return "true or false";
    case JsonType::number:
      return "a number";
    case JsonType::text:
      return "a text";
    case JsonType::list:
      return "a list";
    case JsonType::object:
      return "an object";
  }
  return "?";
}

const JsonValue* JsonValue::find(std::string_view wanted) const {
  if (type != JsonType::object) return nullptr;
  for (const JsonValue& child : children) {
    if (child.key == wanted) return &child;
  }
  return nullptr;
}

int JsonValue::count(std::string_view wanted) const {
  int found = 0;
  if (type != JsonType::object) return found;
  for (const JsonValue& child : children) found += child.key == wanted ? 1 : 0;
  return found;
}

Result<JsonValue> read_json(const SourceText& source) {
  if (source.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return fail(input_error("WEFT-FMT-0401", "the file is empty").at(source.position(0)));
  }
  if (source.text.size() > kLargestText) {
    return fail(input_error("WEFT-FMT-0402", "larger than 16 MiB, which no config.json is").at(source.position(0)));
  }
  const std::string parsed = without_non_numbers(source.text);
  std::size_t consumed = 0;
  TreeBuilder builder(source, parsed, consumed);
  const CountingIterator begin(parsed.data(), &consumed);
  const CountingIterator end(parsed.data() + parsed.size(), &consumed);
  nlohmann::json::sax_parse(begin, end, &builder);
  return builder.take();
}

}  // namespace weft::formats
