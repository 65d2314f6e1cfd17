// The reader of Hugging Face configs: any text is a model whose figures can all be computed, or an error with an id.
#include "weft/formats/hf_config.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "weft/base/check.h"
#include "weft/base/printable.h"
#include "weft/catalog/model_rules.h"
#include "weft/llm/flops.h"
#include "weft/llm/memory.h"
#include "weft/llm/parameters.h"

namespace {

void model_holds(const weft::formats::HfConfig& config) {
  const weft::catalog::ModelShape& shape = config.shape;
  WEFT_CHECK(!weft::catalog::fault_of(shape), "what is read can be");
  const std::int64_t parameters = weft::llm::count_parameters(shape).total();
  WEFT_CHECK(parameters > 0, "a model has parameters, and their sum does not overflow");
  WEFT_CHECK(weft::llm::count_active_parameters(shape).total() <= parameters, "a token uses no more than all of them");
  WEFT_CHECK(weft::llm::stage_weights(shape, {}, 0).total().count() > 0, "weights take room");
  WEFT_CHECK(weft::llm::kv_bytes_per_token(shape).count() > 0, "a token is remembered");
  WEFT_CHECK(weft::llm::decode_flops(shape, 1).total() > 0, "a token takes work");
  for (const std::string& note : config.assumed) {
    WEFT_CHECK(!note.empty() && note.size() < 1000 && weft::printable(note) == note, "a note is short and printable");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::SourceText source{"config.json", std::string(data, data + size)};
  static_cast<void>(weft::formats::looks_like_hf_config(source.text));
  const weft::Result<weft::formats::HfConfig> config = weft::formats::read_hf_config(source);
  if (config) {
    model_holds(*config);
  } else {
    const weft::Error& error = config.error();
    WEFT_CHECK(error.id.starts_with("WEFT-FMT-04"), "an error has its id");
    WEFT_CHECK(error.to_string().size() < 2000, "an error is short");
    WEFT_CHECK(weft::printable(error.message) == error.message, "an error is printable");
  }
  return 0;
}
