/* The candidate as a library, for kernels that are functions of another language: it speaks with the judge, maps its
 * memory and holds the clock inside, and calls these functions. Built as libpawl-candidate-cpu.so and -cuda.so. */
#ifndef PAWL_CANDIDATE_H
#define PAWL_CANDIDATE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each returns 0, or not 0 after telling {"code":…,"message":…}. Requests are JSON, as the judge sent them. */
typedef struct pawl_hooks {
  /* Before anything is loaded, perhaps long before: what every kernel needs of the device that this process has. */
  int (*start)(const char *request);
  int (*load)(const char *request);
  /* Addresses of all tensors, set by set. */
  int (*prepare)(const char *request, const uint64_t *addresses, uint64_t count);
  int (*forget)(void);
  /* One call on a set: inside the timed interval. */
  int (*run)(uint64_t set);
  /* After it: the outputs are where the judge looks for them. */
  int (*finish)(uint64_t set);
  int (*capture)(uint64_t set, int64_t batch);
  int (*run_captured)(void);
  int (*list_launches)(void);
  /* Frees what waits to be freed, and tells {"heap_bytes":…}: memory in use that the C library's allocator did not give. */
  int (*measure_memory)(void);
  /* Before calls on a set, where the kernel prepares some of its inputs, and tells {"device_bytes":…} that it keeps. */
  int (*prepare_inputs)(uint64_t set);
  /* Hands memory that it prepared on a host to `pawl_candidate_evict`. */
  int (*evict)(uint64_t set);
  /* Gives device memory that only waits for the next call back to others. */
  int (*give_back)(void);
  /* Tells settings of the language's own that kernel code must not change, by name: {"the clock …":"another function"}. */
  int (*list_settings)(void);
} pawl_hooks;

/* Serves the judge at the other end of the socket until it is done; the process's exit status. */
int pawl_candidate_serve(int socket, const pawl_hooks *hooks);
/* What the hook that is running has to say: a JSON object, which is copied. The last one counts. */
void pawl_candidate_tell(const char *json);
/* Puts memory of this process out of all caches, where the architecture has an instruction for it. */
void pawl_candidate_evict(uint64_t address, uint64_t bytes);

/* In a process with frameworks imported, which a judge copies (runner/src/warm_python.hpp): its next request as JSON, or
 * null when there will be none. */
const char *pawl_warm_next(void);
/* In a process forked for the request `copy`: returns in the copy, confined; the one that called it ends. */
void pawl_warm_become(void);

#ifdef __cplusplus
}
#endif
#endif
