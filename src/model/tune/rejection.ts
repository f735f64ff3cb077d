/** Why a trial does not count: one list for gates, reports, the journal and the docs. */
export const REJECTIONS = {
  bad_coalescing: 'neighbouring threads load addresses that do not share memory transactions',
  bank_conflicts: 'threads of a warp wait for each other at the same shared-memory bank',
  low_occupancy_no_prefetch:
    'too few warps are resident to hide memory latency, and no loads are issued ahead',
  smem_overflow: 'a block needs more shared memory than the device allows',
  oom_risk: 'tensors and scratch memory do not fit into the free device memory',
  numerics: 'the results are wrong, or a detector saw the kernel cheat',
  build_failed: 'it does not compile',
  too_many_threads: 'a block has more threads than the device allows',
  too_many_registers: 'a block needs more registers than a multiprocessor has',
  register_spill: 'the compiler spills registers to memory beyond what the gate allows',
  low_occupancy: 'fewer warps can be resident than the gate requires',
  run_failed: 'it crashed or lost the device',
  timed_out: 'it did not answer within the time limit of the study',
} as const;
export type Rejection = keyof typeof REJECTIONS;
export const REJECTION_NAMES = Object.keys(REJECTIONS) as [Rejection, ...Rejection[]];
