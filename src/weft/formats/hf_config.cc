#include "weft/formats/hf_config.h"

#include <array>
#include <optional>
#include <span>
#include <utility>

#include "weft/base/printable.h"
#include "weft/catalog/model_rules.h"
#include "weft/formats/config_keys.h"
#include "weft/formats/hf_architectures.h"
#include "weft/formats/hf_layers.h"
#include "weft/formats/hf_quantisation.h"
#include "weft/formats/json_tree.h"

namespace weft::formats {

using catalog::AttentionKind;
using catalog::ModelShape;
using catalog::NumberFormat;

namespace {

// What model_rules.h allows; a key beyond it is named with the user's own word for it.
constexpr std::int64_t kMostLayers = 10'000;
constexpr std::int64_t kMostHidden = 1 << 22;
constexpr std::int64_t kMostHeads = 1 << 16;
constexpr std::int64_t kMostWidth = 1 << 26;
constexpr std::int64_t kMostVocab = 1 << 27;
constexpr std::int64_t kMostTokens = std::int64_t{1} << 40;

constexpr std::array<std::string_view, 4> kLayerKeys = {"num_hidden_layers", "n_layer", "num_layers", "n_layers"};

int as_int(std::int64_t number) { return static_cast<int>(number); }

// The first class name of "architectures".
std::string class_of(const JsonValue& object) {
  const JsonValue* list = object.find("architectures");
  if (list == nullptr || list->type != JsonType::list || list->children.empty()) return "";
  return list->children.front().text;
}

std::string model_type_of(const JsonValue& object) {
  const JsonValue* type = object.find("model_type");
  return type != nullptr && type->type == JsonType::text ? type->text : "";
}

bool has_layers(const JsonValue& object) {
  for (const std::string_view name : kLayerKeys) {
    if (object.find(name) != nullptr) return true;
  }
  return false;
}

// Multimodal configs keep the language model one or two levels down.
const JsonValue* text_part(const JsonValue& root) {
  for (const std::string_view name : {"text_config", "llm_config", "language_config", "thinker_config"}) {
    const JsonValue* part = root.find(name);
    if (part == nullptr || part->type != JsonType::object) continue;
    if (has_layers(*part)) return part;
    const JsonValue* inner = part->find("text_config");
    if (inner != nullptr && inner->type == JsonType::object && has_layers(*inner)) return inner;
  }
  return &root;
}

// Other files that stand in a model's folder, by a key of theirs.
struct OtherFile {
  std::string_view key;
  std::string_view what;
};
constexpr auto kOtherFiles = std::to_array<OtherFile>({
    {"producer", "hf_quant_config.json, which says how a model was quantised"},
    {"peft_type", "the config of a LoRA adapter; its base_model_name_or_path names the model"},
    {"weight_map", "the index of the weight files"},
    {"tokenizer_class", "the config of a tokenizer"},
    {"added_tokens_decoder", "the config of a tokenizer"},
    {"image_processor_type", "the config of an image processor"},
    {"max_new_tokens", "a generation config"},
});

class Reader {
 public:
  Reader(const SourceText& source, const JsonValue& root)
      : source_(source), root_(root), part_(*text_part(root)), keys_(source, root, part_) {}

  Result<HfConfig> read() {
    if (std::optional<Error> error = other_file()) return fail(std::move(*error));
    name_architecture();
    refuse_other_kinds();
    if (std::optional<Error> error = keys_.error()) return fail(std::move(*error));
    read_sizes();
    read_attention();
    read_extras();
    read_ffn();
    read_windows(keys_, arch(), architecture_ != nullptr, shape_, assumed_);
    read_formats();
    note_what_is_left_out();
    return finish();
  }

 private:
  [[nodiscard]] const HfArchitecture& arch() const {
    return architecture_ == nullptr ? plain_architecture() : *architecture_;
  }
  [[nodiscard]] bool is_type(std::string_view model_type) const { return arch().model_type == model_type; }

