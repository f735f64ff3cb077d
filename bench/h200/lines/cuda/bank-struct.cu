/** Threads own structs of 64 bytes in shared memory and read one member. */
#include "harness.cuh"

struct Particle {
  float x, y, z, mass, vx, vy, vz, charge, rest[8];
};

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ Particle particles[256];
  __shared__ float masses[256];
  particles[threadIdx.x].mass = in[threadIdx.x];
  masses[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float force = 0;
  for (int r = 0; r < rounds; ++r) {
    const int other = (threadIdx.x + r) % 256;
    force += particles[other].mass;  // fault: bank-conflicts
    //= force += masses[other];
    force *= 0.75f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = force + masses[(threadIdx.x * 7) % 256] + particles[threadIdx.x].mass;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 400); });
}
