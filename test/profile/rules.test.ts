import { describe, expect, it } from 'vitest';

import {
  RULE_IDS,
  type CodeRuleId,
  type Limiter,
  type LineRuleId,
  type RuleId,
} from '../../src/model/profile/diagnosis-words.ts';
import { diagnosisSchema } from '../../src/model/profile/diagnosis.ts';
import { diagnose } from '../../src/profile/diagnose.ts';
import { Facts } from '../../src/profile/facts/facts.ts';
import { CODE_RULES } from '../../src/profile/cpu/code-rules.ts';
import { SLOW_ARITHMETIC } from '../../src/profile/lines/slow-arithmetic.ts';
import { RULES } from '../../src/profile/rules/index.ts';
import { launchOf, launchWithOnly, waiting, type SignalValues } from './launch-of.ts';

interface Planted {
  readonly fault: SignalValues;
  readonly limiter: Limiter;
  /** As close as it comes without being the fault. */
  readonly nearMiss: SignalValues;
  readonly capability?: string;
}

const tensorKernel = {
  tensor_pct: 40,
  xu_pct: 15,
  theoretical_occupancy_pct: 12.5,
  occupancy_pct: 12,
  limit_registers: 2,
  limit_shared_mem: 2,
  active_warps: 1.9,
};
const product = {
  ffma_per_cycle: 1400,
  fadd_per_cycle: 5,
  fmul_per_cycle: 5,
  dram_read_bytes: 30e6,
  dram_write_bytes: 10e6,
  dram_pct: 2,
  l1_pct: 95,
  sm_pct: 65,
  memory_pct: 95,
  global_load_inst: 80e6,
  shared_load_inst: 0,
};

