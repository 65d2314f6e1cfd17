#include "weft/formats/nvsmi_tree.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

// Disjoint sets whose root is the smallest member, so that groups number in device order.
class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t of(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = of(a);
    b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

class TreeMaker {
 public:
  TreeMaker(const TopoMatrix& matrix, Remarks& remarks)
      : m_(matrix), n_(matrix.devices.size()), remarks_(remarks), pix_(n_), pxb_(n_), phb_(n_), node_(n_) {}

  PcieTree run() {
    join_by_cells();
    join_by_affinity();
    join_stray_nics();
    join_the_rest();
    number();
    check_cells();
    remark_on_virtual_machines();
    return std::move(tree_);
  }

 private:
  void join_by_cells() {
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = a + 1; b < n_; ++b) {
        const TopoCell& cell = m_.cell(a, b);
        if (!cell.known()) continue;
        const Closeness c = cell.closeness;
        if (c == Closeness::pix) pix_.join(a, b);
        if (c == Closeness::pix || c == Closeness::pxb) pxb_.join(a, b);
        if (c == Closeness::pix || c == Closeness::pxb || c == Closeness::phb) phb_.join(a, b);
        if (c >= Closeness::pix && c <= Closeness::node) node_.join(a, b);
      }
    }
  }

  // Do any two devices of these groups say that they are on different sockets?
  [[nodiscard]] bool apart(std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < n_; ++i) {
      if (node_.of(i) != node_.of(a)) continue;
      for (std::size_t j = 0; j < n_; ++j) {
        if (node_.of(j) == node_.of(b) && m_.cell(i, j).known() && m_.cell(i, j).closeness == Closeness::sys)
          return true;
      }
    }
    return false;
  }

  // GPUs that NVLink hides from each other: one NUMA node is one socket, unless the cells say otherwise.
  void join_by_affinity() {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < n_; ++i) {
      const std::string key = affinity(i);
      if (key.empty()) continue;
      const auto [it, is_new] = first.emplace(key, i);
      if (is_new || node_.of(it->second) == node_.of(i)) continue;
      if (apart(it->second, i)) {
        remarks_.notes.add(
            "the NUMA affinity puts devices on one node that the matrix holds apart (SYS): the matrix counts",
            m_.devices[it->second].name + " and " + m_.devices[i].name);
      } else {
        node_.join(it->second, i);
      }
    }
  }

  [[nodiscard]] std::string affinity(std::size_t i) const {
    const TopoDevice& device = m_.devices[i];
    if (!device.gpu) return "";
    return device.numa_affinity.empty() ? device.cpu_affinity : device.numa_affinity;
  }

  // NICs far from every GPU and of unknown distance to each other (their rows are missing): one socket, not one each.
  void join_stray_nics() {
    for (std::size_t a = m_.gpus(); a < n_; ++a) {
      for (std::size_t b = a + 1; b < n_; ++b) {
        if (!m_.cell(a, b).known() && alone(a) && alone(b)) node_.join(a, b);
      }
    }
  }

  [[nodiscard]] bool alone(std::size_t i) {
    for (std::size_t g = 0; g < m_.gpus(); ++g) {
      if (node_.of(g) == node_.of(i)) return false;
    }
    return true;
  }

  // Devices of which nothing is known but NVLink, or nothing at all.
  void join_the_rest() {
    std::vector<std::size_t> homes;
    for (std::size_t i = 0; i < n_; ++i) {
      if (placed(i) && node_.of(i) == i) homes.push_back(i);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      if (placed(i)) continue;
      if (homes.empty()) {  // nothing tells of sockets: one
        node_.join(0, i);
        continue;
      }
      const std::size_t gpus = std::max<std::size_t>(1, m_.gpus());
      const std::size_t home = m_.devices[i].gpu ? std::min(homes.size() - 1, i * homes.size() / gpus) : 0;
      node_.join(homes[home], i);
      remarks_.assumed.add("the matrix does not tell where these hang: on a root port of their own, sockets in order",
                           m_.devices[i].name);
    }
  }

  [[nodiscard]] bool placed(std::size_t i) const {
    if (!affinity(i).empty()) return true;
    for (std::size_t j = 0; j < n_; ++j) {
      const TopoCell& cell = m_.cell(i, j);
      if (i != j && cell.known() && cell.closeness >= Closeness::pix && cell.closeness <= Closeness::sys) return true;
    }
    return false;
  }

  void number() {
    tree_.places.resize(n_);
    std::map<std::size_t, int> sockets, roots, outer, inner;
    std::map<std::size_t, int> pix_size, pxb_size;
    for (std::size_t i = 0; i < n_; ++i) {
      ++pix_size[pix_.of(i)];
      ++pxb_size[pxb_.of(i)];
    }
    const auto next = [](std::map<std::size_t, int>& numbers, std::size_t group) {
      return numbers.emplace(group, static_cast<int>(numbers.size())).first->second;
    };
    for (std::size_t i = 0; i < n_; ++i) {
      PciePlace& place = tree_.places[i];
      place.socket = next(sockets, node_.of(i));
      place.root = next(roots, phb_.of(i));
      // Several PIX groups that are PXB to each other need a switch above theirs.
      if (pxb_size[pxb_.of(i)] > pix_size[pix_.of(i)]) place.outer_switch = next(outer, pxb_.of(i));
      if (place.outer_switch >= 0 || pix_size[pix_.of(i)] > 1) place.inner_switch = next(inner, pix_.of(i));
    }
    tree_.sockets = static_cast<int>(sockets.size());
    tree_.roots = static_cast<int>(roots.size());
    tree_.outer_switches = static_cast<int>(outer.size());
    tree_.inner_switches = static_cast<int>(inner.size());
    name_sockets();
  }

  // Hand-made or damaged matrices may fit no tree at all.
  void check_cells() {
    std::size_t odd = 0;
    std::string example;
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = a + 1; b < n_; ++b) {
        const TopoCell& cell = m_.cell(a, b);
        if (!cell.known() || cell.closeness < Closeness::pix || cell.closeness > Closeness::sys) continue;
        if (cell.closeness == in_tree(a, b)) continue;
        if (odd++ == 0) {
          example = m_.devices[a].name + "-" + m_.devices[b].name + " says " + std::string(name_of(cell.closeness)) +
                    ", the tree gives " + std::string(name_of(in_tree(a, b)));
        }
      }
    }
    if (odd == 0) return;
    remarks_.notes.add("the cells fit no PCIe tree: " + counted(odd, "pair") + " came out nearer than stated (" +
                       example + ")");
  }

  [[nodiscard]] Closeness in_tree(std::size_t a, std::size_t b) const {
    const PciePlace& x = tree_.places[a];
    const PciePlace& y = tree_.places[b];
    if (x.inner_switch >= 0 && x.inner_switch == y.inner_switch) return Closeness::pix;
    if (x.outer_switch >= 0 && x.outer_switch == y.outer_switch) return Closeness::pxb;
    if (x.root == y.root) return Closeness::phb;
    return x.socket == y.socket ? Closeness::node : Closeness::sys;
  }

  void name_sockets() {
    tree_.socket_names.resize(static_cast<std::size_t>(tree_.sockets));
    for (std::size_t i = 0; i < n_; ++i) {
      std::string& name = tree_.socket_names[static_cast<std::size_t>(tree_.places[i].socket)];
      const std::string& numa = m_.devices[i].numa_affinity;
      if (name.empty() && !numa.empty()) name = "numa" + numa.substr(0, numa.find_first_of(",-"));
    }
  }

  // One and the same word for every pair that is not NVLink: a hypervisor's flat bus.
  void remark_on_virtual_machines() {
    std::optional<Closeness> only;
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = a + 1; b < n_; ++b) {
        const TopoCell& cell = m_.cell(a, b);
        if (!cell.known() || cell.closeness == Closeness::nvlink) continue;
        if (only && *only != cell.closeness) return;
        only = cell.closeness;
        ++pairs;
      }
    }
    if (pairs < 6 || !only || (*only != Closeness::phb && *only != Closeness::pix)) return;
    remarks_.notes.add("every pair is " + std::string(name_of(*only)) +
                       ": a virtual machine hides the PCIe tree, so which NIC is near which GPU is not known");
  }

  const TopoMatrix& m_;
  std::size_t n_;
  Remarks& remarks_;
  Groups pix_, pxb_, phb_, node_;
  PcieTree tree_;
};

}  // namespace

PcieTree infer_pcie_tree(const TopoMatrix& matrix, Remarks& remarks) { return TreeMaker(matrix, remarks).run(); }

}  // namespace weft::formats
