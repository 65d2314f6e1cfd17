// "fat-tree:k=16,rate=400Gb/s,latency=1us" -> ClusterSpec.
#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>

#include "weft/base/source_text.h"
#include "weft/base/suggest.h"
#include "weft/fabric/cluster.h"
#include "weft/units/text.h"

namespace weft::fabric {
namespace {

struct Shape {
  std::string_view name;
  NetworkKind kind;
  std::string_view keys;  // the shape's own, beside rate, latency, server, switch and link
};

constexpr std::array<Shape, 5> kShapes = {{
    {"fat-tree", NetworkKind::fat_tree, "k hosts"},
    {"leaf-spine", NetworkKind::leaf_spine, "hosts radix oversubscription tiers servers_per_leaf"},
    {"rail", NetworkKind::rail, "hosts radix oversubscription tiers servers_per_leaf"},
    {"dragonfly", NetworkKind::dragonfly, "a p h g hosts"},
    {"torus", NetworkKind::torus, "dims hosts"},
}};
constexpr std::string_view kCommonKeys = "rate latency server switch link";

const Shape* shape_named(std::string_view name) {
  for (const Shape& shape : kShapes) {
    if (shape.name == name) return &shape;
  }
  return nullptr;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

Result<int> whole_number(std::string_view key, std::string_view text, int least, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
    return fail(input_error("WEFT-FAB-0041", std::string(key) + " = \"" + std::string(text) + "\"")
                    .with_expected("a whole number from " + std::to_string(least) + " to " + std::to_string(most)));
  }
  return value;
}

struct Draft {
  ClusterSpec spec;
  int hosts = 0;
};

Result<void> set_whole(std::string_view key, const std::string& text, int least, int most, int& target) {
  Result<int> value = whole_number(key, text, least, most);
  if (!value) return fail(std::move(value.error()));
  target = *value;
  return {};
}

Result<void> set_dimensions(const std::string& text, std::vector<int>& dimensions) {
  for (const std::string& part : split(text, 'x')) {
    Result<int> size = whole_number("dims", part, 1, 4096);
    if (!size) return fail(std::move(size.error()));
    dimensions.push_back(*size);
  }
  if (dimensions.size() > 6)
    return fail(
        input_error("WEFT-FAB-0041", "dims = \"" + text + "\"").with_expected("at most 6 dimensions, such as 4x4x4"));
  return {};
}

Result<void> set_oversubscription(const std::string& text, double& target) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), target);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return fail(
        input_error("WEFT-FAB-0041", "oversubscription = \"" + text + "\"").with_expected("a number such as 2"));
  }
  return {};
}

Result<void> set_key(Draft& draft, const std::string& key, const std::string& text) {
  NetworkSpec& network = draft.spec.network;
  if (key == "rate") {
    Result<Rate> rate = parse_rate(text);
    if (!rate) return fail(std::move(rate.error()));
    network.rate = *rate;
    return {};
  }
  if (key == "latency") {
    Result<Duration> latency = parse_duration(text);
    if (!latency) return fail(std::move(latency.error()));
    network.latency = *latency;
    network.latency_given = true;
    return {};
  }
  if (key == "server") draft.spec.groups.front().server = text;
  if (key == "switch") network.switch_part = text;
  if (key == "link") network.link = text;
  if (key == "k") return set_whole(key, text, 2, 128, network.k);
  if (key == "hosts") return set_whole(key, text, 1, 1'000'000, draft.hosts);
  if (key == "radix") return set_whole(key, text, 2, 4096, network.radix);
  if (key == "tiers") return set_whole(key, text, 1, 3, network.tiers);
  if (key == "servers_per_leaf") return set_whole(key, text, 1, 4096, network.servers_per_leaf);
  if (key == "a") return set_whole(key, text, 1, 512, network.routers_per_group);
  if (key == "p") return set_whole(key, text, 1, 512, network.hosts_per_router);
  if (key == "h") return set_whole(key, text, 1, 512, network.global_links);
  if (key == "g") return set_whole(key, text, 1, 65'536, network.groups);
  if (key == "dims") return set_dimensions(text, network.dimensions);
  if (key == "oversubscription") return set_oversubscription(text, network.oversubscription);
  return {};
}

// How many hosts the shape holds when none were asked for, and what it cannot do without.
Result<std::int64_t> natural_hosts(const Draft& draft) {
  const NetworkSpec& network = draft.spec.network;
  const auto missing = [](const char* key) {
    return fail(input_error("WEFT-FAB-0042", std::string("the short form lacks ") + key));
  };
  switch (network.kind) {
    case NetworkKind::fat_tree:
      if (network.k == 0) return missing("k");
      if (network.k % 2 != 0)
        return fail(input_error("WEFT-FAB-0041", "k = " + std::to_string(network.k)).with_expected("an even number"));
      return std::int64_t{network.k} * network.k * network.k / 4;
    case NetworkKind::dragonfly: {
      if (network.routers_per_group == 0 || network.hosts_per_router == 0 || network.global_links == 0)
        return missing("a, p or h");
      const std::int64_t groups =
          network.groups > 0 ? network.groups : std::int64_t{network.routers_per_group} * network.global_links + 1;
      return groups * network.routers_per_group * network.hosts_per_router;
    }
    case NetworkKind::torus: {
      if (network.dimensions.empty()) return missing("dims");
      std::int64_t nodes = 1;
      for (const int size : network.dimensions) nodes = std::min<std::int64_t>(nodes * size, 2'000'000);
      return nodes;
    }
    default:
      if (draft.hosts == 0) return missing("hosts");
      return draft.hosts;
  }
}

}  // namespace