  [[nodiscard]] std::optional<Error> other_file() const {
    if (has_layers(part_)) return std::nullopt;
    for (const OtherFile& other : kOtherFiles) {
      const JsonValue* key = root_.find(other.key);
      if (key == nullptr) continue;
      return input_error("WEFT-FMT-0405", "this is " + std::string(other.what))
          .with_expected("the model's config.json")
          .with_hint("it stands in the same folder as the weights")
          .at(keys_.place(key));
    }
    return std::nullopt;
  }

  void name_architecture() {
    for (const JsonValue* object : {&part_, &root_}) {
      const std::string class_name = class_of(*object);
      const std::string model_type = model_type_of(*object);
      if (shape_.architecture.empty()) shape_.architecture = class_name.empty() ? model_type : class_name;
      if (architecture_ == nullptr) architecture_ = find_architecture(class_name, model_type);
    }
    if (&part_ != &root_) {
      if (const std::string whole = class_of(root_); !whole.empty()) shape_.architecture = whole;
      assumed_.emplace_back("only the language model is counted, not what sees or hears beside it");
    }
    if (architecture_ != nullptr) return;
    const std::string name = shape_.architecture.empty()
                                 ? "no architecture is named"
                                 : "architecture " + in_quotes(shape_.architecture) + " is not one weft knows";
    assumed_.push_back(name + ": read by its keys, as a decoder with gated FFN, RMSNorm and no biases");
  }

  void not_assessable_at(const JsonValue* where, std::string why) {
    keys_.fault(unassessable_error("WEFT-FMT-0410", std::move(why)).at(keys_.place(where)));
  }

  void refuse_other_kinds() {
    for (const JsonValue* object : {&part_, &root_}) {
      const std::string_view why = not_assessable(class_of(*object), model_type_of(*object));
      const JsonValue* where = object->find("architectures");
      if (where == nullptr) where = object->find("model_type");
      if (!why.empty()) not_assessable_at(where, in_quotes(shape_.architecture) + ": " + std::string(why));
    }
    if (const JsonValue* both = keys_.find({"is_encoder_decoder"}); both != nullptr && both->boolean) {
      not_assessable_at(both, "an encoder and decoder; weft assesses decoders");
    }
    if (const JsonValue* mixed = keys_.find({"hybrid_override_pattern", "mamba_d_state", "ssm_cfg", "ssm_state_size",
                                             "linear_attn_config", "linear_num_key_heads"})) {
      not_assessable_at(mixed,
                        in_quotes(mixed->key) + " speaks of layers without attention, which weft does not model yet");
    }
    for (const std::string_view key :
         {"num_attention_heads", "num_key_value_heads", "num_query_heads", "block_configs"}) {
      const JsonValue* value = keys_.find({key});
      if (value == nullptr || value->type != JsonType::list) continue;
      not_assessable_at(value, in_quotes(key) + " differs from layer to layer, which weft does not model yet");
    }
  }

  void read_sizes() {
    shape_.layers =
        as_int(keys_.needed(std::span<const std::string_view>(kLayerKeys), "the number of layers", 1, kMostLayers));
    shape_.hidden = keys_.needed({"hidden_size", "n_embd", "d_model"}, "the hidden size", 1, kMostHidden);
    if (arch().vocab > 0 && keys_.find({"vocab_size"}) == nullptr) {
      shape_.vocab = arch().vocab;
      assumed_.push_back("vocab_size is not given: " + std::to_string(arch().vocab) + ", as " +
                         std::string(arch().model_type) + " has by default");
    } else {
      shape_.vocab = keys_.needed({"vocab_size", "padded_vocab_size"}, "the size of the vocabulary", 1, kMostVocab);
    }
    shape_.context = keys_.whole({"max_position_embeddings", "n_positions", "n_ctx", "seq_length", "max_seq_len",
                                  "max_sequence_length", "model_max_length"},
                                 0, 0, kMostTokens);
    if (shape_.context == 0) assumed_.emplace_back("the longest context is not given");
  }

