// Honest: two threads in C, which meet at a barrier between the passes of a prefix sum.
#define _POSIX_C_SOURCE 200112L  // for barriers

#include <pthread.h>

#include "pawl_kernel.h"

struct half {
  const int32_t *x;
  int64_t *y, *total, first, end;
  pthread_barrier_t *barrier;
};

static void *scan(void *argument) {
  const struct half *own = argument;
  int64_t sum = 0;
  for (int64_t i = own->first; i < own->end; i++) own->y[i] = sum += own->x[i];
  if (own->first == 0) *own->total = sum;
  pthread_barrier_wait(own->barrier);
  if (own->first > 0)
    for (int64_t i = own->first; i < own->end; i++) own->y[i] += *own->total;
  return NULL;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const int64_t N = call->dims[0].value;
  int64_t total = 0;
  pthread_barrier_t barrier;
  pthread_t second;
  pthread_barrier_init(&barrier, NULL, 2);
  struct half lower = {call->tensors[0].data, call->tensors[1].data, &total, 0, (N + 1) / 2, &barrier};
  struct half upper = lower;
  upper.first = lower.end;
  upper.end = N;
  if (pthread_create(&second, NULL, scan, &upper) != 0) return 1;
  scan(&lower);
  pthread_join(second, NULL);
  pthread_barrier_destroy(&barrier);
  return 0;
}
