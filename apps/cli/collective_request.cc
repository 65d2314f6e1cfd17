#include "collective_request.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "cluster_argument.h"
#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/units/text.h"

namespace weft::cli {
namespace {

using collective::Operation;

constexpr std::size_t kMostRows = 10'000;

struct OtherName {
  std::string_view name;
  Operation operation;
};
constexpr auto kOtherNames = std::to_array<OtherName>({{"allreduce", Operation::all_reduce},
                                                       {"allgather", Operation::all_gather},
                                                       {"reducescatter", Operation::reduce_scatter},
                                                       {"alltoall", Operation::all_to_all},
                                                       {"sendrecv", Operation::send_recv},
                                                       {"bcast", Operation::broadcast}});

std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != '_' && c != '-') out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  }
  constexpr std::string_view kPerf = "perf";
  if (out.ends_with(kPerf)) out.resize(out.size() - kPerf.size());
  return out;
}

Result<std::int64_t> whole(std::string_view text, std::string_view of) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    return fail(usage_error("WEFT-CLI-0051", "--ranks: " + in_quotes(text) + " in " + in_quotes(of) + " is no rank")
                    .with_expected("8 (the first eight), 0-7, 0,8,16, 0-63/8 or names such as server0.gpu3"));
  }
  return value;
}

// "a", "a-b" or "a-b/stride" into ranks.
Result<std::vector<std::int64_t>> part_of(std::string_view part, std::string_view all) {
  const std::size_t dash = part.find('-');
  const std::size_t slash = part.find('/');
  Result<std::int64_t> first = whole(part.substr(0, std::min(dash, slash)), all);
  if (!first) return fail(std::move(first.error()));
  if (dash == std::string_view::npos && slash == std::string_view::npos) return std::vector<std::int64_t>{*first};
  Result<std::int64_t> last =
      dash == std::string_view::npos
          ? whole("", all)
          : whole(part.substr(dash + 1, slash == std::string_view::npos ? slash : slash - dash - 1), all);
  if (!last) return fail(std::move(last.error()));
  Result<std::int64_t> stride =
      slash == std::string_view::npos ? Result<std::int64_t>(1) : whole(part.substr(slash + 1), all);
  if (!stride) return fail(std::move(stride.error()));
  if (*stride < 1 || *last < *first || *last > 10'000'000) {
    return fail(usage_error("WEFT-CLI-0051", "--ranks: " + in_quotes(part) + " names no rank")
                    .with_expected("first-last, or first-last/stride with a stride of 1 or more"));
  }
  std::vector<std::int64_t> ranks;
  for (std::int64_t rank = *first; rank <= *last; rank += *stride) ranks.push_back(rank);
  return ranks;
}

Error no_such_rank(std::int64_t rank, std::size_t gpus) {
  return usage_error("WEFT-CLI-0052", "--ranks: there is no rank " + std::to_string(rank))
      .with_expected("0 to " + std::to_string(gpus - 1) + ": the cluster has " + std::to_string(gpus) + " GPUs");
}

Result<Bytes> size_argument(const Args& args, std::string_view name) {
  const std::string text = args.text(name);
  Result<Bytes> size = parse_message(text);
  if (!size || size->count() < 1) {
    return fail(usage_error("WEFT-CLI-0053", std::string(name) + " " + in_quotes(text) + " is no message size")
                    .with_expected("bytes as nccl-tests takes them: 8, 64K, 1M, 8G (binary)"));
  }
  return size;
}

}  // namespace

Result<Operation> parse_operation(std::string_view text) {
  const std::string asked = folded(text);
  for (int i = 0; i <= static_cast<int>(Operation::send_recv); ++i) {
    if (folded(collective::name_of(static_cast<Operation>(i))) == asked) return static_cast<Operation>(i);
  }
  for (const OtherName& other : kOtherNames) {
    if (other.name == asked) return other.operation;
  }
  std::vector<std::string> known;
  for (int i = 0; i <= static_cast<int>(Operation::send_recv); ++i)
    known.emplace_back(collective::name_of(static_cast<Operation>(i)));
  return fail(
      usage_error("WEFT-CLI-0050", in_quotes(text) + " is no collective operation")
          .with_expected(
              "all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce, gather, scatter or send_recv")
          .with_hint(did_you_mean(text, known)));
}

