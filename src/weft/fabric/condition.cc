#include "weft/fabric/condition.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "weft/base/suggest.h"
#include "weft/units/text.h"

namespace weft::fabric {
namespace {

enum class ValueForm { none, count, fraction, rate };

struct KindForm {
  ConditionKind kind;
  std::string_view name;
  ValueForm value;
};

constexpr std::array<KindForm, 12> kForms = {{
    {ConditionKind::down, "down", ValueForm::none},
    {ConditionKind::width, "width", ValueForm::count},
    {ConditionKind::links, "links", ValueForm::count},
    {ConditionKind::rate, "rate", ValueForm::rate},
    {ConditionKind::loss, "loss", ValueForm::fraction},
    {ConditionKind::no_p2p, "no-p2p", ValueForm::none},
    {ConditionKind::no_gdr, "no-gdr", ValueForm::none},
    {ConditionKind::acs_redirect, "acs-redirect", ValueForm::none},
    {ConditionKind::ecn_off, "ecn-off", ValueForm::none},
    {ConditionKind::wrong_class, "wrong-class", ValueForm::none},
    {ConditionKind::pause, "pause", ValueForm::none},
    {ConditionKind::slow_receiver, "slow-receiver", ValueForm::none},
}};

bool holds(const Condition& condition, Instant at) { return condition.from <= at && at < condition.to; }

bool touches_link(const Condition& condition, const Fabric& fabric, const Link& link) {
  const Target& target = condition.target;
  switch (target.scope) {
    case Target::Scope::fabric:
      return true;
    case Target::Scope::server: {
      const std::uint32_t from = fabric.device(link.from).server;
      return from == target.server || fabric.device(link.to).server == target.server;
    }
    case Target::Scope::device:
      return link.from == target.device || link.to == target.device;
    case Target::Scope::cable:
      return link.cable == target.cable;
  }
  return false;
}

// "pcie5-x16" -> 16; 0 when the technology does not say.
int lanes_of(std::string_view technology) {
  const std::size_t x = technology.rfind("-x");
  int lanes = 0;
  if (x == std::string_view::npos) return 0;
  std::from_chars(technology.data() + x + 2, technology.data() + technology.size(), lanes);
  return lanes;
}

// A rate given for a device means its way out: a NIC's or switch's network port, another device's every link.
bool rate_applies(const Condition& condition, const Fabric& fabric, LinkId id) {
  if (condition.target.scope != Target::Scope::device) return true;
  const DeviceKind kind = fabric.device(condition.target.device).kind;
  const bool network = catalog::is_network(fabric.technology(id).link_class);
  return kind == DeviceKind::nic || is_network_switch(kind) ? network : true;
}

void scale(LinkState& state, double factor) {
  state.line = state.line.scaled(factor);
  state.goodput = state.goodput.scaled(factor);
}

int gpu_fabric_links(const Fabric& fabric, DeviceId gpu) {
  int total = 0;
  for (const LinkId id : fabric.links_from(gpu)) {
    if (catalog::is_gpu_fabric(fabric.technology(id).link_class)) total += fabric.link(id).count;
  }
  return total;
}

void apply(const Condition& condition, const Fabric& fabric, LinkId id, LinkState& state) {
  const Technology& technology = fabric.technology(id);
  switch (condition.kind) {
    case ConditionKind::down:
      state.up = false;
      return;
    case ConditionKind::width:
      if (const int lanes = lanes_of(technology.id); technology.link_class == LinkClass::pcie && lanes > 0) {
        scale(state, std::min(1.0, condition.value / lanes));
      }
      return;
    case ConditionKind::links:
      if (catalog::is_gpu_fabric(technology.link_class) && condition.target.scope == Target::Scope::device) {
        const int total = gpu_fabric_links(fabric, condition.target.device);
        if (total > 0) scale(state, std::min(1.0, condition.value / total));
      }
      return;
    case ConditionKind::rate:
      if (rate_applies(condition, fabric, id) && state.line > condition.rate) {
        scale(state, condition.rate / state.line);
      }
      return;
    default:
      return;  // not a matter of a link's rate
  }
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    at = end;
  }
  return words;
}

std::optional<Target> cable_target(const Fabric& fabric, std::string_view text) {
  for (std::size_t dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-', dash + 1)) {
    const DeviceId a = fabric.find(text.substr(0, dash));
    const DeviceId b = fabric.find(text.substr(dash + 1));
    if (!a.valid() || !b.valid()) continue;
    const LinkId link = fabric.link_between(a, b);
    if (!link.valid()) continue;
    Target target;
    target.scope = Target::Scope::cable;
    target.cable = fabric.link(link).cable;
    return target;
  }
  return std::nullopt;
}

std::optional<Target> parse_target(const Fabric& fabric, std::string_view text) {
  Target target;
  if (text == "fabric" || text == "all") return target;
  if (text.starts_with("server") && text.find('.') == std::string_view::npos) {
    const std::string_view digits = text.substr(6);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), target.server);
    if (error == std::errc{} && end == digits.data() + digits.size() && target.server < fabric.servers().size()) {
      target.scope = Target::Scope::server;
      return target;
    }
  }
  target.device = fabric.find(text);
  if (target.device.valid()) {
    target.scope = Target::Scope::device;
    return target;
  }
  return cable_target(fabric, text);
}

