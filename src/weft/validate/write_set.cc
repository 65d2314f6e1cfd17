#include "weft/validate/write_set.h"

#include <fmt/format.h>

#include <map>
#include <vector>

namespace weft::validate {
namespace {

constexpr std::size_t kOnALine = 3;

std::string number(double value) { return fmt::format("{:.4g}", value); }

// Basic TOML string: what a header may hold, escaped.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void list(std::string& out, std::string_view key, const std::vector<std::string>& items) {
  if (items.empty()) return;
  const bool lines = items.size() > kOnALine;
  out += fmt::format("{} = [", key);
  for (std::size_t i = 0; i < items.size(); ++i) {
    out += lines ? "\n  " + quoted(items[i]) + "," : (i > 0 ? ", " : "") + quoted(items[i]);
  }
  out += lines ? "\n]\n" : "]\n";
}

std::string header(const catalog::CalibrationSet& set) {
  std::string out = fmt::format("id = {}\n", quoted(set.id));
  if (!set.title.empty()) out += fmt::format("title = {}\n", quoted(set.title));
  out += fmt::format("basis = {}\n", quoted(set.basis));
  list(out, "fitted_on", set.fitted_on);
  if (!set.note.empty()) out += fmt::format("note = {}\n", quoted(set.note));
  list(out, "links", set.links);
  if (!set.library_before.empty()) out += fmt::format("library_before = {}\n", quoted(set.library_before));
  return out;
}

// "all_reduce.ll.share" -> table "all_reduce", inline table "ll", key "share"; what is deeper has tables of more parts.
struct Table {
  std::vector<std::pair<std::string, double>> plain;
  std::map<std::string, std::vector<std::pair<std::string, double>>> inline_tables;
};

std::map<std::string, Table> tables_of(const catalog::CalibrationSet& set) {
  std::map<std::string, Table> tables;
  for (const auto& [key, value] : set.values) {
    const std::size_t last = key.rfind('.');
    if (last == std::string::npos) {
      tables[""].plain.emplace_back(key, value);
      continue;
    }
    const std::string name = key.substr(last + 1);
    const std::size_t before = key.rfind('.', last - 1);
    if (before == std::string::npos) {
      tables[key.substr(0, last)].plain.emplace_back(name, value);
    } else {
      tables[key.substr(0, before)].inline_tables[key.substr(before + 1, last - before - 1)].emplace_back(name, value);
    }
  }
  return tables;
}

}  // namespace

std::string to_toml(const catalog::CalibrationSet& set, SetForm form) {
  std::string out = (form == SetForm::list ? "[[set]]\n" : "") + header(set);
  const std::string prefix = form == SetForm::list ? "set." : "";
  for (const auto& [name, table] : tables_of(set)) {
    if (!name.empty()) out += fmt::format("\n[{}{}]\n", prefix, name);
    for (const auto& [key, value] : table.plain) out += fmt::format("{} = {}\n", key, number(value));
    for (const auto& [key, numbers] : table.inline_tables) {
      out += key + " = { ";
      for (std::size_t i = 0; i < numbers.size(); ++i)
        out += (i > 0 ? ", " : "") + numbers[i].first + " = " + number(numbers[i].second);
      out += " }\n";
    }
  }
  return out;
}

}  // namespace weft::validate
