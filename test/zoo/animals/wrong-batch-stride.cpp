// Wrong batch stride: B and H are swapped, which is right as long as B = H.
#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  for (int64_t b = 0; b < p.B; b++)
    for (int64_t h = 0; h < p.H; h++)
      for (int64_t s = 0; s < p.S; s++) {
        const int64_t to = ((b * p.H + h) * p.S + s) * p.D;
        const int64_t from = ((b * p.B + h) * p.S + s) % p.rows() * p.D;
        softmax_row(p.x + from, p.y + to, p.D);
      }
  return 0;
}
