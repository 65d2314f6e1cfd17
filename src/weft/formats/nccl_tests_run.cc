#include "weft/formats/nccl_tests_run.h"

#include <algorithm>

#include "weft/base/printable.h"
#include "weft/formats/fields.h"
#include "weft/formats/nccl_tests_operation.h"

namespace weft::formats {
namespace {

using collective::LaunchMode;
using collective::LibraryFamily;

constexpr std::size_t kMostKinds = 256;

LibraryFamily family_of(std::string_view gpu) {
  const std::string name = lower(gpu);
  if (name.find("metax") != std::string::npos) return LibraryFamily::mccl;
  if (name.find("amd") != std::string::npos || name.find("radeon") != std::string::npos ||
      name.find("instinct") != std::string::npos)
    return LibraryFamily::rccl;
  return LibraryFamily::nccl;
}

}  // namespace

NcclTestsRun NcclTestsRun::next() {
  close_group();
  NcclTestsRun run;
  run.parameters_ = parameters_;
  run.group_ = group_;
  return run;
}

void NcclTestsRun::take_parameters(const LogParameters& parameters) { parameters_ = parameters; }

void NcclTestsRun::take_device(LogDevice device) {
  if (!devices_) devices_ = std::make_shared<LogDevices>();
  own_devices_ = true;
  devices_->take(std::move(device));
}

// Runs that follow share what was found, however many ranks there are.
void NcclTestsRun::close_group() {
  if (devices_) group_ = std::make_shared<const GroupOfLog>(devices_->group());
  devices_.reset();
}

void NcclTestsRun::take_columns(const LogColumns& columns, std::string_view test) {
  columns_ = columns;
  test_ = test;
}

bool NcclTestsRun::take_row(const LogRow& row, int line) {
  Kind kind{std::string(row.dtype), std::string(row.redop), row.root};
  auto at = books_.find(kind);
  if (at == books_.end()) {
    if (books_.size() >= kMostKinds) return false;
    at = books_.emplace(std::move(kind), Book{}).first;
  }
  Book& book = at->second;
  if (rows_ >= kMostRows) return false;
  ++rows_;
  if (!row.timed) {
    book.rows.drop_unreadable();
    return true;
  }
  if (!book.rows.empty() && row.size < book.rows.figures().back().size) book.interleaved = true;
  if (row.wrong) ++book.wrong;
  return book.rows.take({row.size, row.time_us, row.algbw, row.busbw, line});
}

void NcclTestsRun::take_out_of_bounds(std::string_view value) { out_of_bounds_ = printable(trim(value.substr(0, 60))); }

void NcclTestsRun::take_average(std::string_view value) { average_ = printable(trim(value.substr(0, 40))); }

void NcclTestsRun::end(const NcclFacts& facts) { facts_ = facts; }

void NcclTestsRun::describe(MeasuredTable& table, RemarkList& remarks) const {
  if (group_) {
    if (!own_devices_) remarks.add("no devices printed: those of the run before");
    for (const std::string& remark : group_->remarks) remarks.add(remark);
    if (table.gpu.empty()) table.gpu = group_->gpu;
    if (!table.servers) table.servers = group_->servers;
    if (!table.gpus_per_server) table.gpus_per_server = group_->gpus_per_server;
  }
  if (table.launch != LaunchMode::unknown) return;
  if (parameters_) {
    const LogParameters& p = *parameters_;
    table.launch = p.graph > 0     ? LaunchMode::graph
                   : p.gpus > 1    ? LaunchMode::single_process
                   : p.threads > 1 ? LaunchMode::thread_per_gpu
                                   : LaunchMode::process_per_gpu;
    table.gpus_per_process = p.gpus;
  } else if (group_ && group_->process_a_rank) {
    table.launch = LaunchMode::process_per_gpu;
  }
}

void NcclTestsRun::name_operation(MeasuredTable& table, const Kind& kind, const RowBook& rows,
                                  RemarkList& remarks) const {
  const std::int64_t ranks = std::int64_t{table.servers.value_or(0)} * table.gpus_per_server.value_or(0);
  const RowKind common{kind.redop, kind.root, static_cast<int>(std::min<std::int64_t>(ranks, 1'000'000'000))};
  const std::optional<collective::Operation> named = operation_of_test(test_);
  if (!table.operation && named && may_be(*named, rows, common)) table.operation = named;
  if (!table.operation) {
    table.operation = operation_of_rows(rows, common);
    const std::string why = test_.empty() ? "the test is not named"
                            : named       ? "the rows are not those of " + in_quotes(test_, 40)
                                          : in_quotes(test_, 40) + " is no collective known here";
    remarks.add(table.operation ? why + ": " + std::string(collective::name_of(*table.operation)) + " by its rows"
                                : why);
  }
  table.old_semantics = table.operation && prints_old_algbw(*table.operation, rows, common.ranks);
  if (table.old_semantics) remarks.add("algbw holds (n-1)/n already, as in early nccl-tests");
}

void NcclTestsRun::judge_results(MeasuredTable& table, const Book& book) const {
  if (!average_.empty()) table.notes.push_back("average bus bandwidth " + average_ + " as printed");
  if (book.wrong > 0) {
    table.healthy_note = counted(book.wrong, "row") + " with wrong results";
  } else if (!out_of_bounds_.empty() && !out_of_bounds_.starts_with("0")) {
    table.healthy_note = "out of bounds values: " + out_of_bounds_;
  } else {
    return;
  }
  table.healthy = Health::no;
}

MeasuredTable NcclTestsRun::table_of(const Kind& kind, const Book& book, const NcclFacts& facts,
                                     const MeasuredTable& header) const {
  MeasuredTable table = header;
  RemarkList remarks;
  for (const std::string& remark : header.remarks) remarks.add(remark);
  table.raw_log = true;
  table.dtype = kind.dtype;
  describe(table, remarks);
  name_operation(table, kind, book.rows, remarks);
  (facts_ ? *facts_ : facts).apply(table, remarks);
  if (!table.gpu.empty() && (!table.library || !table.library->version_known()))
    table.library = collective::Library{family_of(table.gpu), 0, 0, 0};
  judge_results(table, book);
  if (book.interleaved) {
    RowBook sorted = book.rows;
    sorted.sort_by_size();
    remarks.add("rows of several processes or passes stand between each other: sorted by size");
    sorted.finish(table, remarks);
  } else {
    book.rows.finish(table, remarks);
  }
  table.remarks = remarks.texts();
  return table;
}

std::vector<MeasuredTable> NcclTestsRun::tables(const NcclFacts& facts, const MeasuredTable& header) {
  close_group();
  std::vector<MeasuredTable> tables;
  for (const auto& [kind, book] : books_) {
    MeasuredTable table = table_of(kind, book, facts, header);
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  // In the order of the file, not of the words.
  std::sort(tables.begin(), tables.end(),
            [](const MeasuredTable& a, const MeasuredTable& b) { return a.rows[0].line < b.rows[0].line; });
  return tables;
}

}  // namespace weft::formats
