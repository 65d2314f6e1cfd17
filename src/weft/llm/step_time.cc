#include "weft/llm/step_time.h"

#include <algorithm>
#include <cmath>

#include "weft/llm/memory.h"
#include "weft/llm/precision.h"

namespace weft::llm {

using catalog::AttentionKind;
using catalog::ModelShape;

namespace {

// Small kernels of a layer: rotary with the cache write; a norm each; an activation for each feed-forward block;
// quantising the inputs that no norm or activation quantises on its way. Routing: scores and choice, sorting tokens by
// expert, summing what comes back.
constexpr int kRotary = 1;
constexpr int kQuantise = 2;
constexpr int kRouting = 3;
constexpr int kSplitCombine = 1;  // attention over a cache is split over the cache's length and combined
constexpr int kSampling = 5;      // penalties, softmax, sort or top-k, draw, copy to the host

double of(std::int64_t n) { return static_cast<double>(n); }

// Width of what one head multiplies for a pair of tokens: score and value.
double pair_flops(const ModelShape& shape, bool decode) {
  if (shape.attention == AttentionKind::grouped) return 4.0 * of(shape.head_dim);
  const auto& latent = shape.latent;
  return 2.0 * of(decode ? 2 * latent.kv_rank + latent.qk_rope : latent.qk_nope + latent.qk_rope + latent.v_head);
}

// attended_pairs() for a mean run of tokens.
double attended(double tokens, double cached, double window) {
  const auto triangle = [](double first, double count) { return count * first + count * (count - 1) / 2; };
  const double growing = window == 0 ? tokens : std::clamp(window - cached, 0.0, tokens);
  return triangle(cached + 1, growing) + (tokens - growing) * window;
}

void add_scaled(StageTime& sum, const StageTime& one, double times) {
  sum.weights_read += one.weights_read * times;
  sum.kv_read += one.kv_read * times;
  sum.flops += one.flops * times;
  sum.matrices_s += one.matrices_s * times;
  sum.attention_s += one.attention_s * times;
  sum.small_s += one.small_s * times;
  sum.head_s += one.head_s * times;
  sum.kernels += one.kernels * times;
}

}  // namespace

Batch decode_batch(double sequences, double context) {
  Batch batch;
  batch.decode = batch.sampled = sequences;
  batch.context = context;
  return batch;
}

Batch prefill_batch(double prompts, double tokens) {
  Batch batch;
  batch.prompts = batch.sampled = prompts;
  batch.tokens = tokens;
  return batch;
}

double distinct_experts(int experts, int per_token, double tokens) {
  if (experts <= 0) return 0;
  const double missed = 1.0 - static_cast<double>(per_token) / experts;
  return experts * (1.0 - std::pow(missed, tokens));
}

double PassTime::latency_s() const { return step_s + (captured ? sum.total_s() : std::max(sum.total_s(), host_s)); }

StepModel::StepModel(const Anatomy& anatomy, const KernelTimes& kernels, const Parallelism& parallelism)
    : anatomy_(anatomy),
      kernels_(kernels),
      parallelism_(parallelism),
      dense_(layer_matrices(anatomy.shape(), parallelism, false)),
      head_(head_matrix(anatomy.shape(), parallelism)),
      kv_bytes_(of(kv_bytes_per_token_and_layer(anatomy.shape(), parallelism.tp).count())),
      activation_bytes_(plain(anatomy.shape().compute).bits_per_number() / 8) {
  if (anatomy.shape().moe.experts > 0) moe_ = layer_matrices(anatomy.shape(), parallelism, true);
}

double StepModel::rows(const Batch& batch) const {
  return batch.decode + batch.prompts * batch.tokens / parallelism_.cp;
}

// Everything of a layer but attention over tokens.
StageTime StepModel::layer_time(const Batch& batch, bool moe) const {
  const ModelShape& shape = anatomy_.shape();
  const double own = rows(batch);
  const double all = own * parallelism_.attention_dp;  // that meet this group's experts
  const double hit = moe ? distinct_experts(shape.moe.experts, shape.moe.experts_per_token, all) : 0;
  const double local = hit / parallelism_.ep;
  const double expert_rows = hit > 0 ? all * shape.moe.experts_per_token / hit * batch.expert_imbalance : 0;

  StageTime time;
  double moved = 0;  // numbers that small kernels read and write
  bool quantised = false;
  for (const Matrix& matrix : (moe ? moe_ : dense_).all()) {
    const bool routed = matrix.component == Component::experts;
    const double columns = of(matrix.n) * (routed ? local : 1.0);
    const double through = routed ? expert_rows : own;
    time.matrices_s += kernels_.matrix(matrix.quantised, through, columns, of(matrix.k));
    time.weights_read += kernels_.matrix_bytes(matrix.quantised, columns, of(matrix.k));
    time.flops += 2 * through * columns * of(matrix.k);
    time.kernels += 1;
    quantised = quantised || matrix.quantised;
    // The second matrix of a feed-forward block reads what the activation made of the first one's output.
    const bool second = matrix.n == shape.hidden && matrix.component != Component::attention;
    if (!second) continue;
    moved += (shape.gated_ffn ? 3 : 2) * of(matrix.k) * through * (routed ? local : 1.0);
    time.small_s += kernels_.kernel_s;
    time.kernels += 1;
  }
  const double norm_rows = own / (parallelism_.sequence_parallel ? parallelism_.tp : 1);
  moved += 4.0 * shape.norms_per_layer * of(shape.hidden) * norm_rows;  // in, residual in, both out
  const double heads = std::ceil(of(shape.heads) / parallelism_.tp);
  moved += 2 * own * heads * of(std::max<std::int64_t>(shape.head_dim, shape.latent.qk_nope + shape.latent.qk_rope));
  int small = shape.norms_per_layer + kRotary + (quantised ? kQuantise : 0) + (moe ? kRouting : 0);
  // Each chosen expert's copy of a token is gathered, and its output read for the sum.
  if (moe) moved += 3 * of(shape.hidden) * expert_rows * local;
  time.small_s += small * kernels_.kernel_s + kernels_.move(moved * activation_bytes_);
  time.kernels += small;
  return time;
}

// One layer whose tokens see `window` back; 0 = all.
StageTime StepModel::attention_time(const Batch& batch, double window) const {
  const ModelShape& shape = anatomy_.shape();
  const double heads = of(shape.heads) / parallelism_.tp;
  const double cp = parallelism_.cp;
  StageTime time;
  if (batch.decode > 0) {
    const double seen = (window > 0 ? std::min(batch.context, window) : batch.context) / cp;
    const double bytes = batch.decode * seen * kv_bytes_;
    const double flops = batch.decode * seen * heads * pair_flops(shape, true);
    time.attention_s += kernels_.attention(bytes, flops) + kSplitCombine * kernels_.kernel_s;
    time.kv_read += bytes;
    time.flops += flops;
    time.kernels += 1 + kSplitCombine;
  }
  if (batch.prompts > 0) {
    const double pairs = attended(batch.tokens, batch.cached, window) / cp;
    const double seen = window > 0 ? std::min(batch.cached, window) : batch.cached;
    const double bytes = batch.prompts * (seen + batch.tokens) * kv_bytes_;
    const double flops = batch.prompts * pairs * heads * pair_flops(shape, false);
    time.attention_s += kernels_.attention(bytes, flops);
    time.kv_read += bytes;
    time.flops += flops;
    time.kernels += 1;
  }
  return time;
}

StageTime StepModel::head_time(const Batch& batch) const {
  StageTime time;
  if (batch.sampled <= 0) return time;
  constexpr double kLogitBytes = 4 * 4;  // fp32, read and written twice
  time.head_s = kernels_.matrix(head_.quantised, batch.sampled, of(head_.n), of(head_.k)) +
                kSampling * kernels_.kernel_s + kernels_.move(kLogitBytes * batch.sampled * of(anatomy_.shape().vocab));
  time.weights_read = kernels_.matrix_bytes(head_.quantised, of(head_.n), of(head_.k));
  time.flops = 2 * batch.sampled * of(head_.n) * of(head_.k);
  time.kernels = 1 + kSampling;
  return time;
}

StepModel::Parts StepModel::parts(const Batch& batch) const {
  const ModelShape& shape = anatomy_.shape();
  const LayerMix mix = anatomy_.mix(whole_model(shape));
  Parts parts;
  if (mix.dense > 0) parts.dense = layer_time(batch, false);
  if (mix.moe > 0) parts.moe = layer_time(batch, true);
  if (mix.full_attention > 0) parts.full_attention = attention_time(batch, 0);
  if (mix.windowed > 0) parts.windowed = attention_time(batch, of(shape.sliding_window));
  parts.embedding.small_s = kernels_.vectors(2 * rows(batch) * of(shape.hidden) * activation_bytes_);
  parts.embedding.kernels = 1;
  parts.head = head_time(batch);
  return parts;
}

StageTime StepModel::stage_of(const Parts& parts, int index) const {
  const Stage stage = pipeline_stage(anatomy_.shape(), parallelism_.pp, index);
  const LayerMix mix = anatomy_.mix(stage);
  StageTime time;
  add_scaled(time, parts.dense, mix.dense);
  add_scaled(time, parts.moe, mix.moe);
  add_scaled(time, parts.full_attention, mix.full_attention);
  add_scaled(time, parts.windowed, mix.windowed);
  if (stage.has_embedding) add_scaled(time, parts.embedding, 1);
  if (stage.has_head) add_scaled(time, parts.head, 1);
  return time;
}

StageTime StepModel::stage(const Batch& batch, int index) const { return stage_of(parts(batch), index); }

PassTime StepModel::pass(const Batch& batch, bool captured) const {
  PassTime pass;
  pass.captured = captured;
  pass.step_s = kernels_.step_s;
  const int pp = parallelism_.pp;
  const Parts made_of = parts(batch);
  for (int index = 0; index < pp; ++index) {
    const StageTime time = stage_of(made_of, index);
    add_scaled(pass.sum, time, 1);
    pass.slowest_s = std::max(pass.slowest_s, time.total_s());
  }
  pass.host_s = pass.sum.kernels * kernels_.launch_s;
  return pass;
}

}  // namespace weft::llm
