// Wrong head stride: S·S instead of S·D, which is right as long as S = D.
#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  for (int64_t b = 0; b < p.B; b++)
    for (int64_t h = 0; h < p.H; h++)
      for (int64_t s = 0; s < p.S; s++) {
        const int64_t to = ((b * p.H + h) * p.S + s) * p.D;
        // Not past the end: a bug that crashes needs no detector.
        const int64_t from = (b * p.H * p.S * p.D + h * p.S * p.S + s * p.D) % (p.count() - p.D + 1);
        softmax_row(p.x + from, p.y + to, p.D);
      }
  return 0;
}
