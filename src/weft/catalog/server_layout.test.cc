#include "weft/catalog/server_layout.h"

#include <gtest/gtest.h>

#include "weft/catalog/test_catalog.h"

namespace weft::catalog {
namespace {

ServerPart server(std::string_view id) { return builtin_catalog().server(id).value(); }

std::string error_of(std::string_view keys) {
  const Result<Catalog> catalog = load_over_builtin(
      "[server.s]\ntitle = \"S\"\nbasis = \"assumed\"\nnote = \"a test\"\ngpu = \"h100-sxm5\"\ngpus = 2\ncpu = "
      "\"xeon-spr\"\n"
      "sockets = 1\npeer_to_peer = true\n" +
      std::string(keys));
  return catalog ? "" : catalog.error().message;
}

TEST(ServerLayout, CardsSpreadEvenlyOverTheSockets) {
  const ServerPart four = server("pcie-a100:4");
  EXPECT_EQ(four.gpus, 4);
  ASSERT_EQ(four.pcie.size(), 4U);
  EXPECT_EQ(four.pcie[1].socket, 0);
  EXPECT_EQ(four.pcie[2].socket, 1);
  EXPECT_EQ(four.pcie[3].gpus, std::vector<int>{3});
  EXPECT_EQ(server("pcie-a100:2").pcie[1].socket, 1);
  EXPECT_EQ(server("pcie-a100").gpus, 8);
}

TEST(ServerLayout, CardsBehindASwitchComeInGroups) {
  const ServerPart six = server("pcie-l40s:6");
  ASSERT_EQ(six.pcie.size(), 2U);
  EXPECT_EQ(six.pcie[0].gpus, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(six.pcie[1].gpus, (std::vector<int>{4, 5}));
  EXPECT_EQ(six.pcie[0].switch_part, "pex88096");
  EXPECT_FALSE(six.pcie[0].bifurcated);
}

TEST(ServerLayout, CardsThatShareASlotWithoutASwitchAreBifurcated) {
  const Result<Catalog> catalog = load_over_builtin(
      "[server.s]\ntitle = \"S\"\nlike = \"pcie-a100\"\nbasis = \"assumed\"\nnote = \"a test\"\n"
      "gpus_per_group = 2\ngroup_uplink = \"pcie4-x16\"\nnic = \"cx6-hdr\"\nnics = 2\n");
  ASSERT_TRUE(catalog) << catalog.error().to_string();
  const ServerPart two = catalog->server("s:4").value();
  ASSERT_EQ(two.pcie.size(), 2U);
  EXPECT_TRUE(two.pcie[0].bifurcated);
  EXPECT_EQ(two.pcie[1].nics, std::vector<int>{1});
}

TEST(ServerLayout, TraysRepeatWithIndicesMovedOn) {
  const ServerPart rack = server("gb200-nvl72");
  ASSERT_EQ(rack.pcie.size(), 36U);
  EXPECT_EQ(rack.pcie[35].socket, 35);
  EXPECT_EQ(rack.pcie[35].gpus, (std::vector<int>{70, 71}));
  EXPECT_EQ(rack.pcie[2].nics, (std::vector<int>{4, 5}));
}

TEST(ServerLayout, MeshFromPairsAndBridges) {
  EXPECT_EQ(server("mi300x-8").mesh.size(), 28U);
  EXPECT_EQ(server("hgx-h100-4").mesh[5], (MeshEdge{2, 3, 6}));
  const ServerPart bridged = server("pcie-a100-bridged:5");
  EXPECT_EQ(bridged.mesh, (std::vector<MeshEdge>{{0, 1, 12}, {2, 3, 12}}));
}

TEST(ServerLayout, WhatCannotBeHasItsOwnId) {
  const Result<Catalog> catalog = load_over_builtin(
      "[server.s]\ntitle = \"S\"\nbasis = \"assumed\"\nnote = \"a test\"\ngpu = \"h100-sxm5\"\ngpus = 2\ncpu = "
      "\"xeon-spr\"\nsockets = 1\npeer_to_peer = true\nshape = \"round\"\n");
  EXPECT_EQ(catalog ? "" : catalog.error().id, "WEFT-CAT-0023");
}

TEST(ServerLayout, CountsForServersThatTakeThem) {
  const auto message = [](std::string_view id) { return builtin_catalog().server(id).error().to_string(); };
  EXPECT_EQ(message("hgx-h100-8:4"),
            "error WEFT-CAT-0021: \"hgx-h100-8:4\": hgx-h100-8 always has 8 GPUs\n"
            "  expected: a count after a server of PCIe cards, such as pcie-a100:4\n"
            "  hint: for several servers write 2xhgx-h100-8\n");
  EXPECT_EQ(message("pcie-a100:17"),
            "error WEFT-CAT-0022: \"pcie-a100:17\": not a count of GPUs\n"
            "  expected: 1 to 16\n");
  for (const std::string_view bad :
       {"pcie-a100:0", "pcie-a100:-1", "pcie-a100:4x", "pcie-a100:", "pcie-a100:99999999999999"}) {
    EXPECT_FALSE(builtin_catalog().server(bad)) << bad;
  }
}

TEST(ServerLayout, WhatCannotBeIsRefusedWhenRead) {
  const std::string none = "shape = \"none\"\n";
  EXPECT_EQ(error_of(none), "");
  EXPECT_EQ(error_of("shape = \"star\"\n"), "s: shape \"star\"");
  EXPECT_EQ(error_of("shape = \"switched\"\n"),
            "s: shape \"switched\" needs nvswitch and switch_links, and no other shape has them");
  EXPECT_EQ(error_of("shape = \"mesh\"\n"),
            "s: shapes \"mesh\" and \"bridges\" need mesh, links_per_pair or bridge_links, and no other has them");
  EXPECT_EQ(error_of("shape = \"mesh\"\nmesh = [[0, 2, 1]]\n"), "s: mesh joins 0 and 2");
  EXPECT_EQ(error_of("shape = \"mesh\"\nmesh = [[1, 1, 1]]\n"), "s: mesh joins 1 and 1");
  EXPECT_EQ(error_of("shape = \"mesh\"\nmesh = [[0, 1, 19]]\n"), "s: a GPU uses 19 links");
  EXPECT_EQ(error_of("shape = \"switched\"\nnvswitch = \"nvswitch3\"\nswitch_links = [9, 9, 9]\n"),
            "s: a GPU uses 27 links");
  EXPECT_EQ(error_of(none + "trays = 3\n"), "s: trays do not divide GPUs, sockets and NICs evenly");
  EXPECT_EQ(error_of(none + "baseboards = 3\n"), "s: baseboards do not divide the GPUs evenly");
  EXPECT_EQ(error_of(none + "nics = 2\n"), "s: nic and nics belong together");
  EXPECT_EQ(error_of(none + "pcie = [{ socket = 1, gpus = [0, 1] }]\n"), "s: pcie names socket 1 of 1");
  EXPECT_EQ(error_of(none + "pcie = [{ socket = 0, gpus = [0] }]\n"), "s: pcie leaves out gpu1");
  EXPECT_EQ(error_of(none + "pcie = [{ socket = 0, gpus = [0, 1, 1] }]\n"), "s: pcie names gpu1 twice");
  EXPECT_EQ(error_of(none + "pcie = [{ socket = 0, gpus = [0, 2] }]\n"), "s: pcie names gpu2 of 2");
  EXPECT_EQ(error_of(none + "pcie = [{ socket = 0, gpus = [0, 1], fans = 3 }]\n"),
            "unknown key of a PCIe group \"fans\"");
}

TEST(ServerLayout, TheErrorPointsAtTheServer) {
  const Result<Catalog> catalog = load_over_builtin(
      "\n[server.s]\ntitle = \"S\"\nlike = \"hgx-h100-8\"\nbasis = \"assumed\"\nnote = \"n\"\ngpus = 9\n");
  ASSERT_FALSE(catalog);
  EXPECT_EQ(catalog.error().where.line, 2);
  EXPECT_EQ(catalog.error().message, "s: pcie leaves out gpu8");
}

}  // namespace
}  // namespace weft::catalog
