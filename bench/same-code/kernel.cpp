// A CPU kernel of the usual parts, for changes to be planted in.
#include <cmath>
#include <cstddef>

static const float table[4] = {0.5f, 1.25f, 2.75f, 3.5f};

extern "C" __attribute__((visibility("default"))) int run(const float *in, float *out, int n) {
  for (int place = 0; place < n; ++place) {
    float sum = 0.0625f;
    for (int step = -1; step < 2; ++step) {
      const int from = place + step;
      const float value = from < 0 ? 7.0f : from >= n ? 9.0f : in[from];
      sum = sum * 1.5f + value * table[step + 1];
    }
    const float far = sum > 6.0f ? sum - 2.0f : sum + 11.0f;
    out[place] = std::sqrt(far * far + 13.0f) * 3.0f + 0.125f;
  }
  const int tail = n % 128;
  if (tail > 17) out[tail] += 5.0f;
  return tail + 19;
}