  void read_attention() {
    shape_.heads = as_int(
        keys_.needed({"num_attention_heads", "n_head", "n_heads", "num_heads"}, "the number of heads", 1, kMostHeads));
    const JsonValue* rank = keys_.find({"kv_lora_rank"});
    if (rank != nullptr) {
      read_latent(rank);
    } else {
      read_grouped();
    }
  }

  void read_latent(const JsonValue* rank) {
    shape_.attention = AttentionKind::latent;
    shape_.kv_heads = shape_.heads;
    shape_.latent.kv_rank = keys_.whole_of(rank, 1, 1, kMostHidden);
    shape_.latent.q_rank = keys_.whole({"q_lora_rank"}, 0, 0, kMostHidden);
    shape_.latent.qk_nope = keys_.needed({"qk_nope_head_dim"}, "latent attention's head width", 1, kMostHeads);
    shape_.latent.qk_rope = keys_.needed({"qk_rope_head_dim"}, "latent attention's rotary width", 0, kMostHeads);
    shape_.latent.v_head = keys_.needed({"v_head_dim"}, "latent attention's value width", 1, kMostHeads);
    shape_.head_dim = shape_.latent.qk_nope + shape_.latent.qk_rope;
    keys_.find({"num_key_value_heads", "head_dim"});  // stand there, mean nothing
  }

  void read_grouped() {
    const JsonValue* head_dim = keys_.find({"head_dim", "kv_channels"});
    const JsonValue* heads = keys_.find({"num_attention_heads", "n_head", "n_heads", "num_heads"});
    shape_.head_dim = keys_.whole_of(head_dim, shape_.hidden / shape_.heads, 1, kMostHeads);
    if (head_dim == nullptr && heads != nullptr && shape_.hidden % shape_.heads != 0) {
      keys_.fault(input_error("WEFT-FMT-0409", "the hidden size " + std::to_string(shape_.hidden) +
                                                   " is not a multiple of the " + std::to_string(shape_.heads) +
                                                   " heads, and no head_dim is given")
                      .at(keys_.place(heads)));
    }
    const JsonValue* kv_heads = kv_head_key();
    shape_.kv_heads = as_int(keys_.whole_of(kv_heads, shape_.heads, 1, kMostHeads));
    if (kv_heads != nullptr) {
      if (shape_.heads % shape_.kv_heads == 0) return;
      keys_.fault(input_error("WEFT-FMT-0409", in_quotes(kv_heads->key) + " is " + std::to_string(shape_.kv_heads) +
                                                   ", which does not divide the " + std::to_string(shape_.heads) +
                                                   " attention heads")
                      .at(keys_.place(kv_heads)));
    } else if (one_kv_head()) {
      shape_.kv_heads = 1;
    } else if (arch().gated) {
      assumed_.push_back("num_key_value_heads is not given: as many KV heads as heads (" +
                         std::to_string(shape_.heads) + ")");
    }
  }

  // Falcon and ChatGLM have keys that hold only when another says so.
  const JsonValue* kv_head_key() {
    const bool groups = keys_.flag({"multi_query_attention"}, false);
    const JsonValue* group_count = keys_.find({"multi_query_group_num"});
    if (groups && group_count != nullptr) return group_count;
    const JsonValue* kv_heads = keys_.find({"num_key_value_heads", "num_kv_heads", "n_head_kv", "n_kv_heads"});
    if (is_type("falcon") && !keys_.flag({"new_decoder_architecture"}, false)) return nullptr;
    if (kv_heads == nullptr) kv_heads = keys_.find_in(keys_.find({"attn_config"}), {"kv_n_heads"});
    return kv_heads;
  }

  bool one_kv_head() { return keys_.flag({"multi_query"}, arch().one_kv_head || is_type("falcon")); }

