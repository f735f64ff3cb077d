/* The CUDA timer as a C interface, so that the native and the Python runner time with the same code.
 * Built as libpawl-timer.so. Every function returns 0 or a cudaError_t; pawl_timer_error() has the text. */
#ifndef PAWL_TIMER_H
#define PAWL_TIMER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_timer pawl_timer;

enum {
  PAWL_TIMER_FLUSH_L2 = 1, /* overwrite more than the L2 cache before the interval */
  PAWL_TIMER_BLOCK = 2,    /* hold the stream until all launches are queued: launch latency stays outside */
  PAWL_TIMER_WATCH = 4,    /* see whether the device is idle when the interval is over; see pawl_timer_watched */
  PAWL_TIMER_REST = 8      /* watched, but only after a rest in which other work ends, too: what looking costs here */
};

typedef struct pawl_timing {
  double ms;          /* between the two events */
  double clock_mhz;   /* SM clock over the interval, in band; 0 when it could not be read */
  int32_t timed_out;  /* the blocking kernel gave up waiting: launch latency is inside this interval */
} pawl_timing;

int pawl_timer_create(int device, pawl_timer **timer);
void pawl_timer_destroy(pawl_timer *timer);
/* Queue the start of the interval on a stream; launch the work; queue the end, release, wait, read. */
int pawl_timer_begin(pawl_timer *timer, void *stream, int flags);
int pawl_timer_end(pawl_timer *timer, void *stream, pawl_timing *timing);
/* The last interval, begun with PAWL_TIMER_WATCH, by the host's clock, and how long the rest of the device was busy
 * after its stream was done: work on other streams that the interval left out. */
void pawl_timer_watched(const pawl_timer *timer, double *host_ms, double *busy_after_ms);
/* Forget persisting-L2 windows and limits that a kernel may have set. */
int pawl_timer_reset_l2(pawl_timer *timer);
const char *pawl_timer_error(void);

/* JSON objects as in docs/protocol.md, zero-terminated; returns the length, or -1 when it does not fit. */
int pawl_device_info_json(int device, char *buffer, size_t size);
int pawl_device_state_json(int device, char *buffer, size_t size);
/* NVML clock event reasons now; 0 when NVML is not there. */
uint64_t pawl_throttle_mask(int device);

#ifdef __cplusplus
}
#endif
#endif
