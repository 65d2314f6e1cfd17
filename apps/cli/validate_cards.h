// A model card for each calibration set that priced something: equation, constants, validity, error, and a picture.
#pragma once

#include <string>
#include <vector>

#include "validate_print.h"
#include "weft/catalog/calibration.h"

namespace weft::cli {

struct ModelCard {
  std::string name;  // of the set; its files are name.md and name.svg
  std::string markdown;
  std::string picture;
};

[[nodiscard]] std::vector<ModelCard> model_cards(const Validation& validation, const catalog::Calibration& calibration);

}  // namespace weft::cli
