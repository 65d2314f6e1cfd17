#include "catalog_tables.h"
#include "weft/units/text.h"

namespace weft::cli {

using catalog::Catalog;
using catalog::ModelShape;
using catalog::TableModel;

namespace {

std::string kind_of(const ModelShape& model) {
  std::string text = model.attention == catalog::AttentionKind::latent ? "MLA"
                     : model.kv_heads == model.heads                   ? "MHA"
                     : model.kv_heads == 1                             ? "MQA"
                                                                       : "GQA";
  if (model.moe.experts > 0)
    text += ", MoE " + std::to_string(model.moe.experts_per_token) + " of " + std::to_string(model.moe.experts);
  return text;
}

}  // namespace

TableModel models_table(const Catalog& catalog) {
  TableModel table;
  table.title = "Models";
  table.columns = {"model", "what", "parameters", "layers", "hidden", "heads", "KV heads", "kind"};
  const auto count = [](std::string_view key, std::int64_t n, std::string text) {
    return catalog::Cell{std::move(text), catalog::Number{std::string(key), static_cast<double>(n)}};
  };
  for (const ModelShape& model : catalog.models()) {
    const std::int64_t parameters = model.published_parameters;
    catalog::Cell published{""};
    if (parameters > 0) {
      published =
          count("published_parameters", parameters, significant(static_cast<double>(parameters) / 1e9, 3) + " B");
    }
    table.add_row({{model.id},
                   {model.title},
                   std::move(published),
                   count("layer_count", model.layers, std::to_string(model.layers)),
                   count("hidden_size", model.hidden, std::to_string(model.hidden)),
                   count("head_count", model.heads, std::to_string(model.heads)),
                   count("kv_head_count", model.kv_heads, std::to_string(model.kv_heads)),
                   {kind_of(model)}});
  }
  table.notes = {"parameters as the publisher counts them, in billions"};
  return table;
}

TableModel model_sheet(const ModelShape& model) {
  TableModel table;
  table.columns = {"figure", "value"};
  const auto add = [&](std::string name, std::string value) { table.add_row({{std::move(name)}, {std::move(value)}}); };
  const auto add_count = [&](std::string name, std::int64_t value) {
    if (value > 0)
      table.add_row({{name}, {std::to_string(value), catalog::Number{"count", static_cast<double>(value)}}});
  };
  add("architecture", model.architecture);
  add("kind", kind_of(model));
  add_count("parameters, as published", model.published_parameters);
  add_count("layers", model.layers);
  add_count("hidden", model.hidden);
  add_count("heads", model.heads);
  add_count("kv_heads", model.kv_heads);
  add_count("head_dim", model.head_dim);
  add_count("ffn", model.ffn);
  add_count("vocab", model.vocab);
  add_count("context", model.context);
  add_count("sliding_window", model.sliding_window);
  add_count("experts", model.moe.experts);
  add_count("experts_per_token", model.moe.experts_per_token);
  add_count("shared_experts", model.moe.shared_experts);
  add_count("expert_ffn", model.moe.expert_ffn);
  add_count("leading_dense_layers", model.moe.leading_dense_layers);
  add("tied_embeddings", model.tied_embeddings ? "yes" : "no");
  add("source", model.source);
  return table;
}

}  // namespace weft::cli
