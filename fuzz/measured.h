// What holds for every measured table that a reader gives, whatever the text.
#pragma once

#include <cmath>
#include <string>

#include "weft/base/check.h"
#include "weft/base/printable.h"
#include "weft/formats/measured_table.h"

namespace weft {

inline void shown(const std::string& text) { WEFT_CHECK(printable(text) == text, "what is kept can be shown"); }

inline void measured_holds(const formats::MeasuredTable& table, std::size_t size) {
  WEFT_CHECK(!table.rows.empty(), "a table has rows");
  WEFT_CHECK(table.rows.size() <= size, "a row takes a byte at least");
  for (const formats::MeasuredRow& row : table.rows) {
    WEFT_CHECK(row.size.count() > 0, "a message has bytes");
    WEFT_CHECK(std::isfinite(row.time_us) && row.time_us > 0, "a time is one");
    WEFT_CHECK(row.line > 0, "a row stands on a line");
  }
  for (const std::string& remark : table.remarks) {
    WEFT_CHECK(!remark.empty() && remark.size() < 1000, "a remark is short");
    shown(remark);
  }
  for (const std::string& note : table.notes) shown(note);
  for (const std::string* text : {&table.source, &table.date, &table.server, &table.gpu, &table.fabric, &table.kernel,
                                  &table.interconnect, &table.dtype, &table.healthy_note, &table.cause, &table.env})
    shown(*text);
  WEFT_CHECK(table.servers.value_or(1) > 0 && table.gpus_per_server.value_or(1) > 0, "a count counts something");
  WEFT_CHECK(table.nics_per_server.value_or(0) >= 0, "a count is none below nothing");
  WEFT_CHECK(!table.nic_gbps || (std::isfinite(*table.nic_gbps) && *table.nic_gbps > 0), "a rate is one");
}

inline void measured_error_holds(const Error& error, const char* ids) {
  WEFT_CHECK(error.id.starts_with(ids), "an error has its id");
  WEFT_CHECK(!error.expected.empty() && !error.hint.empty(), "an error says what would have been right, and what next");
  WEFT_CHECK(error.to_string().size() < 2000, "an error is short");
  shown(error.message);
}

}  // namespace weft
