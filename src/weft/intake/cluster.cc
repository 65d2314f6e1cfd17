#include "weft/intake/cluster.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

#include "weft/base/suggest.h"
#include "weft/formats/cluster_toml.h"
#include "weft/formats/nccl_xml.h"
#include "weft/formats/nvsmi_topo.h"
#include "weft/formats/sniff.h"
#include "weft/intake/text_file.h"

namespace weft::intake {
namespace {

struct Counted {
  int count = 1;
  std::string_view name;
};

// "16xhgx-h100-8" -> 16 and the name.
std::optional<Counted> counted(std::string_view spec) {
  Counted result;
  const auto [end, error] = std::from_chars(spec.data(), spec.data() + spec.size(), result.count);
  const char* last = spec.data() + spec.size();
  if (error != std::errc{} || end == last || *end != 'x' || end + 1 == last || result.count < 1) return std::nullopt;
  result.name = spec.substr(static_cast<std::size_t>(end - spec.data()) + 1);
  return result;
}

bool is_server_name(const catalog::Catalog& catalog, std::string_view name) {
  const catalog::Part* part = catalog.find(name.substr(0, name.find(':')));
  return part != nullptr && part->kind == catalog::Kind::server;
}

bool is_file(std::string_view spec) {
  std::error_code problem;
  return spec == "-" || std::filesystem::exists(std::filesystem::path(spec), problem);
}

Error unknown_cluster(const catalog::Catalog& catalog, std::string_view spec) {
  const std::optional<Counted> many = counted(spec);
  const std::string_view name = many ? many->name : spec;
  Error error = input_error("WEFT-INT-0010", "\"" + std::string(spec.substr(0, 200)) +
                                                 "\" is no cluster: not in the catalog, and no file of that name");
  error.expected =
      "a server (hgx-h100-8), a count (16xhgx-h100-8), a short form (fat-tree:k=16,rate=400Gb/s) or a file";
  std::string near = nearest(name, catalog.ids(catalog::Kind::server));
  if (!near.empty()) {
    error.hint = "did you mean " + (many ? std::to_string(many->count) + "x" : std::string()) + near + "?";
  } else if (const catalog::Part* part = catalog.find(name); part != nullptr) {
    error.hint = part->id + " is a " + std::string(catalog::name_of(part->kind)) +
                 ", not a server; weft catalog list --kind server lists them";
  } else {
    error.hint = "weft catalog list --kind server lists the catalog's";
  }
  return error;
}

Result<ClusterInput> from_spec(const catalog::Catalog& catalog, const fabric::ClusterSpec& spec, std::string format) {
  Result<fabric::Cluster> cluster = fabric::build_cluster(catalog, spec);
  if (!cluster) return fail(std::move(cluster.error()));
  return ClusterInput{std::move(*cluster), std::move(format), {}};
}

Result<ClusterInput> from_catalog(const catalog::Catalog& catalog, std::string_view spec, const Counted& many) {
  fabric::ClusterSpec cluster;
  cluster.name = spec;
  cluster.groups.push_back({std::string(many.name), many.count, 0, "", {}});
  return from_spec(catalog, cluster, "catalog");
}

ClusterInput from_operator(formats::OperatorFabric read, std::string name, formats::Format format) {
  ClusterInput input;
  input.cluster.name = std::move(name);
  input.cluster.fabric = std::move(read.fabric);
  input.cluster.conditions = std::move(read.observed);
  input.cluster.assumed = std::move(read.assumed);
  input.notes = std::move(read.notes);
  input.format = formats::name_of(format);
  return input;
}

Error not_a_cluster(const SourceText& source, const formats::Sniffed& sniffed) {
  Error error = input_error("WEFT-INT-0011", "this is no cluster that weft reads: " + sniffed.why);
  if (sniffed.format != formats::Format::unknown) {
    error.message =
        "this is " + std::string(formats::name_of(sniffed.format)) + ", which does not describe a cluster here";
    if (sniffed.format == formats::Format::hf_config)
      error.hint = "a model goes first: weft plan " + source.name + " --cluster hgx-h100-8";
    if (sniffed.format == formats::Format::nccl_graph_xml)
      error.hint = "NCCL_TOPO_DUMP_FILE writes the topology; this came from NCCL_GRAPH_DUMP_FILE";
  }
  error.expected = "NCCL or RCCL topology XML, nvidia-smi topo -m text, or a cluster file";
  return std::move(error).at(source.position(0));
}

Result<ClusterInput> from_file(const catalog::Catalog& catalog, std::string_view path, const ClusterOptions& options,
                               std::istream& standard_input) {
  Result<SourceText> source = read_text(path, standard_input);
  if (!source) return fail(std::move(source.error()));
  const formats::Sniffed sniffed = formats::sniff(source->text);
  const formats::ReadOptions reading{options.gpu};
  switch (sniffed.format) {
    case formats::Format::nccl_topo_xml: {
      Result<formats::OperatorFabric> read = formats::read_nccl_xml(catalog, *source, reading);
      if (!read) return fail(std::move(read.error()));
      return from_operator(std::move(*read), source->name, sniffed.format);
    }
    case formats::Format::nvsmi_topo_matrix: {
      Result<formats::OperatorFabric> read = formats::read_nvsmi_topo(catalog, *source, reading);
      if (!read) return fail(std::move(read.error()));
      return from_operator(std::move(*read), source->name, sniffed.format);
    }
    case formats::Format::cluster_toml: {
      Result<fabric::Cluster> cluster = formats::read_cluster_toml(catalog, *source);
      if (!cluster) return fail(std::move(cluster.error()));
      if (cluster->name.empty()) cluster->name = source->name;
      return ClusterInput{std::move(*cluster), std::string(formats::name_of(sniffed.format)), {}};
    }
    default:
      return fail(not_a_cluster(*source, sniffed));
  }
}

Result<ClusterInput> by_kind(const catalog::Catalog& catalog, std::string_view spec, const ClusterOptions& options,
                             std::istream& standard_input) {
  if (fabric::is_short_form(spec)) {
    Result<fabric::ClusterSpec> cluster = fabric::parse_short_form(spec);
    if (!cluster) return fail(std::move(cluster.error()));
    return from_spec(catalog, *cluster, "short form");
  }
  if (is_server_name(catalog, spec)) return from_catalog(catalog, spec, {1, spec});
  const std::optional<Counted> many = counted(spec);
  if (many && is_server_name(catalog, many->name)) return from_catalog(catalog, spec, *many);
  if (is_file(spec)) return from_file(catalog, spec, options, standard_input);
  return fail(unknown_cluster(catalog, spec));
}

}  // namespace

Result<ClusterInput> load_cluster(const catalog::Catalog& catalog, std::string_view spec, const ClusterOptions& options,
                                  std::istream& standard_input) {
  Result<ClusterInput> input = by_kind(catalog, spec, options, standard_input);
  if (!input) return input;
  for (const std::string& text : options.conditions) {
    Result<fabric::Condition> condition = fabric::parse_condition(input->cluster.fabric, text);
    if (!condition) return fail(std::move(condition.error()));
    input->cluster.conditions.add(std::move(*condition));
  }
  return input;
}

}  // namespace weft::intake
