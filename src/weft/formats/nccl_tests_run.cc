#include "weft/formats/nccl_tests_run.h"

#include <algorithm>

#include "weft/base/printable.h"
#include "weft/formats/fields.h"
#include "weft/formats/nccl_tests_operation.h"

namespace weft::formats {
namespace {

using collective::LaunchMode;
using collective::LibraryFamily;

constexpr std::size_t kMostDevices = 200'000;
constexpr std::size_t kMostKinds = 256;
constexpr std::size_t kLongestName = 100;

// Ranks of one host in a row; hosts in order of their first rank.
struct Hosts {
  std::vector<std::pair<std::string, int>> ranks;  // host, how many
  [[nodiscard]] bool even() const {
    return std::all_of(ranks.begin(), ranks.end(), [&](const auto& host) { return host.second == ranks[0].second; });
  }
};

Hosts hosts_of(const std::vector<const LogDevice*>& members) {
  Hosts hosts;
  std::map<std::string_view, std::size_t> index;
  for (const LogDevice* member : members) {
    const auto [at, fresh] = index.emplace(member->host, hosts.ranks.size());
    if (fresh) hosts.ranks.emplace_back(member->host, 0);
    ++hosts.ranks[at->second].second;
  }
  return hosts;
}

std::string counts_of(const Hosts& hosts) {
  std::vector<std::string> counts;
  for (const auto& host : hosts.ranks) counts.push_back(std::to_string(host.second));
  return listed(counts);
}

LibraryFamily family_of(std::string_view gpu) {
  const std::string name = lower(gpu);
  if (name.find("metax") != std::string::npos) return LibraryFamily::mccl;
  if (name.find("amd") != std::string::npos || name.find("radeon") != std::string::npos ||
      name.find("instinct") != std::string::npos)
    return LibraryFamily::rccl;
  return LibraryFamily::nccl;
}

}  // namespace

NcclTestsRun NcclTestsRun::next() const {
  NcclTestsRun run;
  run.parameters_ = parameters_;
  run.devices_ = devices_;
  run.known_ = known_;
  run.processes_ = processes_;
  run.own_devices_ = false;
  return run;
}

void NcclTestsRun::take_parameters(const LogParameters& parameters) {
  parameters_ = parameters;
  ++parameter_lines_;
}

void NcclTestsRun::take_device(LogDevice device) {
  if (!own_devices_) {
    devices_.clear();
    known_.clear();
    processes_ = 0;
    own_devices_ = true;
  }
  // Groups of a split count their ranks through; two processes that were not joined both begin with 0.
  if (device.rank == 0) ++processes_;
  if (devices_.size() >= kMostDevices || !known_.emplace(device.group, device.rank).second) return;
  device.gpu = printable(std::string_view(device.gpu).substr(0, kLongestName));
  devices_.push_back(std::move(device));
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

void NcclTestsRun::describe_group(MeasuredTable& table, RemarkList& remarks) const {
  if (devices_.empty()) return;
  if (!own_devices_) remarks.add("no devices printed: those of the run before");
  const int group = devices_.front().group;
  std::vector<const LogDevice*> members;
  std::set<int> groups;
  for (const LogDevice& device : devices_) {
    groups.insert(device.group);
    if (device.group == group) members.push_back(&device);
  }
  if (groups.size() > 1)
    remarks.add(std::to_string(groups.size()) + " groups of ranks ran at once: this is one of them");
  if (table.gpu.empty()) table.gpu = members.front()->gpu;
  if (std::any_of(members.begin(), members.end(), [&](const LogDevice* each) { return each->gpu != table.gpu; }))
    remarks.add("not all GPUs are " + in_quotes(table.gpu, 60));
  if (table.servers && table.gpus_per_server) return;
  if (groups.size() == 1) {
    const auto last = std::max_element(members.begin(), members.end(),
                                       [](const LogDevice* a, const LogDevice* b) { return a->rank < b->rank; });
    if (static_cast<std::size_t>((*last)->rank) + 1 != members.size()) {
      remarks.add("devices of " + std::to_string(members.size()) + " of " + std::to_string((*last)->rank + 1) +
                  " ranks are printed: the group is unknown");
      return;
    }
  }
  const Hosts hosts = hosts_of(members);
  const bool nameless = hosts.ranks.size() == 1 && hosts.ranks[0].first.empty();
  if (nameless) {
    std::set<int> devices;
    for (const LogDevice* member : members) devices.insert(member->device);
    if (devices.size() != members.size()) {
      remarks.add("no host names, and several ranks with the same device: the group is unknown");
      return;
    }
  }
  if (!hosts.even()) {
    remarks.add("the hosts have different numbers of GPUs: " + counts_of(hosts));
    return;
  }
  table.servers = static_cast<int>(hosts.ranks.size());
  table.gpus_per_server = hosts.ranks[0].second;
}

void NcclTestsRun::describe_launch(MeasuredTable& table) const {
  if (table.launch != LaunchMode::unknown) return;
  if (parameters_) {
    const LogParameters& p = *parameters_;
    table.launch = p.graph > 0     ? LaunchMode::graph
                   : p.gpus > 1    ? LaunchMode::single_process
                   : p.threads > 1 ? LaunchMode::thread_per_gpu
                                   : LaunchMode::process_per_gpu;
    table.gpus_per_process = p.gpus;
    return;
  }
  std::set<std::pair<std::string_view, std::int64_t>> processes;
  for (const LogDevice& device : devices_) processes.emplace(device.host, device.pid);
  if (devices_.size() > 1 && processes.size() == devices_.size()) table.launch = LaunchMode::process_per_gpu;
}

std::vector<MeasuredTable> NcclTestsRun::tables(const NcclFacts& facts, const MeasuredTable& header) const {
  std::vector<MeasuredTable> tables;
  for (const auto& [kind, book] : books_) {
    MeasuredTable table = header;
    RemarkList remarks;
    for (const std::string& remark : header.remarks) remarks.add(remark);
    table.raw_log = true;
    describe_group(table, remarks);
    describe_launch(table);
    if (processes_ > 1)
      remarks.add(std::to_string(processes_) +
                  " processes printed a rank 0: each ran by itself, as nccl-tests without MPI does");
    table.dtype = kind.dtype;
    const RowKind rows{kind.redop, kind.root, table.servers.value_or(0) * table.gpus_per_server.value_or(0)};
    const auto named = operation_of_test(test_);
    if (!table.operation && named && may_be(*named, book.rows, rows)) table.operation = named;
    if (!table.operation) {
      table.operation = operation_of_rows(book.rows, rows);
      const std::string why = test_.empty() ? "the test is not named"
                              : named       ? "the rows are not those of " + in_quotes(test_, 40)
                                            : in_quotes(test_, 40) + " is no collective known here";
      remarks.add(table.operation ? why + ": " + std::string(collective::name_of(*table.operation)) + " by its rows"
                                  : why);
    }
    if (table.operation) table.old_semantics = prints_old_algbw(*table.operation, book.rows, rows.ranks);
    if (table.old_semantics) remarks.add("algbw holds (n-1)/n already, as in early nccl-tests");
    (facts_ ? *facts_ : facts).apply(table, remarks);
    if (!table.library && !table.gpu.empty()) table.library = collective::Library{family_of(table.gpu), 0, 0, 0};
    if (table.library && !table.library->version_known() && !table.gpu.empty())
      table.library->family = family_of(table.gpu);
    if (!average_.empty()) table.notes.push_back("average bus bandwidth " + average_ + " as printed");
    if (book.wrong > 0 || (!out_of_bounds_.empty() && !out_of_bounds_.starts_with("0"))) {
      table.healthy = Health::no;
      table.healthy_note = book.wrong > 0 ? counted(book.wrong, "row") + " with wrong results"
                                          : "out of bounds values: " + out_of_bounds_;
    }
    if (book.interleaved) {
      RowBook sorted = book.rows;
      sorted.sort_by_size();
      remarks.add("rows of several processes or passes stand between each other: sorted by size");
      sorted.finish(table, remarks);
    } else {
      book.rows.finish(table, remarks);
    }
    table.remarks = remarks.texts();
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  // In the order of the file, not of the words.
  std::sort(tables.begin(), tables.end(),
            [](const MeasuredTable& a, const MeasuredTable& b) { return a.rows[0].line < b.rows[0].line; });
  return tables;
}

}  // namespace weft::formats