const PLANTED: Readonly<Record<Exclude<RuleId, CodeRuleId | LineRuleId>, Planted>> = {
  'measurement-broken': {
    fault: { dram_read_bytes: 6e9 },
    limiter: 'latency',
    nearMiss: { dram_read_bytes: 1.9e9 },
  },
  'small-grid': {
    fault: {
      grid_size: 8,
      waves: 0.01,
      sm_active_cycles: 60_000,
      sm_pct: 2,
      memory_pct: 2,
      dram_pct: 2,
      l2_pct: 2,
      l1_pct: 2,
      fma_pct: 1,
      alu_pct: 1,
      issue_elapsed_pct: 2,
    },
    limiter: 'launch',
    nearMiss: { grid_size: 1056, waves: 1 },
  },
  'launch-bound': {
    fault: {
      duration_ns: 2600,
      grid_size: 4,
      waves: 0.01,
      dram_read_bytes: 1e5,
      dram_write_bytes: 1e5,
      sm_active_cycles: 5000,
      sm_active_cycles_max: 5100,
      sm_elapsed_cycles: 5150,
    },
    limiter: 'launch',
    nearMiss: { duration_ns: 12_000, dram_read_bytes: 1e5, dram_write_bytes: 1e5 },
  },
  'latency-bound': { fault: {}, limiter: 'latency', nearMiss: { dram_pct: 62, memory_pct: 62 } },
  'at-limit': {
    fault: { dram_pct: 88, memory_pct: 88, l2_pct: 90 },
    limiter: 'dram',
    nearMiss: { dram_pct: 78, memory_pct: 78 },
  },
  'memory-bound': {
    fault: { dram_pct: 72, memory_pct: 72, l2_pct: 60 },
    limiter: 'dram',
    nearMiss: { dram_pct: 55, memory_pct: 55 },
  },
  'compute-bound': {
    fault: { alu_pct: 70, sm_pct: 70, issue_pct: 70, issue_elapsed_pct: 68 },
    limiter: 'compute',
    nearMiss: { alu_pct: 55, sm_pct: 55 },
  },
  'tail-wave': {
    fault: {
      grid_size: 265,
      waves: 2.008,
      limit_registers: 1,
      sm_active_cycles: 670_000,
      theoretical_occupancy_pct: 50,
      occupancy_pct: 49,
    },
    limiter: 'launch',
    nearMiss: { grid_size: 1030, waves: 3.9, sm_active_cycles: 930_000 },
  },
  'partial-warp': {
    fault: { block_size: 40, threads_per_inst: 20 },
    limiter: 'latency',
    nearMiss: { block_size: 96 },
  },
  'low-occupancy': {
    fault: {
      theoretical_occupancy_pct: 12.5,
      occupancy_pct: 12,
      limit_shared_mem: 1,
      dynamic_shared_bytes: 180_000,
      active_warps: 1.9,
      ...waiting('stall_long_scoreboard', 60),
    },
    limiter: 'latency',
    nearMiss: { theoretical_occupancy_pct: 100 },
  },
  imbalance: {
    fault: {
      sm_active_cycles: 450_000,
      sm_active_cycles_max: 990_000,
      occupancy_pct: 60,
      grid_size: 1056,
      waves: 1,
    },
    limiter: 'latency',
    nearMiss: { sm_active_cycles: 930_000, occupancy_pct: 93 },
  },
  'long-scoreboard': {
    fault: { ...waiting('stall_long_scoreboard', 75), issue_pct: 10, issue_elapsed_pct: 10 },
    limiter: 'latency',
    nearMiss: waiting('stall_long_scoreboard', 29),
  },
  'short-scoreboard': {
    fault: waiting('stall_short_scoreboard', 55),
    limiter: 'latency',
    nearMiss: waiting('stall_short_scoreboard', 28),
  },
  'barrier-stall': {
    fault: waiting('stall_barrier', 50),
    limiter: 'latency',
    nearMiss: waiting('stall_barrier', 25),
  },
  'math-throttle': {
    fault: { ...waiting('stall_math_pipe_throttle', 50), alu_pct: 70, sm_pct: 70, issue_pct: 55 },
    limiter: 'compute',
    nearMiss: waiting('stall_math_pipe_throttle', 20),
  },
  'memory-throttle': {
    fault: { ...waiting('stall_mio_throttle', 55), l1_pct: 50 },
    limiter: 'latency',
    nearMiss: waiting('stall_mio_throttle', 20),
  },
  'fixed-latency': {
    fault: { ...waiting('stall_wait', 60), issue_pct: 25 },
    limiter: 'latency',
    nearMiss: waiting('stall_wait', 28),
  },
  'wgmma-wait': {
    fault: { ...waiting('stall_gmma', 45), ...tensorKernel, async_mma_pct: 2, tma_pct: 1 },
    limiter: 'latency',
    nearMiss: { ...waiting('stall_gmma', 45), tensor_pct: 88, sm_pct: 88, async_mma_pct: 4 },
  },
  'icache-miss': {
    fault: { ...waiting('stall_no_instruction', 50), icache_hit_pct: 60 },
    limiter: 'latency',
    nearMiss: waiting('stall_no_instruction', 15),
  },
  'bank-conflicts': {
    fault: {
      shared_wavefronts_excess: 80e6,
      shared_wavefronts_actual: 90e6,
      l1_pct: 85,
      memory_pct: 85,
      l1_wavefronts_pct: 85,
      ...waiting('stall_mio_throttle', 45),
    },
    limiter: 'l1-shared',
    nearMiss: { shared_wavefronts_excess: 0.8e6, shared_load_conflicts: 5e6 },
  },
  'uncoalesced-access': {
    fault: {
      global_sectors: 100e6,
      global_sectors_excess: 80e6,
      dram_pct: 60,
      l2_pct: 85,
      memory_pct: 60,
      ...waiting('stall_long_scoreboard', 85),
    },
    limiter: 'l2',
    nearMiss: { global_sectors_excess: 4e6, load_bytes_per_sector: 18 },
  },
  'register-spill': {
    fault: {
      spill_requests: 60e6,
      local_load_sectors: 120e6,
      local_store_sectors: 120e6,
      dram_pct: 70,
      memory_pct: 70,
      l2_pct: 75,
      ...waiting('stall_long_scoreboard', 90),
    },
    limiter: 'dram',
    nearMiss: { spill_requests: 1e6 },
  },
  'local-arrays': {
    fault: {
      spill_requests: 0,
      local_load_sectors: 160e6,
      local_store_sectors: 160e6,
      global_sectors: 20e6,
      l2_pct: 85,
      memory_pct: 85,
      ...waiting('stall_long_scoreboard', 85),
    },
    limiter: 'l2',
    nearMiss: { local_load_sectors: 1e6, local_store_sectors: 1e6 },
  },
  'tensor-idle': {
    fault: product,
    limiter: 'l1-shared',
    nearMiss: { ...product, dram_read_bytes: 600e6, dram_write_bytes: 200e6 },
  },
  'legacy-mma': { fault: tensorKernel, limiter: 'latency', nearMiss: { ...tensorKernel, async_mma_pct: 2 } },
  'l2-thrash': {
    fault: {
      dram_pct: 85,
      memory_pct: 85,
      l2_pct: 70,
      l2_read_hit_pct: 35,
      l2_hit_pct: 40,
      dram_read_bytes: 1.9e9,
    },
    limiter: 'dram',
    nearMiss: { dram_pct: 85, memory_pct: 85, l2_read_hit_pct: 0.1 },
  },
  'special-function-bound': {
    fault: {
      xu_pct: 92,
      sm_pct: 92,
      instruction_pct: 92,
      issue_pct: 60,
      ...waiting('stall_mio_throttle', 60),
    },
    limiter: 'special-function',
    nearMiss: { xu_pct: 45 },
  },
  divergence: {
    fault: {
      threads_per_inst: 8,
      unpredicated_threads_per_inst: 7.5,
      issue_pct: 88,
      issue_elapsed_pct: 88,
      sm_pct: 88,
    },
    limiter: 'compute',
    nearMiss: { threads_per_inst: 29, unpredicated_threads_per_inst: 19 },
  },
  'stray-fp64': {
    fault: {
      fp64_pct: 13,
      xu_pct: 96,
      sm_pct: 96,
      dfma_per_cycle: 1000,
      ffma_per_cycle: 0,
      fadd_per_cycle: 0,
      fmul_per_cycle: 0,
      ...waiting('stall_mio_throttle', 60),
    },
    limiter: 'special-function',
    nearMiss: {
      fp64_pct: 70,
      dfma_per_cycle: 6000,
      ffma_per_cycle: 0,
      fadd_per_cycle: 0,
      fmul_per_cycle: 0,
      sm_pct: 70,
    },
  },
  'unfused-fp': {
    fault: {
      ffma_per_cycle: 10,
      fadd_per_cycle: 2000,
      fmul_per_cycle: 2000,
      fma_pct: 90,
      issue_pct: 92,
      issue_elapsed_pct: 90,
      sm_pct: 90,
      inst_executed: 150e6,
      fp64_pct: 0,
    },
    limiter: 'compute',
    nearMiss: {
      ffma_per_cycle: 10,
      fadd_per_cycle: 2,
      fmul_per_cycle: 4000,
      fma_pct: 90,
      issue_elapsed_pct: 90,
      sm_pct: 90,
    },
  },
  'atomic-contention': {
    fault: {
      global_reduction_requests: 4.7e6,
      l2_atomic_busiest_pct: 95,
      l2_atomic_pct: 1,
      ...waiting('stall_lg_throttle', 85),
      issue_pct: 5,
      issue_elapsed_pct: 5,
      fma_pct: 1,
      alu_pct: 2,
    },
    limiter: 'latency',
    nearMiss: { global_reduction_requests: 20_000, l2_atomic_busiest_pct: 3 },
  },
};

