// A warp's output on its way to the tensor.
#ifndef PAWL_ATTENTION_HOPPER_STORE_CUH
#define PAWL_ATTENTION_HOPPER_STORE_CUH

#include "products.cuh"

// Each warp stores its own 16 rows; the copy engine leaves out those past the end of the head.
DEVICE void store_rows(const Output &out, const float (&total)[2], const CUtensorMap *o_map, uint32_t staged,
                       int first_row, int head, int length) {
  const unsigned lane = lane_here();
  float inverse[2];
#pragma unroll
  for (int half = 0; half < 2; half++) {
    float sum = total[half];
    sum += from_lane_xor(sum, 1);
    sum += from_lane_xor(sum, 2);
    inverse[half] = reciprocal(sum);
  }
  wait_for_stores();
  __syncwarp();
  // Of four matrices of eight columns, the second and the fourth are the rows eight below.
  const uint32_t first = swizzled(staged, lane % 16, lane / 16);
#pragma unroll
  for (int chunk = 0; chunk < D / 8; chunk += 2) {
    uint32_t packed[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
      packed[i] = pack_halves(out[chunk * 4 + i * 2] * inverse[i % 2], out[chunk * 4 + i * 2 + 1] * inverse[i % 2]);
    // Two chunks on is another bit of the swizzled address, or another panel.
    store_matrices((first ^ chunk % 8 << 4) + chunk / 8 * OUT_PANEL_BYTES, packed);
  }
  fence_for_copy_engine();
  __syncwarp();
  if (lane == 0 && first_row < length) {
#pragma unroll
    for (int panel = 0; panel < PANELS; panel++)
      store_box(o_map, staged + panel * OUT_PANEL_BYTES, panel * 64, first_row, head);
    commit_stores();
  }
  // Together again before the loop goes on: otherwise the compiler has nothing in uniform registers any more.
  __syncwarp();
}

#endif
