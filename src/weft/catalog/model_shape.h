// The shape of a transformer: what its weights, caches, FLOPs and messages follow from.
//
// Numbers only; the formulas stand in the room llm. Read from a Hugging Face config.json (formats/hf_config) or from
// data/catalog/models.toml. Symbols: h hidden, L layers, a heads, d head_dim, f ffn, v vocab.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::catalog {

enum class NumberFormat { fp32, bf16, fp16, fp8, int8, int4, nvfp4, mxfp4 };

// Which of the large matrices a quantisation recipe reaches; the rest stay in the compute format.
enum class Quantised { all, ffn, experts };  // attention and FFN; FFN and experts; routed experts only

enum class AttentionKind { grouped, latent };  // MHA, MQA and GQA are `grouped`; MLA is `latent`

struct MixtureOfExperts {
  int experts = 0;  // routed experts per MoE layer; 0 = dense model
  int experts_per_token = 0;
  int shared_experts = 0;       // always active, each of expert_ffn unless shared_ffn says otherwise
  std::int64_t expert_ffn = 0;  // intermediate size of one routed expert
  std::int64_t shared_ffn = 0;  // intermediate size of all shared experts together; 0 = shared_experts * expert_ffn
  // Layer i (from 0) is a MoE layer when i >= leading_dense_layers, (i - leading_dense_layers) is a multiple of
  // moe_every, and i is not in dense_layers.
  int leading_dense_layers = 0;
  int moe_every = 1;
  std::vector<int> dense_layers;  // exceptions that the two numbers cannot say; ascending
  bool shared_gate = false;       // shared experts weighted by a learnt gate of h numbers (Qwen2-MoE)
};

struct LatentAttention {
  std::int64_t q_rank = 0;  // 0 = no query compression
  std::int64_t kv_rank = 0;
  std::int64_t qk_nope = 0;  // per head
  std::int64_t qk_rope = 0;  // per head for queries, shared for the key
  std::int64_t v_head = 0;
};

struct ModelShape {
  std::string id;                    // "llama-3.1-70b", or the file's name
  std::vector<std::string> aliases;  // other names people use: "meta-llama/Llama-3.1-70B-Instruct"
  std::string title;
  std::string architecture;  // "LlamaForCausalLM"
  std::string source;
  int layers = 0;
  std::int64_t hidden = 0;
  int heads = 0;
  int kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t ffn = 0;   // dense layers' intermediate size
  bool gated_ffn = true;  // SwiGLU: three matrices; otherwise two
  std::int64_t vocab = 0;
  bool tied_embeddings = false;
  bool attention_bias = false;      // on q, k, v
  bool attention_out_bias = false;  // on the output projection
  bool ffn_bias = false;
  bool qk_norm = false;
  bool norm_bias = false;        // LayerNorm instead of RMSNorm: two vectors a norm
  bool parallel_block = false;   // attention and FFN share one all-reduce (GPT-J, PaLM)
  bool attention_sinks = false;  // one learnt number a head (GPT-OSS)
  bool router_bias = false;
  int norms_per_layer = 2;             // 4 where blocks are also normalised on their way out (Gemma 2)
  std::int64_t learned_positions = 0;  // rows of a learnt position table; 0 = rotary
  std::int64_t context = 0;            // longest context the config allows
  // Layer i (from 0) sees only the last sliding_window tokens when sliding_window > 0, i is a multiple of window_every,
  // and i is not in full_attention_layers.
  std::int64_t sliding_window = 0;         // 0 = none
  int window_every = 1;                    // 1 = all layers use the window, 2 = every second, …
  std::vector<int> full_attention_layers;  // exceptions that window_every cannot say; ascending
  AttentionKind attention = AttentionKind::grouped;
  LatentAttention latent;
  MixtureOfExperts moe;
  NumberFormat compute = NumberFormat::bf16;  // activations and matrices not quantised
  NumberFormat weights = NumberFormat::bf16;  // the large matrices
  NumberFormat kv_cache = NumberFormat::bf16;
  std::int64_t weight_group = 0;          // elements that share a scale in a quantised matrix; 0 = per tensor
  int weight_scale_bits = 0;              // stored per group: scale, and zero point if any; 0 = usual for the format
  Quantised quantised = Quantised::all;   // what `weights` holds for
  bool head_quantised = false;            // the output head is a large matrix too, but most recipes leave it alone
  std::int64_t published_parameters = 0;  // as the publisher counts; 0 = not stated
  std::int64_t published_active_parameters = 0;  // per token, always a rounded figure; 0 = not stated
  bool published_rounded = false;                // the count is a headline ("175B"), not a sum over tensors
  std::string published_source;                  // where the count stands
};

}  // namespace weft::catalog