it('there is one rule for every id', () => {
  const ids = [...RULES, SLOW_ARITHMETIC, ...CODE_RULES].map(({ id }) => id);
  expect(ids.toSorted()).toEqual([...RULE_IDS].toSorted());
});

describe.each(Object.entries(PLANTED) as [RuleId, Planted][])(
  '%s',
  (id, { fault, limiter, nearMiss, capability }) => {
    it('is found first where it is the fault', () => {
      const diagnosis = diagnose(launchOf(fault, capability));
      expect([diagnosis.limiter, diagnosis.findings[0]?.rule]).toEqual([limiter, id]);
    });

    it('is not found in a near miss', () => {
      const { findings } = diagnose(launchOf(nearMiss, capability));
      expect(findings.map(({ rule }) => rule)).not.toContain(id);
    });

    it('gives its evidence in numbers, a fix, and a gain within what is possible', () => {
      const diagnosis = diagnose(launchOf(fault, capability));
      expect(() => diagnosisSchema.parse({ schema: 'pawl.diagnosis/1', kernels: [diagnosis] })).not.toThrow();
      const [finding] = diagnosis.findings;
      expect(Object.values(finding?.evidence ?? {}).length).toBeGreaterThan(0);
      expect(finding?.fix).not.toBe('');
      expect(finding?.gain_basis).not.toBe('');
    });
  },
);

