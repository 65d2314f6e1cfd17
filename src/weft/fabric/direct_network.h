// Dragonfly, torus and hand-cabled networks; see network.h for the shapes.
#pragma once

#include "weft/fabric/clos.h"

namespace weft::fabric {

Result<void> add_dragonfly(FabricBuilder& builder, const NetworkSpec& spec, const NetworkPlan& plan);
Result<void> add_torus(FabricBuilder& builder, const NetworkSpec& spec, const NetworkPlan& plan);
Result<void> add_custom(FabricBuilder& builder, const catalog::Catalog& catalog, const NetworkSpec& spec,
                        const NetworkPlan& plan);

}  // namespace weft::fabric
