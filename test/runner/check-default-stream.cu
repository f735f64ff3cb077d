__global__ void kernel(float *x) { *x = 1; }

extern "C" void launch_on(cudaStream_t stream) { kernel<<<dim3(3, 4, 5), dim3(6, 7), 8, stream>>>(nullptr); }

static float *launched_first(cudaStream_t stream) {
  kernel<<<1, 2, 3, stream>>>(nullptr);
  return nullptr;
}

/** The second launch lies within the first one's arguments. */
extern "C" void launch_within(cudaStream_t stream) { kernel<<<9, 10, 11, stream>>>(launched_first(stream)); }