describe('a rule whose metrics were not collected', () => {
  it.each(RULES.filter(({ requires }) => requires.length > 0).map((rule) => [rule.id, rule] as const))(
    '%s says nothing and names them',
    (id, { requires }) => {
      const launch = launchWithOnly({ sm_pct: 20, memory_pct: 20 });
      const facts = new Facts(launch);
      const { findings, not_collected: missing } = diagnose(launch);
      const unknown = requires.flatMap((fact) => facts.missingMetrics(fact));
      expect(unknown).not.toEqual([]);
      expect(missing).toEqual(expect.arrayContaining(unknown));
      expect(findings.map(({ rule }) => rule)).not.toContain(id);
    },
  );

  it('leaves an empty profile without limiter and findings', () => {
    const { limiter, findings } = diagnose(launchWithOnly({}));
    expect([limiter, findings]).toEqual(['none', []]);
  });

  it('is not listed when another name of the same signal was collected', () => {
    const launch = launchOf({ dram_pct: undefined });
    const metrics = new Map(launch.metrics).set('dram__throughput.avg.pct_of_peak_sustained_elapsed', {
      value: 35,
      unit: '%',
    });
    expect(diagnose({ ...launch, metrics }).not_collected).toEqual([]);
  });
});

describe('what is known of the problem', () => {
  it('breaks a measurement that is faster than the floor', () => {
    const { findings } = diagnose(launchOf(), { floorUs: 600 });
    expect(findings.map(({ rule }) => rule)).toEqual(['measurement-broken']);
    expect(findings[0]?.evidence).toMatchObject({ floor_us: 600 });
  });

  it('makes lost reuse out of a stream that moves more than it must', () => {
    const atLimit = launchOf(PLANTED['at-limit'].fault);
    expect(diagnose(atLimit, { minimumBytes: 790e6 }).findings[0]?.rule).toBe('at-limit');
    expect(diagnose(atLimit, { minimumBytes: 400e6 }).findings[0]?.rule).toBe('l2-thrash');
  });

  it('calls nothing done that takes far longer than the work needs', () => {
    const busy = launchOf({ l2_pct: 90, memory_pct: 90, dram_pct: 49, duration_ns: 1_390_000 });
    const found = (floorUs?: number) => diagnose(busy, { floorUs }).findings[0]!;
    expect(found().rule).toBe('at-limit');
    expect(found(1300).rule).toBe('at-limit');
    const far = found(779);
    expect(far.rule).toBe('memory-bound');
    expect(far.evidence).toMatchObject({ floor_us: 779 });
    expect(far.expected_gain_pct).toBeCloseTo(44, 0);
    const computing = launchOf({
      alu_pct: 92,
      sm_pct: 92,
      issue_pct: 90,
      issue_elapsed_pct: 90,
      duration_ns: 1e6,
    });
    expect(diagnose(computing, { floorUs: 900 }).findings[0]!.rule).toBe('at-limit');
    expect(diagnose(computing, { floorUs: 500 }).findings[0]!.rule).toBe('compute-bound');
  });

  it('decides whether arithmetic is a matrix product', () => {
    expect(diagnose(launchOf(product), { matrixProduct: false }).findings[0]?.rule).not.toBe('tensor-idle');
    expect(diagnose(launchOf(), { matrixProduct: true }).findings[0]?.rule).toBe('tensor-idle');
  });
});

it('old names of older devices carry the same diagnosis', () => {
  for (const capability of ['7.5', '8.0', '8.6', '8.9', '10.0']) {
    const { findings } = diagnose(launchOf(PLANTED['bank-conflicts'].fault, capability));
    expect(findings[0]?.rule).toBe('bank-conflicts');
  }
});

describe('special-function units beside tensor cores', () => {
  const said = (metrics: Parameters<typeof launchOf>[0]) =>
    diagnose(launchOf(metrics)).findings.find(({ rule }) => rule === 'special-function-bound')?.diagnosis;

  it('are said to limit a kernel only where they are what is full', () => {
    expect(said(PLANTED['special-function-bound'].fault)).toContain('limit the kernel: 92 %');
    const balanced = said({ ...tensorKernel, tensor_pct: 52, async_mma_pct: 4, xu_pct: 53 });
    expect(balanced).toContain('as busy as the tensor cores, 53 % and 52 %');
    expect(balanced).not.toContain('limit');
  });
});