Result<SizeRange> size_range(const Args& args) {
  SizeRange range;
  for (const auto& [name, target] : {std::pair{"--begin", &range.from}, {"--end", &range.to}}) {
    Result<Bytes> size = size_argument(args, name);
    if (!size) return fail(std::move(size.error()));
    *target = *size;
  }
  if (args.given("--step")) {
    Result<Bytes> step = size_argument(args, "--step");
    if (!step) return fail(std::move(step.error()));
    range.step = *step;
  }
  range.factor = args.number("--factor");
  if (range.from > range.to) {
    return fail(
        usage_error("WEFT-CLI-0054", "--begin " + args.text("--begin") + " is more than --end " + args.text("--end")));
  }
  if (range.step.count() == 0 && !(range.factor > 1)) {
    return fail(usage_error("WEFT-CLI-0055", "--factor " + args.text("--factor") + " does not grow")
                    .with_expected("a number above 1, such as 2"));
  }
  const double rows =
      range.step.count() > 0
          ? static_cast<double>((range.to - range.from).count()) / static_cast<double>(range.step.count())
          : std::log(static_cast<double>(range.to.count()) / static_cast<double>(range.from.count())) /
                std::log(range.factor);
  if (rows > static_cast<double>(kMostRows)) {
    return fail(usage_error("WEFT-CLI-0056", "more than " + std::to_string(kMostRows) + " sizes")
                    .with_hint("a larger --factor or --step"));
  }
  return range;
}

std::vector<Bytes> sizes_of(const SizeRange& range) {
  std::vector<Bytes> sizes;
  for (Bytes size = range.from; size <= range.to;) {
    sizes.push_back(size);
    const Bytes next = range.step.count() > 0
                           ? size + range.step
                           : Bytes(static_cast<std::int64_t>(static_cast<double>(size.count()) * range.factor));
    size = next > size ? next : size + Bytes(1);
  }
  return sizes;
}

Result<std::vector<fabric::DeviceId>> parse_ranks(std::string_view text, const fabric::Fabric& fabric) {
  const std::span<const fabric::DeviceId> gpus = fabric.gpus();
  if (text.empty()) return std::vector<fabric::DeviceId>(gpus.begin(), gpus.end());
  std::vector<fabric::DeviceId> group;
  const auto add = [&](fabric::DeviceId gpu) -> Result<void> {
    if (std::find(group.begin(), group.end(), gpu) != group.end())
      return fail(usage_error("WEFT-CLI-0057", "--ranks names " + fabric.name(gpu) + " twice"));
    group.push_back(gpu);
    return {};
  };
  const bool count = text.find_first_of(",-/.") == std::string_view::npos && text.front() >= '0' && text.front() <= '9';
  if (count) {
    Result<std::int64_t> number = whole(text, text);
    if (!number) return fail(std::move(number.error()));
    if (*number < 1 || *number > static_cast<std::int64_t>(gpus.size()))
      return fail(no_such_rank(*number, gpus.size()));
    return std::vector<fabric::DeviceId>(gpus.begin(), gpus.begin() + *number);
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    begin = end + 1;
    if (part.find_first_not_of("0123456789-/") != std::string_view::npos) {
      Result<fabric::DeviceId> device = find_device(fabric, std::string(part));
      if (!device) return fail(std::move(device.error()));
      if (fabric.device(*device).kind != fabric::DeviceKind::gpu)
        return fail(usage_error("WEFT-CLI-0058", "--ranks: " + fabric.name(*device) + " is no GPU"));
      if (Result<void> done = add(*device); !done) return fail(std::move(done.error()));
      continue;
    }
    Result<std::vector<std::int64_t>> ranks = part_of(part, text);
    if (!ranks) return fail(std::move(ranks.error()));
    for (const std::int64_t rank : *ranks) {
      if (rank < 0 || rank >= static_cast<std::int64_t>(gpus.size())) return fail(no_such_rank(rank, gpus.size()));
      if (Result<void> done = add(gpus[static_cast<std::size_t>(rank)]); !done) return fail(std::move(done.error()));
    }
  }
  return group;
}

}  // namespace weft::cli