bool is_short_form(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && shape_named(text.substr(0, colon)) != nullptr;
}

Result<ClusterSpec> parse_short_form(std::string_view text) {
  const SourceText source{"--cluster", std::string(text)};
  const std::size_t colon = text.find(':');
  const Shape* shape = shape_named(text.substr(0, colon));
  if (colon == std::string_view::npos || shape == nullptr) {
    return fail(input_error("WEFT-FAB-0040", "\"" + std::string(text) + "\" is not a short form")
                    .with_expected("fat-tree:, leaf-spine:, rail:, dragonfly: or torus: and key=value pairs"));
  }
  Draft draft;
  draft.spec.name = text;
  draft.spec.network_given = true;
  draft.spec.network.kind = shape->kind;
  draft.spec.groups.push_back({});
  draft.spec.groups.front().server = "host";
  std::vector<std::string> known = split(shape->keys, ' ');
  for (std::string& key : split(kCommonKeys, ' ')) known.push_back(std::move(key));

  std::size_t at = colon + 1;
  for (const std::string& pair : split(text.substr(at), ',')) {
    const std::size_t equals = pair.find('=');
    const std::string key = pair.substr(0, equals);
    if (equals == std::string::npos || std::find(known.begin(), known.end(), key) == known.end()) {
      return fail(
          input_error("WEFT-FAB-0043", "\"" + key + "\" is not a key of " + std::string(shape->name))
              .with_expected("key=value with one of: " + std::string(shape->keys) + " " + std::string(kCommonKeys))
              .with_hint(did_you_mean(key, known))
              .at(source.position(at)));
    }
    if (Result<void> done = set_key(draft, key, pair.substr(equals + 1)); !done) {
      return fail(std::move(done.error()).at(source.position(at + equals + 1)));
    }
    at += pair.size() + 1;
  }
  Result<std::int64_t> hosts = natural_hosts(draft);
  if (!hosts) return fail(std::move(hosts.error()).at(source.position(0)));
  const std::int64_t wanted = draft.hosts > 0 ? draft.hosts : *hosts;
  if (wanted > 1'000'000 || wanted > *hosts) {
    return fail(input_error("WEFT-FAB-0044", std::to_string(wanted) + " hosts")
                    .with_expected("at most " + std::to_string(std::min<std::int64_t>(*hosts, 1'000'000)))
                    .at(source.position(0)));
  }
  draft.spec.groups.front().count = static_cast<int>(wanted);
  if (draft.spec.groups.front().server == "host" && draft.spec.network.rate.count() == 0 &&
      draft.spec.network.link.empty()) {
    return fail(input_error("WEFT-FAB-0042", "the short form lacks rate or link")
                    .with_expected("rate=400Gb/s or link=ib-ndr")
                    .at(source.position(0)));
  }
  return std::move(draft.spec);
}

}  // namespace weft::fabric
