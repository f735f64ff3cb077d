/* What makes inputs and what judges outputs, in C, C++ or CUDA (docs/pawl-yaml.md). Each is one function of a library,
 * in a process of its own:
 *
 *   #include "pawl_judge.h"
 *   PAWL_EXPORT int pawl_generate(const pawl_call *call) {
 *     uint64_t seed = pawl_seed(call);
 *     double *x = (double *)pawl_data(call, "x");     // every input and inout, to be written as a whole
 *     ...
 *     return 0;                                       // 0, or an error code of yours
 *   }
 *
 *   #include "pawl_judge.h"
 *   PAWL_EXPORT int pawl_check(const pawl_call *call) {
 *     const double *y = (const double *)pawl_data(call, "y");
 *     if (!(y[0] <= pawl_number(call, "atol"))) return pawl_wrong(call, "y is too large");
 *     return pawl_right(call);
 *   }
 *
 * Tensors are wider than the kernel's, and contiguous: f64 (floating point), c128 (complex), i64 (integers) or u64
 * (u64). `bool` is i64 in pawl_generate and a byte in pawl_check. */
#ifndef PAWL_JUDGE_H
#define PAWL_JUDGE_H

#include <string.h>

#include "pawl_kernel.h"

/* What a case's inputs are drawn from: 31 bits. The same seed has to give the same inputs. */
static inline uint64_t pawl_seed(const pawl_call *call) {
  return (uint64_t)call->dims[call->dim_count - 1].value;
}

/* The elements of a tensor; NULL: there is none of that name. */
static inline void *pawl_data(const pawl_call *call, const char *name) {
  for (int32_t i = 0; i < call->tensor_count; ++i)
    if (strcmp(call->tensors[i].name, name) == 0) return call->tensors[i].data;
  return NULL;
}

/* A dimension or a scalar; 0: there is none of that name. pawl_check also has `atol` and `rtol` of the problem's
 * tolerance, and `y_atol` and `y_rtol` of an output `y`. */
static inline double pawl_number(const pawl_call *call, const char *name) {
  for (int32_t i = 0; i < call->dim_count; ++i)
    if (strcmp(call->dims[i].name, name) == 0) return (double)call->dims[i].value;
  for (int32_t i = 0; i < call->scalar_count; ++i)
    if (strcmp(call->scalars[i].name, name) == 0) return call->scalars[i].value;
  return 0;
}

/* The verdict of pawl_check, which returns it. It lies in the last tensor: a byte, then text. */
static inline int pawl_right(const pawl_call *call) {
  ((unsigned char *)call->tensors[call->tensor_count - 1].data)[0] = 1;
  return 0;
}

/* With a sentence that says what is wrong, which is shown. */
static inline int pawl_wrong(const pawl_call *call, const char *sentence) {
  const pawl_tensor *answer = &call->tensors[call->tensor_count - 1];
  char *bytes = (char *)answer->data;
  const size_t room = (size_t)answer->shape[0] - 2, length = strlen(sentence);
  memset(bytes, 0, (size_t)answer->shape[0]);
  bytes[0] = 2;
  memcpy(bytes + 1, sentence, length < room ? length : room);
  return 0;
}

PAWL_EXPORT int pawl_generate(const pawl_call *call);
PAWL_EXPORT int pawl_check(const pawl_call *call);

#endif
