import { describe, expect, it } from 'vitest';

import { diagnose } from '../../src/profile/diagnose.ts';
import { launchOf, waiting, type SignalValues } from './launch-of.ts';

const found = (signals: SignalValues): readonly string[] =>
  diagnose(launchOf(signals)).findings.map(({ rule }) => rule);

const fewWarps = {
  theoretical_occupancy_pct: 12.5,
  occupancy_pct: 12,
  active_warps: 1.9,
  limit_registers: 1,
  registers_per_thread: 255,
  ...waiting('stall_long_scoreboard', 50),
};
const atDramLimit = { dram_pct: 88, memory_pct: 88, l2_pct: 90 };

describe('advice that does not apply', () => {
  it('on occupancy is left out at a limit', () => {
    expect(found(fewWarps)).toContain('low-occupancy');
    expect(found({ ...fewWarps, ...atDramLimit })).toEqual(['at-limit']);
  });

  it('on occupancy and registers is left out for kernels that use wgmma or TMA', () => {
    expect(found({ ...fewWarps, async_mma_pct: 2, tensor_pct: 40 })).not.toContain('low-occupancy');
    expect(found({ ...fewWarps, tma_pct: 1 })).not.toContain('low-occupancy');
  });

  it('on occupancy is left out for a matrix kernel with two blocks on an SM, and given with one', () => {
    const matrix = { ...fewWarps, tensor_pct: 40 };
    expect(found({ ...matrix, limit_registers: 2 })).not.toContain('low-occupancy');
    expect(found({ ...matrix, limit_registers: 1 })[0]).toBe('low-occupancy');
  });

  it('on waits is left out at a limit: a kernel that streams always waits for memory', () => {
    expect(found({ ...atDramLimit, ...waiting('stall_long_scoreboard', 95) })).toEqual(['at-limit']);
  });

  it('on units that do not limit is left out at a limit', () => {
    const conflicts = { shared_wavefronts_excess: 20e6, shared_wavefronts_actual: 30e6 };
    expect(found({ ...atDramLimit, ...conflicts })).toEqual(['at-limit']);
  });
});

describe('a cause outranks its symptom', () => {
  it('so that conflicts stand for full queues and waits on shared memory', () => {
    const conflicts = {
      shared_wavefronts_excess: 60e6,
      shared_wavefronts_actual: 70e6,
      l1_pct: 70,
      memory_pct: 70,
      l1_wavefronts_pct: 70,
    };
    expect(found({ ...conflicts, ...waiting('stall_short_scoreboard', 45) })).toEqual(['bank-conflicts']);
    expect(found({ ...conflicts, ...waiting('stall_mio_throttle', 45) })).toEqual(['bank-conflicts']);
  });

  it('so that a grid of eight blocks is not told to balance them or to raise occupancy', () => {
    const small = {
      grid_size: 8,
      waves: 0.01,
      sm_active_cycles: 60_000,
      occupancy_pct: 12,
      dram_pct: 1,
      l1_pct: 1,
      l2_pct: 1,
      issue_elapsed_pct: 1,
      fma_pct: 1,
      alu_pct: 1,
      sm_pct: 1,
      memory_pct: 1,
    };
    expect(found({ ...small, ...waiting('stall_long_scoreboard', 90) })).toEqual(['small-grid']);
  });

  it('so that conversions of stray doubles are not special functions', () => {
    expect(
      found({
        xu_pct: 96,
        sm_pct: 96,
        fp64_pct: 13,
        dfma_per_cycle: 1000,
        ffma_per_cycle: 0,
        fadd_per_cycle: 0,
        fmul_per_cycle: 0,
      }),
    ).toEqual(['stray-fp64']);
  });

  it('but not where it is too small to explain it', () => {
    const few = {
      global_sectors: 25e6,
      global_sectors_excess: 5e6,
      ...waiting('stall_long_scoreboard', 85),
      issue_pct: 5,
      issue_elapsed_pct: 5,
    };
    expect(found(few)).toEqual(['long-scoreboard', 'uncoalesced-access']);
  });
});

describe('the order', () => {
  it('puts what bears on the limit before a larger gain elsewhere', () => {
    const scattered = {
      global_sectors: 25e6,
      global_sectors_excess: 23e6,
      active_warps: 2,
      occupancy_pct: 12,
      memory_pct: 48,
      dram_pct: 48,
      ...waiting('stall_long_scoreboard', 97),
      issue_pct: 2,
      issue_elapsed_pct: 2,
      grid_size: 264,
      waves: 0.12,
    };
    expect(found(scattered)[0]).toBe('long-scoreboard');
  });

  it('follows the gain where several causes bear on the limit', () => {
    const spilling = {
      spill_requests: 50e6,
      local_load_sectors: 100e6,
      local_store_sectors: 100e6,
      ...waiting('stall_lg_throttle', 35),
    };
    const tensor = { tensor_pct: 30, theoretical_occupancy_pct: 25, limit_registers: 2 };
    expect(found({ ...spilling, ...tensor }).slice(0, 2)).toEqual(['register-spill', 'legacy-mma']);
  });

  it('never lists more than two waits', () => {
    const many = {
      warp_latency: 100,
      stall_barrier: 31,
      stall_wait: 33,
      stall_short_scoreboard: 32,
      stall_long_scoreboard: 31,
    };
    expect(found(many)).toHaveLength(2);
  });
});
