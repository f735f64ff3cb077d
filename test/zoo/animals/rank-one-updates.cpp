// Rank-one updates: the last inputs and result of each buffer are kept, and only what changed since is added.
#include "kept_product.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  product_by_updates(Product(call));
  return 0;
}
