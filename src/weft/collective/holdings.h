// What one node holds while a schedule runs: for each chunk, whose contributions are in it.
//
// Neighbouring chunks with the same content are one run, so that a rank that holds a whole buffer is one entry.
#pragma once

#include <functional>
#include <map>

#include "weft/collective/contributions.h"
#include "weft/collective/schedule.h"

namespace weft::collective {

struct Content {
  Contributions of;
  int bound_for = -1;  // the rank that a block of an all-to-all is for; -1: a chunk is for whom its number says
  bool operator==(const Content&) const = default;
};

class Holdings {
 public:
  struct Run {
    int end = 0;
    Content content;
  };

  void set(int begin, int end, Content content);
  // Adds to what is there. What comes of it: all is well, blocks bound for different ranks are mixed, or a contribution
  // is in it more than once.
  enum class Sum { good, mixed, doubled };
  [[nodiscard]] Sum add(int begin, int end, const Content& content);
  // Runs of [begin, end), clipped to it. False: some chunk of it is not held.
  bool read(int begin, int end, const std::function<void(int, int, const Content&)>& visit) const;

 private:
  void split(int at);
  void join(int at);
  std::map<int, Run> runs_;  // by first chunk
};

// Calls `visit` with the pieces [begin, end) of a chunk set, which wraps around `chunks`.
void for_each_run(const ChunkSet& set, int chunks, const std::function<void(int, int)>& visit);

}  // namespace weft::collective