Error unknown_target(const Fabric& fabric, std::string_view text) {
  return input_error("WEFT-FAB-0002", "\"" + std::string(text) + "\" names no device, server or cable of this fabric")
      .with_expected("server0.nic3, server1, leaf0-spine1 or fabric")
      .with_hint("the fabric has " + std::to_string(fabric.servers().size()) +
                 " servers; weft topo show lists its devices");
}

Result<void> parse_value(const KindForm& form, std::string_view text, Condition& condition) {
  if (form.value == ValueForm::rate) {
    Result<Rate> rate = parse_rate(text);
    if (!rate) return fail(std::move(rate.error()));
    condition.rate = *rate;
    return {};
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), condition.value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  const double most = form.value == ValueForm::fraction ? 1.0 : 1024.0;
  if (!whole || !(condition.value >= 0) || condition.value > most) {
    return fail(
        input_error("WEFT-FAB-0003", "\"" + std::string(text) + "\" is not a value for " + std::string(form.name))
            .with_expected(form.value == ValueForm::fraction ? "a fraction from 0 to 1"
                                                             : "a number of lanes or links"));
  }
  return {};
}

Result<void> parse_span(std::span<const std::string_view> words, Condition& condition) {
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    Result<Duration> time = parse_duration(words[i + 1]);
    if (!time) return fail(std::move(time.error()));
    if (words[i] == "from") {
      condition.from = Instant(*time);
    } else if (words[i] == "to") {
      condition.to = Instant(*time);
    } else {
      return fail(input_error("WEFT-FAB-0004", "\"" + std::string(words[i]) + "\" after a condition")
                      .with_expected("from TIME or to TIME"));
    }
  }
  if (words.size() % 2 != 0) {
    return fail(input_error("WEFT-FAB-0004", "\"" + std::string(words.back()) + "\" after a condition")
                    .with_expected("from TIME or to TIME"));
  }
  return {};
}

}  // namespace

std::string_view name_of(ConditionKind kind) { return kForms[static_cast<std::size_t>(kind)].name; }

LinkState Conditions::state(const Fabric& fabric, LinkId link, Instant at) const {
  LinkState state{true, fabric.line_rate(link), fabric.goodput(link)};
  for (const Condition& condition : list_) {
    if (holds(condition, at) && touches_link(condition, fabric, fabric.link(link)))
      apply(condition, fabric, link, state);
  }
  if (!state.up || state.line.count() == 0) state = LinkState{false, Rate(0), Rate(0)};
  return state;
}

bool Conditions::holds_for_server(ConditionKind kind, const Fabric& fabric, std::uint32_t server, Instant at) const {
  return std::any_of(list_.begin(), list_.end(), [&](const Condition& condition) {
    if (condition.kind != kind || !holds(condition, at)) return false;
    const Target& target = condition.target;
    if (target.scope == Target::Scope::fabric) return true;
    if (target.scope == Target::Scope::server) return target.server == server;
    return target.scope == Target::Scope::device && fabric.device(target.device).server == server;
  });
}

bool Conditions::peer_to_peer(const Fabric& fabric, std::uint32_t server, Instant at) const {
  return fabric.servers()[server].peer_to_peer && !holds_for_server(ConditionKind::no_p2p, fabric, server, at);
}
bool Conditions::gpudirect_rdma(const Fabric& fabric, std::uint32_t server, Instant at) const {
  return fabric.servers()[server].gpudirect_rdma && !holds_for_server(ConditionKind::no_gdr, fabric, server, at);
}
bool Conditions::acs_redirect(const Fabric& fabric, std::uint32_t server, Instant at) const {
  return holds_for_server(ConditionKind::acs_redirect, fabric, server, at);
}

Result<Condition> parse_condition(const Fabric& fabric, std::string_view text) {
  std::vector<std::string_view> words = words_of(text);
  if (!words.empty() && words.front() == "link") words.erase(words.begin());  // "link down leaf0-spine1"
  std::vector<std::string> names;
  const KindForm* form = nullptr;
  for (const KindForm& known : kForms) {
    names.emplace_back(known.name);
    if (!words.empty() && known.name == words.front()) form = &known;
  }
  if (form == nullptr) {
    const std::string typed(words.empty() ? "" : words.front());
    std::string list = names.front();
    for (std::size_t i = 1; i < names.size(); ++i) list += ' ' + names[i];
    return fail(input_error("WEFT-FAB-0001", "\"" + typed + "\" is not a kind of condition")
                    .with_expected("one of " + list)
                    .with_hint(did_you_mean(typed, names)));
  }
  Condition condition;
  condition.kind = form->kind;
  condition.text = text;
  std::size_t next = 1;
  if (form->value != ValueForm::none) {
    if (words.size() <= next)
      return fail(input_error("WEFT-FAB-0003", std::string(form->name) + " needs a value")
                      .with_expected(std::string(form->name) + " VALUE TARGET"));
    if (Result<void> value = parse_value(*form, words[next], condition); !value) return fail(std::move(value.error()));
    ++next;
  }
  if (words.size() <= next) return fail(unknown_target(fabric, ""));
  const std::optional<Target> target = parse_target(fabric, words[next]);
  if (!target) return fail(unknown_target(fabric, words[next]));
  condition.target = *target;
  if (Result<void> span = parse_span(std::span(words).subspan(next + 1), condition); !span)
    return fail(std::move(span.error()));
  return condition;
}

}  // namespace weft::fabric
