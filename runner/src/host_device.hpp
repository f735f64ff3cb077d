#pragma once

/** Marks what the CPU and the CUDA device share, so that both fill and hash memory with the same code. */
#ifdef __CUDACC__
#define PAWL_HOST_DEVICE __host__ __device__
#else
#define PAWL_HOST_DEVICE
#endif