  void read_extras() {
    const HfArchitecture& implied = arch();
    shape_.gated_ffn = implied.gated;
    shape_.attention_bias = implied.qkv_bias;
    shape_.attention_out_bias = implied.out_bias;
    shape_.ffn_bias = implied.ffn_bias;
    shape_.norm_bias = implied.norm_bias;
    shape_.attention_sinks = implied.sinks;
    shape_.router_bias = implied.router_bias;
    shape_.norms_per_layer = implied.norms;
    read_bias_keys();
    shape_.qk_norm = keys_.flag({"use_qk_norm", "qk_layernorm"}, implied.qk_norm);
    shape_.tied_embeddings = keys_.flag_of(keys_.find_anywhere({"tie_word_embeddings"}), implied.tied);
    read_parallel_block();
    if (implied.learned_positions >= 0) shape_.learned_positions = shape_.context + implied.learned_positions;
    const bool alibi = keys_.flag_of(keys_.find_in(keys_.find({"attn_config"}), {"alibi"}), false);
    if (is_type("mpt") && !alibi && keys_.flag({"learned_pos_emb"}, true)) shape_.learned_positions = shape_.context;
  }

  void read_bias_keys() {
    if (const JsonValue* key = keys_.find({"attention_bias"})) {
      shape_.attention_bias = keys_.flag_of(key, false);
      shape_.attention_out_bias = shape_.attention_bias && arch().bias_key_reaches_out;
    }
    shape_.attention_bias = keys_.flag({"qkv_bias", "use_qkv_bias", "add_qkv_bias"}, shape_.attention_bias);
    if (const JsonValue* key = keys_.find({"use_bias", "enable_bias", "bias"})) {
      const bool on = keys_.flag_of(key, false);
      shape_.attention_bias = on;
      shape_.attention_out_bias = on;
      shape_.ffn_bias = on && (key->key != "bias" || !shape_.gated_ffn);
    }
    if (const JsonValue* key = keys_.find({"no_bias"})) {
      const bool on = !keys_.flag_of(key, true);
      shape_.attention_bias = shape_.attention_out_bias = shape_.ffn_bias = shape_.norm_bias = on;
    }
    shape_.ffn_bias = keys_.flag({"mlp_bias"}, shape_.ffn_bias);
  }

  void read_parallel_block() {
    const bool falcon = is_type("falcon");
    shape_.parallel_block = keys_.flag({"use_parallel_residual", "parallel_attn"}, arch().parallel || falcon);
    if (!shape_.parallel_block) return;
    const bool one_norm = falcon ? !keys_.flag({"new_decoder_architecture"}, false) : is_type("stablelm");
    if (one_norm) shape_.norms_per_layer = 1;
  }

  void read_ffn() {
    const JsonValue* inner = keys_.find({"ffn_config"});
    const JsonValue* width = keys_.find({"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"});
    if (width == nullptr) width = keys_.find_in(inner, {"ffn_hidden_size"});
    shape_.ffn = keys_.whole_of(width, 0, 1, kMostWidth);
    if (width == nullptr && arch().ffn_from_hidden) {
      shape_.ffn = shape_.hidden * keys_.whole({"expansion_ratio"}, 4, 1, 64);
    }
    read_experts(keys_, arch(), shape_, assumed_);
    const bool is_needed = shape_.moe.experts == 0 && shape_.ffn == 0 && width == nullptr;
    if (is_needed) {
      keys_.needed({"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"}, "the width of the FFN", 1,
                   kMostWidth);
    }
  }

