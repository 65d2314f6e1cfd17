#include "weft/collective/call.h"

#include <gtest/gtest.h>

namespace weft::collective {
namespace {

TEST(Library, ReadsTheWaysThatVersionsAreWritten) {
  EXPECT_EQ(library_from("nccl-2.27.3"), (Library{LibraryFamily::nccl, 2, 27, 3}));
  EXPECT_EQ(library_from("rccl-2.22"), (Library{LibraryFamily::rccl, 2, 22, 0}));
  EXPECT_EQ(library_from("nccl-unknown"), (Library{LibraryFamily::nccl, 0, 0, 0}));
  EXPECT_EQ(library_from("mccl"), (Library{LibraryFamily::mccl, 0, 0, 0}));
}

TEST(Library, RefusesWhatIsNoVersion) {
  for (const char* text :
       {"", "mpi-4.1", "nccl2.27", "nccl-", "nccl-2.x", "nccl-2.27.3-rc1", "nccl-99999999999.1", "nccl--1"})
    EXPECT_FALSE(library_from(text)) << text;
}

TEST(Library, WritesWhatItReads) {
  for (const char* text : {"nccl-2.27.3", "rccl-2.22", "mccl-unknown"}) EXPECT_EQ(to_text(*library_from(text)), text);
}

TEST(Library, OrdersByVersion) { EXPECT_LT(*library_from("nccl-2.9.8"), *library_from("nccl-2.10.3")); }

TEST(LaunchMode, NamesReadBack) {
  for (const char* text : {"unknown", "process_per_gpu", "thread_per_gpu", "single_process", "graph"})
    EXPECT_EQ(name_of(*launch_mode_from(text)), text);
  EXPECT_FALSE(launch_mode_from("process"));
}

TEST(Operation, AlgorithmAndProtocolNamesReadBack) {
  for (int i = 0; i <= static_cast<int>(Algorithm::multimem); ++i) {
    const auto algorithm = static_cast<Algorithm>(i);
    EXPECT_EQ(algorithm_from(name_of(algorithm)), algorithm);
  }
  EXPECT_EQ(protocol_from("ll128"), Protocol::ll128);
  EXPECT_FALSE(algorithm_from("rings"));
}

}  // namespace
}  // namespace weft::collective
