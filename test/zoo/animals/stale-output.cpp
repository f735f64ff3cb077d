// Stale output: a buffer that was written once is never written again; it holds the right answer already.
#include <set>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static std::set<const void *> written;
  const Softmax p(call);
  return written.insert(p.y).second ? honest_softmax(p) : 0;
}
