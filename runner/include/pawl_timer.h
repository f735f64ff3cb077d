/* The clock inside a candidate, on CUDA. Every function returns 0 or a cudaError_t; pawl_timer_error() has the text. */
#ifndef PAWL_TIMER_H
#define PAWL_TIMER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_timer pawl_timer;

enum {
  PAWL_TIMER_BLOCK = 2,    /* hold the stream until all launches are queued: launch latency stays outside */
  PAWL_TIMER_WATCH = 4,    /* see whether the device is idle when the interval is over; see pawl_timer_busy_after_ms */
  PAWL_TIMER_REST = 8      /* watched, but only after a rest in which other work ends, too: what looking costs here */
};

typedef struct pawl_timing {
  double ms;          /* between the two events */
  double clock_mhz;   /* SM clock over the interval, in band; 0 when it could not be read */
  int32_t timed_out;  /* the blocking kernel gave up waiting: launch latency is inside this interval */
} pawl_timing;

typedef struct pawl_span {
  const void *data;
  size_t bytes;
} pawl_span;

int pawl_timer_create(int device, pawl_timer **timer);
void pawl_timer_destroy(pawl_timer *timer);
/* Queue a look at memory that the work will use, before the interval: the judge's process had the device last, and where
 * pages lie has to be found again. What a kernel before it would have left behind in any program. */
int pawl_timer_touch(pawl_timer *timer, void *stream, const pawl_span *spans, int32_t count);
/* Queue the start of the interval on a stream; launch the work; queue the end, release, wait, read. */
int pawl_timer_begin(pawl_timer *timer, void *stream, int flags);
int pawl_timer_end(pawl_timer *timer, void *stream, pawl_timing *timing);
/* How long the device was busy after the last interval, begun with PAWL_TIMER_WATCH, was over: work on other streams
 * that it left out. */
double pawl_timer_busy_after_ms(const pawl_timer *timer);
/* Forget persisting-L2 windows and limits that a kernel may have set. */
int pawl_timer_reset_l2(pawl_timer *timer);
const char *pawl_timer_error(void);

#ifdef __cplusplus
}
#endif
#endif