  void read_formats() {
    const JsonValue* key = keys_.find_anywhere({"dtype", "torch_dtype"});
    std::string name = key == nullptr ? "" : key->text;
    if (name.starts_with("torch.")) name = name.substr(6);
    if (name == "float32" || name == "float") {
      shape_.compute = NumberFormat::fp32;
    } else if (name == "float16" || name == "half") {
      shape_.compute = NumberFormat::fp16;
    } else {
      shape_.compute = NumberFormat::bf16;
      if (name.empty()) assumed_.emplace_back("torch_dtype is not given: bf16");
      if (!name.empty() && name != "bfloat16") assumed_.push_back("torch_dtype " + in_quotes(name) + ": bf16");
    }
    shape_.weights = shape_.compute;
    shape_.kv_cache = shape_.compute;
    const JsonValue* recipe = keys_.find_anywhere({"quantization_config", "compression_config"});
    if (recipe != nullptr && recipe->type == JsonType::object) read_quantisation(*recipe, shape_, assumed_);
  }

  void note_what_is_left_out() {
    if (keys_.whole({"num_nextn_predict_layers"}, 0, 0, kMostLayers) > 0) {
      assumed_.emplace_back("multi-token-prediction layers are not counted");
    }
    if (keys_.find({"index_topk"}) != nullptr) {
      assumed_.emplace_back(
          "the sparse-attention indexer is not counted, and attention counts as if it saw everything");
    }
    if (keys_.find({"attention_chunk_size"}) != nullptr) {
      assumed_.emplace_back("chunked attention counts as if it saw everything");
    }
  }

  void name_model() {
    std::string name;
    if (const JsonValue* own = keys_.find_anywhere({"_name_or_path"})) name = printable(own->text.substr(0, 200));
    std::string path = source_.name;
    constexpr std::string_view kUsual = "config.json";
    if (path.ends_with(kUsual)) path = path.substr(0, path.size() - kUsual.size());
    while (path.ends_with('/')) path.pop_back();
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? path : path.substr(slash + 1);
    const bool says_something = !folder.empty() && folder != "-" && folder != "." && folder != "..";
    shape_.id = says_something ? folder : name.empty() ? "config.json" : name;
    shape_.title = name.empty() ? shape_.id : name;
    shape_.source = source_.name;
  }

  Result<HfConfig> finish() {
    name_model();
    if (std::optional<Error> error = keys_.error()) return fail(std::move(*error));
    if (std::optional<catalog::ShapeFault> fault = catalog::fault_of(shape_)) {
      return fail(input_error("WEFT-FMT-0409", "no model has this shape: " + fault->message)
                      .with_expected(fault->expected)
                      .at(keys_.place(nullptr)));
    }
    for (std::string& slip : keys_.likely_slips()) assumed_.push_back(std::move(slip));
    return HfConfig{std::move(shape_), std::move(assumed_)};
  }

  const SourceText& source_;
  const JsonValue& root_;
  const JsonValue& part_;
  ConfigKeys keys_;
  const HfArchitecture* architecture_ = nullptr;
  ModelShape shape_;
  std::vector<std::string> assumed_;
};

bool has_key(std::string_view text, std::string_view key) {
  const std::size_t at = text.find('"' + std::string(key) + '"');
  if (at == std::string_view::npos) return false;
  const std::size_t after = text.find_first_not_of(" \t\r\n", at + key.size() + 2);
  return after != std::string_view::npos && text[after] == ':';
}

}  // namespace

Result<HfConfig> read_hf_config(const SourceText& source) {
  const Result<JsonValue> root = read_json(source);
  if (!root) return fail(root.error());
  if (root->type != JsonType::object) {
    return fail(input_error("WEFT-FMT-0405", "the file holds " + std::string(name_of(root->type)))
                    .with_expected("an object in braces, as a model's config.json is")
                    .at(source.position(source.text.find_first_not_of(" \t\r\n"))));
  }
  return Reader(source, *root).read();
}

bool looks_like_hf_config(std::string_view text) {
  constexpr std::size_t kLookAt = std::size_t{1} << 20;
  text = text.substr(0, kLookAt);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || text[begin] != '{') return false;
  for (const std::string_view key : {"model_type", "architectures", "num_hidden_layers", "hidden_size", "n_layer"}) {
    if (has_key(text, key)) return true;
  }
  return false;
}

}  // namespace weft::formats
