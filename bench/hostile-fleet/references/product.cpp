#include "../product.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) { return honest_product(Product(call)); }
