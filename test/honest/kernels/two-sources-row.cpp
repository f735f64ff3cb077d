// Honest: the other of two files.
#include "two-sources.hpp"

void one_row(const float *x, float *y, int64_t length) { softmax_row(x, y, length); }
