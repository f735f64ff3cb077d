// Captures so many launches of a kernel under a mask, each with an output of its own, and then runs the first and the
// last at a time, as two graphs would. On the emulator; built with the kernel's tunables.
//
//   launches-apart LAUNCHES
//
// Prints how many thread blocks the first and the last have, and whether their results are those of one that ran alone.
#include "attention.cu"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const int launches = atoi(argv[1]);
  const int64_t heads = 2, length = 5 * BLOCK_M - 7, shape[] = {1, heads, length, D};
  const size_t count = heads * length * D;
  std::vector<_Float16> inputs[3];
  uint32_t random = 1;
  for (auto &input : inputs)
    for (size_t i = 0; i < count; i++)
      input.push_back(static_cast<_Float16>(static_cast<float>((random = random * 1664525 + 1013904223) >> 8) / (1 << 22) - 2));
  std::vector<std::vector<uint16_t>> outputs(launches + 1, std::vector<uint16_t>(count, 0xFFFF));
  const pawl_dim dims[] = {{"B", 1}, {"H", heads}, {"S", length}, {"D", D}, {"CAUSAL", 1}};

  std::vector<emulator::Launch> captured;
  emulator::captured = &captured;
  for (auto &output : outputs) {
    pawl_tensor tensors[] = {{"q", inputs[0].data(), shape, 4, PAWL_F16}, {"k", inputs[1].data(), shape, 4, PAWL_F16},
                             {"v", inputs[2].data(), shape, 4, PAWL_F16}, {"o", output.data(), shape, 4, PAWL_F16}};
    const pawl_call call{tensors, dims, 4, 5, nullptr, nullptr, 0, nullptr, 0, nullptr, 0};
    if (pawl_run(&call) != 0) return 1;
  }
  for (unsigned x = 0; x < captured[launches].grid.x; x++) captured[launches].run_block(x);
  // One block of the first, then two of the last, two of the first and so on: with a common counter the first gets what
  // is left for the last to compute.
  unsigned next[] = {0, 0};
  for (unsigned turn = 1; next[0] < captured[0].grid.x || next[1] < captured[launches - 1].grid.x; turn++) {
    const int which = turn / 2 % 2;
    const auto &launch = captured[which == 0 ? 0 : launches - 1];
    if (next[which] < launch.grid.x) launch.run_block(next[which]++);
  }
  const auto right = [&](int each) { return outputs[each] == outputs[launches] ? "true" : "false"; };
  printf("{\"first_blocks\":%u,\"last_blocks\":%u,\"first_right\":%s,\"last_right\":%s}\n", captured[0].grid.x,
         captured[launches - 1].grid.x, right(0), right(launches - 1));
  return 0;
}
