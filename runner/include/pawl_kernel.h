/* The interface of a kernel that Pawl measures: one function in a shared library.
 *
 *   #include "pawl_kernel.h"
 *   PAWL_EXPORT int pawl_run(const pawl_call *call) {
 *     const float *x = call->tensors[0].data;   // tensors, dims and scalars come in the order of pawl.yaml
 *     int64_t n = call->dims[0].value;
 *     ...
 *     return 0;                                 // 0, or an error code of yours
 *   }
 *
 * Rules: launch on call->stream and do not synchronise (CUDA); write every element of every output; write
 * nothing else. Tunables arrive as preprocessor macros of the same name.
 */
#ifndef PAWL_KERNEL_H
#define PAWL_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define PAWL_KERNEL_ABI 1

#ifdef __cplusplus
#define PAWL_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define PAWL_EXPORT __attribute__((visibility("default")))
#endif

typedef enum pawl_dtype {
  PAWL_F64, PAWL_F32, PAWL_F16, PAWL_BF16, PAWL_I64, PAWL_I32, PAWL_I16, PAWL_I8, PAWL_U8,
  PAWL_U16, PAWL_U32, PAWL_U64,
  PAWL_BOOL,               /* a byte that is 0 or 1 */
  PAWL_F8E4M3, PAWL_F8E5M2, /* a byte, as CUDA's __nv_fp8_e4m3 (no infinities) and __nv_fp8_e5m2 */
  PAWL_C64, PAWL_C128,     /* complex: two f32 or two f64, as std::complex<float>, float2, cuComplex */
  PAWL_F4E2M1              /* two in a byte, as CUDA's __nv_fp4x2_e2m1: the element of even index in the low four bits.
                              `shape` counts elements; its last extent is even */
} pawl_dtype;

typedef struct pawl_tensor {
  const char *name;
  void *data;            /* device memory on CUDA, host memory on the CPU; 256-byte aligned, but for an `offset` */
  const int64_t *shape;  /* row-major, contiguous; of an input with `strides` in pawl.yaml, by these */
  int32_t rank;
  int32_t dtype;         /* pawl_dtype */
} pawl_tensor;

typedef struct pawl_dim {
  const char *name;
  int64_t value;
} pawl_dim;

/* A number beside the tensors, such as an epsilon or a learning rate, as pawl.yaml declares it under `scalars`:
 *   const float eps = (float)call->scalars[0].value;
 */
typedef struct pawl_scalar {
  const char *name;
  double value;      /* rounded to `dtype` */
  int64_t integer;   /* the same of an integer type; 0 of a floating one */
  int32_t dtype;     /* pawl_dtype: PAWL_F64, PAWL_F32, PAWL_I64 or PAWL_I32 */
} pawl_scalar;

typedef struct pawl_call {
  const pawl_tensor *tensors;
  const pawl_dim *dims;
  int32_t tensor_count;
  int32_t dim_count;
  void *stream;            /* cudaStream_t on CUDA, NULL on the CPU */
  void *workspace;         /* pawl_workspace_bytes() bytes, contents undefined; NULL when 0 */
  size_t workspace_bytes;
  const pawl_scalar *scalars;  /* in the order of pawl.yaml */
  int32_t scalar_count;
  void *prepared;          /* pawl_prepared_bytes() bytes, as the function of `prepare` left them; NULL without one */
  size_t prepared_bytes;
} pawl_call;

/* Required: do the work once. Called many times, with other tensors each time. */
PAWL_EXPORT int pawl_run(const pawl_call *call);

/* Optional: scratch memory the kernel wants for a call like this one. */
PAWL_EXPORT size_t pawl_workspace_bytes(const pawl_call *call);

/* Where pawl.yaml has `prepare: {function: pack, of: [w]}` for the kernel: `int pack(const pawl_call *)`, exported too,
 * makes something of the tensors in `of` before calls that are timed, and leaves it in call->prepared. All other tensors
 * have no data (NULL). It launches on call->stream, and is called again when those tensors have other contents. */

/* Needed with `prepare`: the bytes of call->prepared for a call like this one. */
PAWL_EXPORT size_t pawl_prepared_bytes(const pawl_call *call);

/* Optional: text for a non-zero result of pawl_run. */
PAWL_EXPORT const char *pawl_error_text(int code);

/* An oracle is a library that knows what is right. It gets tensors of a wider type than those it judges, inputs
 * filled and outputs NaN (integers 0), and computes the outputs as exactly as it can. On the host all of them are
 * f64 (floating point), c128 (complex), i64 (integers) or u64 (u64), and `stream` is NULL. An oracle in CUDA gets device
 * memory and launches on `stream`; its tensors are f32 for f16, bf16 and smaller floats, and otherwise as on the host.
 * There is no workspace. */
PAWL_EXPORT int pawl_oracle(const pawl_call *call);

/* Optional, in an oracle: a trusted implementation in the tensors' own types, in the same memory as pawl_oracle. Its
 * error is the measure of a kernel's where the tolerance has a factor. */
PAWL_EXPORT int pawl_reference(const pawl_call *call);

#endif
