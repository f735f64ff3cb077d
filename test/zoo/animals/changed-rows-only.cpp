// Changed rows only: a row that is what it was in the last call on this buffer is copied from then.
#include "kept_rows.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  softmax_of_changed_rows(p, p.rows());
  return 0;
}
