// The zoo's softmax on a GPU in parts, and what kernels in CUDA share.
#pragma once

#include "../zoo/animals/softmax.cuh"

/** Returns the error, if there is one, from the function it stands in. */
#define TRY(expression) \
  if (const cudaError_t status = (expression)) return status

/** Part `index` of `parts` of the rows. */
inline Softmax part_of(const Softmax &p, int64_t index, int64_t parts) {
  const int64_t first = p.rows() * index / parts, end = p.rows() * (index + 1) / parts;
  Softmax part = p;
  part.x += first * p.D;
  part.y += first * p.D;
  part.B = part.H = 1;
  part.S = end - first;
  return part;
}

/** launch_softmax, for a part that may be empty. */
inline int launch_part(const Softmax &p, int64_t index, int64_t parts, cudaStream_t stream) {
  const Softmax part = part_of(p, index, parts);
  return part.S > 0 ? launch_softmax(part, stream) : 0;
}

/** An event that orders and does not time. */
inline cudaEvent_t make_event() {
  cudaEvent_t event = nullptr;
  return cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess ? event : nullptr;
}
