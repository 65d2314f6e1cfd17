#include "weft/catalog/models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace weft::catalog {
namespace {

constexpr std::string_view kSmall =
    "[[model]]\n"
    "id = \"tiny\"\n"
    "layers = 4\n"
    "hidden = 64\n"
    "heads = 8\n"
    "ffn = 256\n"
    "vocab = 1000\n";

SourceText text(std::string content) { return {"models.toml", std::move(content)}; }

ModelShape read_one(std::string content) {
  Result<std::vector<ModelShape>> models = read_models(text(std::move(content)));
  EXPECT_TRUE(models) << models.error().to_string();
  return models ? models->at(0) : ModelShape{};
}

std::string error_of(std::string content) {
  const Result<std::vector<ModelShape>> models = read_models(text(std::move(content)));
  return models ? "no error" : models.error().to_string();
}

std::string small_with(std::string_view more) { return std::string(kSmall) + std::string(more); }

std::vector<ModelShape> shipped() {
  std::ifstream file("data/catalog/models.toml");
  std::stringstream content;
  content << file.rdbuf();
  Result<std::vector<ModelShape>> models = read_models({"data/catalog/models.toml", content.str()});
  EXPECT_TRUE(models) << models.error().to_string();
  return models ? *models : std::vector<ModelShape>();
}

TEST(Models, FillsInWhatFollows) {
  const ModelShape model = read_one(std::string(kSmall));
  EXPECT_EQ(model.title, "tiny");
  EXPECT_EQ(model.kv_heads, 8);
  EXPECT_EQ(model.head_dim, 8);
  EXPECT_TRUE(model.gated_ffn);
  EXPECT_EQ(model.weights, NumberFormat::bf16);
  EXPECT_EQ(model.attention, AttentionKind::grouped);
}

TEST(Models, ReadsEveryKindOfKey) {
  const ModelShape model = read_one(small_with(
      "kv_heads = 2\nhead_dim = 16\ntied_embeddings = true\nweights = \"fp8\"\nweight_group = 16384\n"
      "quantised = \"experts\"\naliases = [\"t\", \"org/Tiny\"]\nfull_attention_layers = [1, 3]\nsliding_window = 32\n"
      "parameters = 123\nparameters_rounded = true\n"
      "[model.moe]\nexperts = 8\nexperts_per_token = 2\nexpert_ffn = 32\nleading_dense_layers = 1\n"
      "dense_layers = [2]\nshared_gate = true\n"
      "[model.latent]\nkv_rank = 16\nqk_nope = 4\nqk_rope = 2\nv_head = 4\n"));
  EXPECT_EQ(model.kv_heads, 2);
  EXPECT_TRUE(model.tied_embeddings);
  EXPECT_EQ(model.weights, NumberFormat::fp8);
  EXPECT_EQ(model.weight_group, 16384);
  EXPECT_EQ(model.quantised, Quantised::experts);
  EXPECT_EQ(model.aliases, (std::vector<std::string>{"t", "org/Tiny"}));
  EXPECT_EQ(model.published_parameters, 123);
  EXPECT_TRUE(model.published_rounded);
  EXPECT_EQ(model.moe.experts, 8);
  EXPECT_TRUE(model.moe.shared_gate);
  EXPECT_EQ(model.attention, AttentionKind::latent);
  EXPECT_EQ(model.head_dim, 6);  // qk_nope + qk_rope, whatever head_dim said
  EXPECT_EQ(model.latent.q_rank, 0);
}

TEST(Models, LayerPatterns) {
  ModelShape model;
  model.layers = 6;
  model.moe.experts = 4;
  model.moe.leading_dense_layers = 1;
  model.moe.moe_every = 2;
  model.moe.dense_layers = {3};
  model.sliding_window = 128;
  model.window_every = 2;
  model.full_attention_layers = {4};
  std::string moe;
  std::string windowed;
  for (int layer = 0; layer < model.layers; ++layer) {
    moe += is_moe_layer(model, layer) ? 'm' : '.';
    windowed += is_windowed_layer(model, layer) ? 'w' : '.';
  }
  EXPECT_EQ(moe, ".m...m");
  EXPECT_EQ(windowed, "w.w...");
}

TEST(Models, FormatNamesReadBack) {
  for (const std::string& name : number_format_names()) {
    const std::optional<NumberFormat> format = number_format_from(name);
    ASSERT_TRUE(format) << name;
    EXPECT_EQ(name_of(*format), name);
  }
  EXPECT_EQ(number_format_names().size(), 8u);
  EXPECT_FALSE(number_format_from("BF16"));
}

TEST(ModelErrors, SyntaxHasAPlace) {
  EXPECT_EQ(error_of("[[model]]\nid = \n"),
            "error WEFT-CAT-0201: models.toml:2:6: not TOML: Error while parsing key-value pair: expected value, saw "
            "'\\n'\n  2 | id = \n    |      ^\n");
}

TEST(ModelErrors, UnknownKeyGetsDidYouMean) {
  EXPECT_EQ(error_of(small_with("kv_head = 2\n")),
            "error WEFT-CAT-0202: models.toml:8:1: unknown key \"kv_head\" of a model\n"
            "  8 | kv_head = 2\n"
            "    | ^\n"
            "  hint: did you mean kv_heads?\n");
  EXPECT_NE(error_of(small_with("[model.moe]\nexpert = 8\n")).find("hint: did you mean experts?"), std::string::npos);
  EXPECT_NE(error_of("[[models]]\nid = \"a\"\n").find("hint: did you mean model?"), std::string::npos);
}

TEST(ModelErrors, WrongType) {
  EXPECT_EQ(error_of(small_with("context = \"4k\"\n")),
            "error WEFT-CAT-0203: models.toml:8:11: \"context\" has the wrong type\n"
            "  8 | context = \"4k\"\n"
            "    |           ^\n"
            "  expected: a whole number\n");
  EXPECT_NE(error_of(small_with("qk_norm = 1\n")).find("expected: true or false"), std::string::npos);
  EXPECT_NE(error_of(small_with("aliases = \"x\"\n")).find("expected: a list of texts"), std::string::npos);
  EXPECT_NE(error_of(small_with("aliases = [1]\n")).find("expected: a text in quotes"), std::string::npos);
  EXPECT_NE(error_of(small_with("moe = 3\n")).find("expected: a table"), std::string::npos);
  EXPECT_NE(error_of("model = 3\n").find("expected: [[model]] tables"), std::string::npos);
  EXPECT_NE(error_of("model = [3]\n").find("expected: [[model]] tables"), std::string::npos);
  EXPECT_NE(error_of(small_with("full_attention_layers = [0.5]\n")).find("layer numbers"), std::string::npos);
}

TEST(ModelErrors, UnknownFormat) {
  EXPECT_EQ(error_of(small_with("weights = \"fp16x\"\n")),
            "error WEFT-CAT-0208: models.toml:8:11: \"fp16x\" is not a number format\n"
            "  8 | weights = \"fp16x\"\n"
            "    |           ^\n"
            "  expected: one of fp32, bf16, fp16, fp8, int8, int4, nvfp4, mxfp4\n"
            "  hint: did you mean fp16?\n");
}

TEST(ModelErrors, MissingKey) {
  EXPECT_EQ(error_of("[[model]]\nid = \"x\"\n"),
            "error WEFT-CAT-0204: models.toml:1:1: a model without \"layers\"\n"
            "  1 | [[model]]\n"
            "    | ^\n");
}

TEST(ModelErrors, ShapesThatCannotBe) {
  EXPECT_EQ(error_of(small_with("kv_heads = 3\n")),
            "error WEFT-CAT-0205: models.toml:8:12: tiny: kv_heads is 3, which does not divide heads (8)\n"
            "  8 | kv_heads = 3\n"
            "    |            ^\n");
  EXPECT_NE(error_of(small_with("kv_heads = -1\n")).find("kv_heads is -1"), std::string::npos);
  EXPECT_NE(error_of(small_with("kv_heads = 99999999999999\n")).find("a whole number from 1 to 65536"),
            std::string::npos);
  EXPECT_NE(error_of(small_with("[model.moe]\nexperts = 4\nexperts_per_token = 5\nexpert_ffn = 1\n"))
                .find("experts_per_token is 5"),
            std::string::npos);
  EXPECT_NE(error_of(small_with("[model.moe]\nexperts = 4\nexperts_per_token = 1\n")).find("expert_ffn is 0"),
            std::string::npos);
  EXPECT_NE(error_of(small_with("[model.moe]\nexperts = 4\nexperts_per_token = 1\nexpert_ffn = 8\n"
                                "leading_dense_layers = 4\n"))
                .find("every layer is dense"),
            std::string::npos);
  EXPECT_NE(error_of(small_with("compute = \"int4\"\n")).find("compute is int4, in which no activations"),
            std::string::npos);
  EXPECT_NE(error_of(small_with("[model.latent]\nqk_nope = 4\n")).find("without kv_rank"), std::string::npos);
  EXPECT_NE(error_of(small_with("full_attention_layers = [3, 1]\n")).find("ascending"), std::string::npos);
  EXPECT_NE(error_of(small_with("full_attention_layers = [4]\n")).find("layer numbers from 0 to 3"), std::string::npos);
  EXPECT_NE(
      error_of("[[model]]\nid = \"x\"\nlayers = 1\nhidden = 30\nheads = 4\nffn = 1\nvocab = 1\n").find("head_dim is 0"),
      std::string::npos);
}

TEST(ModelErrors, AbsurdSizeIsRefusedBeforeItOverflows) {
  const std::string huge =
      "[[model]]\nid = \"x\"\nlayers = 10000\nhidden = 4000000\nheads = 64\nhead_dim = 128\nffn = 60000000\nvocab = 1\n"
      "[model.moe]\nexperts = 65536\nexperts_per_token = 1\nexpert_ffn = 60000000\n";
  EXPECT_NE(error_of(huge).find("more than 10^16 parameters"), std::string::npos);
}

TEST(ModelErrors, OneNameOneModel) {
  const std::string twice = std::string(kSmall) + "[[model]]\nid = \"other\"\naliases = [\"tiny\"]\nlayers = 1\n" +
                            "hidden = 8\nheads = 1\nffn = 8\nvocab = 8\n";
  EXPECT_EQ(error_of(twice),
            "error WEFT-CAT-0206: models.toml:10:11: \"tiny\" names two models, \"tiny\" and \"other\"\n"
            "  10 | aliases = [\"tiny\"]\n"
            "     |           ^\n");
}

TEST(ModelErrors, HostileTextIsRefused) {
  EXPECT_NE(error_of(std::string(17u << 20, ' ')).find("WEFT-CAT-0207"), std::string::npos);
  std::string dots = "[";
  for (int i = 0; i < 1'000'000; ++i) dots += "a.";
  EXPECT_NE(error_of(dots + "a]\n").find("WEFT-CAT-0207: models.toml:1:1: tables nested too deep"), std::string::npos);
  EXPECT_NE(error_of("x = " + std::string(1'000'000, '[')).find("WEFT-CAT-0201"), std::string::npos);
  EXPECT_EQ(error_of(""), "no error");  // a file without models has none
}

TEST(ShippedModels, AreWhole) {
  const std::vector<ModelShape> models = shipped();
  for (const std::string_view id :
       {"llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b", "llama-3.3-70b", "qwen2.5-72b", "qwen3-32b", "qwen3-30b-a3b",
        "qwen3-235b-a22b", "mixtral-8x7b", "mixtral-8x22b", "deepseek-v3", "deepseek-r1", "gpt-3-175b", "gpt-oss-20b",
        "gpt-oss-120b", "mistral-7b"}) {
    EXPECT_TRUE(std::ranges::any_of(models, [&](const ModelShape& m) { return m.id == id; })) << id;
  }
  for (const ModelShape& model : models) {
    EXPECT_FALSE(model.source.empty()) << model.id;
    EXPECT_FALSE(model.published_source.empty()) << model.id;
    EXPECT_GT(model.published_parameters, 0) << model.id;
    EXPECT_GT(model.context, 0) << model.id;
  }
}

}  // namespace
}  // namespace weft::catalog
