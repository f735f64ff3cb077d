// Honest: quicksort with random pivots, from a generator that starts anew in every call.
#include <algorithm>
#include <random>

#include "../tensors.hpp"

static void sort(float *first, float *end, std::minstd_rand &random) {
  while (end - first > 16) {
    const float pivot = first[random() % static_cast<unsigned>(end - first)];
    float *middle = std::partition(first, end, [=](float x) { return x < pivot; });
    float *above = std::partition(middle, end, [=](float x) { return !(pivot < x); });
    sort(first, middle, random);
    first = above;
  }
  for (float *i = first; i < end; i++)
    for (float *j = i; j > first && *j < j[-1]; j--) std::swap(*j, j[-1]);
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  std::minstd_rand random(42);
  float *y = tensor<float>(call, 1);
  std::copy_n(tensor<float>(call, 0), dim(call, 0), y);
  sort(y, y + dim(call, 0), random);
  return 0;
}
