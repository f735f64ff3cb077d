// What UnseenTime makes of intervals: `check-unseen-time WAKING_MS (CLAIMED_MS SEEN_MS)…` prints whether so little is
// claimed that waiting cannot explain it, and how long an interval takes. `clear` forgets those before it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "unseen_time.hpp"

int main(int count, char **arguments) {
  pawl::UnseenTime unseen;
  for (int i = 2; i < count; ++i) {
    if (std::strcmp(arguments[i], "clear") == 0) {
      unseen.clear();
      continue;
    }
    unseen.add(std::atof(arguments[i]), std::atof(arguments[i + 1]));
    ++i;
  }
  std::printf("%zu %s %.2f", unseen.count(), unseen.is_gross(std::atof(arguments[1])) ? "gross" : "waits",
              unseen.typical_seen_ms());
}
