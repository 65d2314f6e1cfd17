#include "weft/formats/nvsmi_links.h"

#include <algorithm>
#include <numeric>

#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

using catalog::GpuFabricShape;

// What the rows that are there say, and which catalog server it fits.
std::string still_usable(const TopoMatrix& m, const LinkView& links, const PartBook& book) {
  const std::size_t n = m.gpus();
  if (links.most == 0) return "take the matrix again; the rows given show no NVLink";
  std::vector<std::string> fitting;
  for (const catalog::ServerPart& server : book.servers()) {
    const int sum = std::accumulate(server.switch_links.begin(), server.switch_links.end(), 0);
    if (server.gpus == static_cast<int>(n) && server.shape == GpuFabricShape::switched && sum == links.most)
      fitting.push_back(server.id);
  }
  const std::string seen = "the rows given say " + std::to_string(n) + " GPUs with NV" + std::to_string(links.most);
  return fitting.empty() ? seen : seen + ": if this is one of " + listed(fitting) + ", use --cluster with that name";
}

}  // namespace

LinkView view_links(const TopoMatrix& m) {
  const std::size_t n = m.gpus();
  LinkView view;
  view.total.assign(n, 0);
  view.largest.assign(n, 0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (a == b) continue;
      const TopoCell& cell = m.cell(a, b);
      if (cell.closeness != Closeness::nvlink || !cell.known()) {
        view.all_pairs = false;
        continue;
      }
      view.uncounted = view.uncounted || cell.links == 0;
      view.total[a] += std::max(1, cell.links);
      view.largest[a] = std::max(view.largest[a], std::max(1, cell.links));
    }
    view.most = std::max(view.most, view.largest[a]);
  }
  return view;
}

std::pair<const char*, std::string> guess_gpu(const TopoMatrix& m, const LinkView& links) {
  const std::size_t n = m.gpus();
  const bool superchip =
      std::any_of(m.devices.begin(), m.devices.end(), [](const TopoDevice& d) { return !d.gpu_numa_id.empty(); });
  const bool every = links.all_pairs && n > 2;
  const int k = links.most;
  if (links.uncounted && k <= 1) return {"a100-pcie-80", "NVLink without a count, as bridges have"};
  if (k >= 18)
    return superchip ? std::pair{"gb200", std::string("NV18 and GPU memory as NUMA nodes")}
                     : std::pair{"h100-sxm5",
                                 std::string("NV18 is Hopper or Blackwell: H100, H200 and B200 look alike here")};
  if (k == 12)
    return every ? std::pair{"a100-sxm4-80", std::string("NV12 to all")}
                 : std::pair{"a100-pcie-80", std::string("NV12 in pairs: bridges")};
  if (k == 8) return {"h800-sxm", "NV8 is an H800 or A800"};
  if (k == 6 && n <= 4 && every)
    return superchip ? std::pair{"gh200-96", std::string("NV6 between four")}
                     : std::pair{"h100-sxm5", std::string("NV6 between four: a board without NVSwitch")};
  if (k == 6) return {"v100-sxm3-32", "NV6 to all"};
  if (k == 4)
    return every ? std::pair{"a100-sxm4-80", std::string("NV4 between four: a board without NVSwitch")}
                 : std::pair{"a6000", std::string("NV4 in pairs: bridges")};
  if (k == 2 && n == 2) return {"rtx2080ti", "NV2 in a pair: a bridge"};
  if (k > 0) return {"v100-sxm2", "NV" + std::to_string(k) + " between some: a mesh of V100 or P100"};
  return {"a100-pcie-80", "no NVLink; nothing else tells"};
}

Result<void> check_gpu_pairs(const TopoMatrix& m, const LinkView& links, const PartBook& book,
                             const SourceText& source) {
  const std::size_t n = m.gpus();
  std::size_t unknown = 0;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) unknown += m.cell(a, b).known() ? 0 : 1;
  }
  if (unknown == 0) return {};
  std::vector<std::string> cut;
  std::vector<std::string> missing;
  int last_line = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const TopoDevice& device = m.devices[i];
    last_line = std::max(last_line, device.line);
    if (!device.has_row) missing.push_back(device.name);
    if (device.has_row && device.cells_read < static_cast<int>(m.devices.size())) {
      cut.push_back("row " + device.name + " has " + std::to_string(device.cells_read) + " of " +
                    std::to_string(m.devices.size()) + " cells");
    }
  }
  std::string what = "the matrix is cut";
  if (!cut.empty()) what += ": " + listed(cut, 3);
  if (!missing.empty()) what += std::string(cut.empty() ? ":" : ";") + " no row for " + listed(missing, 5);
  return fail(input_error("WEFT-FMT-0206", what + "; " + counted(unknown, "pair") + " of GPUs not known")
                  .at(source.position_at(last_line, 1))
                  .with_expected("a row for each GPU: nvidia-smi topo -m > topo.txt, which no terminal cuts")
                  .with_hint(still_usable(m, links, book)));
}

}  // namespace weft::formats
