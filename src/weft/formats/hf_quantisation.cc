#include "weft/formats/hf_quantisation.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "weft/base/printable.h"
#include "weft/catalog/model_rules.h"

namespace weft::formats {

using catalog::ModelShape;
using catalog::NumberFormat;
using catalog::Quantised;

namespace {

constexpr std::string_view kLists[] = {"modules_to_not_convert", "ignore", "exclude_modules", "ignored_layers"};

std::string text_of(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  return value != nullptr && value->type == JsonType::text ? value->text : "";
}

std::optional<std::int64_t> whole_of(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  if (value == nullptr || !value->is_whole) return std::nullopt;
  return value->whole;
}

bool flag_of(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  return value != nullptr && value->type == JsonType::boolean && value->boolean;
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Whether the modules left alone take in `part` throughout: by a pattern or a bare name, or layer by layer in at least
// half of the layers.
bool left_alone(const JsonValue& config, std::string_view part, int layers) {
  int named = 0;
  for (const std::string_view list : kLists) {
    const JsonValue* modules = config.find(list);
    if (modules == nullptr || modules->type != JsonType::list) continue;
    for (const JsonValue& module : modules->children) {
      if (module.type != JsonType::text || !has(module.text, part)) continue;
      const bool one_layer = std::ranges::any_of(module.text, [](char c) { return c >= '0' && c <= '9'; });
      if (!one_layer) return true;
      ++named;
    }
  }
  return named > 0 && 2 * named >= layers;
}

class Quantisation {
 public:
  Quantisation(const JsonValue& config, ModelShape& shape, std::vector<std::string>& assumed)
      : config_(config), shape_(shape), assumed_(assumed) {}

  void read() {
    const std::string method = lower(text_of(config_, "quant_method"));
    const std::string algorithm = lower(text_of(config_, "quant_algo"));
    if (method == "mxfp4") {
      set(NumberFormat::mxfp4);
      shape_.quantised = Quantised::experts;
    } else if (method == "fp8" || method == "fbgemm_fp8") {
      set(NumberFormat::fp8, block_elements());
    } else if (method == "gptq" || method == "awq" || has(method, "auto-round") || method == "autoround") {
      read_integer_groups(method);
    } else if (method == "bitsandbytes") {
      read_bitsandbytes();
    } else if (config_.find("config_groups") != nullptr) {  // compressed-tensors, newer modelopt
      read_config_groups();
    } else if (has(method, "modelopt") || !algorithm.empty()) {
      read_modelopt(algorithm);
    } else if (method == "quark") {
      read_quark();
    } else {
      not_known(method.empty() ? "quantization_config without quant_method"
                               : "quantisation method " + in_quotes(method, 32));
    }
    if (shape_.weights != shape_.compute) read_scope();
    read_kv_cache();
  }

 private:
  void set(NumberFormat format, std::int64_t group = 0, int scale_bits = 0) {
    shape_.weights = format;
    shape_.weight_group = std::max<std::int64_t>(group, 0);
    shape_.weight_scale_bits = scale_bits;
  }

  void not_known(const std::string& what) {
    assumed_.push_back(what + " is not one weft knows: weights are counted in " +
                       std::string(catalog::name_of(shape_.compute)));
  }

  // weight_block_size [128, 128] -> 16384; per tensor or channel otherwise.
  [[nodiscard]] std::int64_t block_elements() const {
    const JsonValue* block = config_.find("weight_block_size");
    constexpr std::int64_t kLargestSide = 1 << 16;
    std::int64_t elements = 1;
    if (block == nullptr || block->type != JsonType::list || block->children.size() != 2) return 0;
    for (const JsonValue& side : block->children) {
      if (!side.is_whole || side.whole < 1 || side.whole > kLargestSide) return 0;
      elements *= side.whole;
    }
    return elements;
  }

  // Whole numbers of `bits` bits with one fp16 scale a group, and a zero point of as many bits unless symmetric.
  void set_integer(std::int64_t bits, std::int64_t group, bool symmetric) {
    constexpr int kScale = 16;
    if (bits == 8) {
      set(NumberFormat::int8, group, symmetric ? 0 : kScale + 8);
      return;
    }
    set(NumberFormat::int4, group, symmetric ? 0 : kScale + 4);
    if (bits != 4) assumed_.push_back(std::to_string(bits) + "-bit weights are counted as 4-bit");
  }

  void read_integer_groups(const std::string& method) {
    std::optional<std::int64_t> bits = whole_of(config_, "bits");
    if (!bits) bits = whole_of(config_, "w_bit");
    std::optional<std::int64_t> group = whole_of(config_, "group_size");
    if (!group) group = whole_of(config_, "q_group_size");
    if (!bits) assumed_.push_back(method + " without \"bits\": 4-bit weights");
    if (!group) assumed_.push_back(method + " without \"group_size\": groups of 128");
    // GPTQ stores zero points even where they are all the same; AWQ where zero_point says so.
    const JsonValue* zero_point = config_.find("zero_point");
    const bool symmetric = method == "awq" && zero_point != nullptr && !flag_of(config_, "zero_point");
    set_integer(bits.value_or(4), group.value_or(128), symmetric);
    shape_.head_quantised = flag_of(config_, "lm_head");
  }

  void read_bitsandbytes() {
    if (!flag_of(config_, "load_in_4bit")) {
      set(NumberFormat::int8);
      return;
    }
    // NF4 and FP4: one fp32 per 64 weights, or with double quantisation 8 bits and 1/256 of an fp32 (arXiv:2305.14314).
    const bool twice = flag_of(config_, "bnb_4bit_use_double_quant");
    set(NumberFormat::int4, 64, twice ? 8 : 32);
  }

  void set_float(std::int64_t bits, std::int64_t group, bool microscaling) {
    if (bits == 8) {
      set(NumberFormat::fp8, group, group > 0 && microscaling ? 8 : 0);
    } else if (microscaling) {
      set(NumberFormat::mxfp4);
    } else {
      set(NumberFormat::nvfp4);
    }
  }

  void read_config_groups() {
    const JsonValue* groups = config_.find("config_groups");
    const JsonValue* weights = nullptr;
    std::string format = text_of(config_, "format");
    if (groups->type == JsonType::object) {
      for (const JsonValue& group : groups->children) {
        const JsonValue* candidate = group.find("weights");
        if (candidate == nullptr || candidate->type != JsonType::object) continue;
        if (weights != nullptr) {
          assumed_.emplace_back("several quantisation groups: all quantised weights are counted as the first group's");
          break;
        }
        weights = candidate;
        if (const std::string own = text_of(group, "format"); !own.empty()) format = own;
      }
    }
    if (weights == nullptr) {
      not_known("quantization_config without the weights of a group");
      return;
    }
    const std::int64_t bits = whole_of(*weights, "num_bits").value_or(0);
    const std::int64_t group = whole_of(*weights, "group_size").value_or(0);
    const bool is_float = text_of(*weights, "type") == "float";
    const bool is_known = is_float ? bits == 4 || bits == 8 : bits >= 2 && bits <= 8;
    if (!is_known) {
      not_known("a " + std::to_string(bits) + "-bit group");
    } else if (is_float) {
      const bool microscaling = has(format, "mxfp") || (bits == 4 && group == 32);
      set_float(bits, block_of(*weights, group), microscaling);
    } else {
      const JsonValue* symmetric = weights->find("symmetric");
      set_integer(bits, group, symmetric == nullptr || symmetric->boolean);
    }
    if (!left_alone(config_, "lm_head", 1) && targets_linear()) shape_.head_quantised = true;
  }

  // compressed-tensors' own spelling of 128 x 128 blocks: strategy block, block_structure [128, 128].
  static std::int64_t block_of(const JsonValue& weights, std::int64_t group) {
    const JsonValue* block = weights.find("block_structure");
    if (block == nullptr || block->children.size() != 2) return group;
    const std::int64_t rows = block->children[0].whole;
    const std::int64_t columns = block->children[1].whole;
    constexpr std::int64_t kLargestSide = 1 << 16;
    const bool sound = rows > 0 && columns > 0 && rows <= kLargestSide && columns <= kLargestSide;
    return sound ? rows * columns : group;
  }

  // Whether the recipe names all linear layers, the head among them.
  [[nodiscard]] bool targets_linear() const {
    for (const JsonValue& group : config_.find("config_groups")->children) {
      const JsonValue* targets = group.find("targets");
      if (targets == nullptr) continue;
      for (const JsonValue& target : targets->children) {
        if (target.text == "Linear") return true;
      }
    }
    return false;
  }

  void read_modelopt(const std::string& algorithm) {
    const std::int64_t group = whole_of(config_, "group_size").value_or(0);
    if (algorithm.empty()) {
      not_known("a modelopt recipe without quant_algo");
    } else if (has(algorithm, "nvfp4")) {
      set(NumberFormat::nvfp4);
    } else if (has(algorithm, "mxfp4")) {
      set(NumberFormat::mxfp4);
    } else if (has(algorithm, "w4a")) {
      set(NumberFormat::int4, group > 0 ? group : 128);
    } else if (has(algorithm, "fp8")) {
      set(NumberFormat::fp8, has(algorithm, "pb") || has(algorithm, "block") ? 128 * 128 : 0);
    } else if (has(algorithm, "w8a") || has(algorithm, "int8")) {
      set(NumberFormat::int8);
    } else {
      not_known("quantisation algorithm " + in_quotes(algorithm, 32));
    }
  }

  void read_quark() {
    const JsonValue* global = config_.find("global_quant_config");
    const JsonValue* weight = global == nullptr ? nullptr : global->find("weight");
    const std::string type = weight == nullptr ? "" : lower(text_of(*weight, "dtype"));
    if (has(type, "fp8")) {
      set(NumberFormat::fp8);
    } else if (has(type, "fp4")) {
      set(NumberFormat::mxfp4);
    } else if (has(type, "int8")) {
      set(NumberFormat::int8);
    } else if (has(type, "int4")) {
      set(NumberFormat::int4, whole_of(*weight, "group_size").value_or(128));
    } else {
      not_known("quark's weight type " + in_quotes(type, 32));
    }
  }

  void read_scope() {
    if (shape_.quantised == Quantised::experts) return;
    if (!left_alone(config_, "attn", shape_.layers)) return;
    const bool shared_too = left_alone(config_, "shared_expert", shape_.layers);
    shape_.quantised = shape_.moe.experts > 0 && shared_too ? Quantised::experts : Quantised::ffn;
  }

  void read_kv_cache() {
    const JsonValue* scheme = config_.find("kv_cache_scheme");
    std::string name = lower(text_of(config_, "kv_cache_quant_algo"));
    if (scheme != nullptr && scheme->type == JsonType::text) name = lower(scheme->text);
    if (scheme != nullptr && scheme->type == JsonType::object && whole_of(*scheme, "num_bits") == 8) {
      name = text_of(*scheme, "type") == "int" ? "int8" : "fp8";
    }
    if (name.empty() || name == "none") return;
    if (has(name, "nvfp4")) {
      shape_.kv_cache = NumberFormat::nvfp4;
    } else if (has(name, "fp8")) {
      shape_.kv_cache = NumberFormat::fp8;
    } else if (has(name, "int8")) {
      shape_.kv_cache = NumberFormat::int8;
    } else {
      assumed_.push_back("KV cache format " + in_quotes(name, 32) + " is not one weft knows: counted in " +
                         std::string(catalog::name_of(shape_.kv_cache)));
    }
  }

  const JsonValue& config_;
  ModelShape& shape_;
  std::vector<std::string>& assumed_;
};

}  // namespace

void read_quantisation(const JsonValue& config, ModelShape& shape, std::vector<std::string>& assumed) {
  Quantisation(config, shape, assumed).read();
}

}  // namespace weft::formats
