import { beforeAll, describe, expect, it } from 'vitest';

import { evaluateGate } from '../../../src/learn/gates/evaluate-gate.ts';
import { gateNames } from '../../../src/learn/gates/gate-names.ts';
import { loadMethod } from '../../../src/learn/method/load-method.ts';
import type { Evidence, Fact, GateResult, Method } from '../../../src/model/learn/gate.ts';

type Facts = Readonly<Record<string, Fact>>;

interface Example {
  /** What both have. */
  readonly given?: Facts;
  readonly passes: Facts;
  readonly fails: Facts;
  /** Facts with which it does not apply. */
  readonly skipped?: Facts;
  readonly next: string;
}

const GPU = { is_gpu: true, device_present: true, device: 'NVIDIA H200' };
const REFERENCE = { has_reference: true, smallest: 'tiny_64' };
const WITHOUT = { has_reference: false };
const COMPILED = {
  has_resources: true,
  registers: 128,
  smem_bytes: 49_152,
  spill_bytes: 0,
  launchable: true,
};
const ROOM = { target: 1.2, reference_target_ms: 1.2, target_ms: 1, best_speedup: 2, bound: 'memory' };
const SIZES = {
  ...REFERENCE,
  has_sizes: true,
  size_first: 'tiny_64',
  size_last: 'medium_256',
  speedup_smallest: 1,
};
const BATCHES = { ...REFERENCE, has_batches: true, batch_first: 'one', batch_last: 'many' };
const PROFILE = { profiled: true, has_diagnosis: true, has_dram: true, has_occupancy: true };
const COMPARED = {
  has_reference: true,
  target: 1.2,
  compared_cases: 4,
  worst_case: 'tiny_64',
  speedup_worst: 0.9,
};

/** For every gate: facts that make it pass, facts that make it fail, and the command that then comes next. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  toolchain: {
    passes: { toolchain_ready: true },
    fails: { toolchain_ready: false, missing_tools: 'C++ compiler: neither g++ nor clang++ is on the PATH.' },
    next: 'pawl doctor --fix',
  },
  'device-present': {
    given: { device: 'NVIDIA H200' },
    passes: { device_present: true },
    fails: { device_present: false, device_problem: 'nvidia-smi is not on the PATH.' },
    next: 'pawl doctor --require gpu',
  },
  'device-idle': {
    given: GPU,
    passes: { device_idle: true, device_use: 'no process on it' },
    fails: { device_idle: false, device_use: 'in use by process 4711' },
    skipped: { is_gpu: false },
    next: 'nvidia-smi',
  },
  'cpu-idle': {
    given: { is_gpu: false },
    passes: { device_idle: true, device_use: '0.1 threads running' },
    fails: { device_idle: false, device_use: '7.3 threads running' },
    skipped: { is_gpu: true },
    next: 'pawl doctor',
  },
  profiler: {
    passes: { profiler_ready: true, profiler_state: '2026.1' },
    fails: { profiler_ready: false, profiler_state: 'ncu is not on the PATH' },
    next: 'pawl doctor',
  },
  'shared-memory': {
    given: { is_gpu: true, is_native: true, smem_limit_bytes: 232_448, smem_case: 'training_512' },
    passes: { smem_bytes: 232_448 },
    fails: { smem_bytes: 232_449 },
    skipped: { is_gpu: true, is_native: false },
    next: 'pawl tune flash --case training_512',
  },
  'launch-limits': {
    passes: { fits: true },
    fails: { fits: false, rejection: 'a block has 2,048 threads; up to 1,024 pass' },
    next: 'pawl tune flash --case training_512',
  },
  builds: {
    given: { build_s: 3 },
    passes: { builds: true, oracle_builds: true, reference_builds: true },
    fails: { builds: true, oracle_builds: true, reference_builds: false, build_error: 'sdpa does not build' },
    next: 'pawl build --only flash',
  },
  'smallest-case-correct': {
    given: { smallest: 'tiny_64' },
    passes: { correct: true, max_abs_err: 1e-6 },
    fails: { correct: false, fault: 'wrong-result: 12 of 64 elements differ' },
    next: 'pawl fuzz --only flash --case tiny_64',
  },
  'reference-measured': {
    passes: { reference_measured: true, reference_correct: true, reference_times: '52.4 µs at tiny_64' },
    fails: { reference_measured: true, reference_correct: false, reference_problem: 'wrong-result' },
    next: 'pawl bench --only sdpa --case training_512',
  },
  room: {
    given: ROOM,
    passes: { floor_ms: 1 },
    fails: { floor_ms: 1.01 },
    next: 'pawl session end',
  },
  'library-ceiling': {
    given: ROOM,
    passes: { reference_of_ceiling: 0.89 },
    fails: { reference_of_ceiling: 0.9 },
    next: 'pawl session end',
  },
  headroom: {
    given: ROOM,
    passes: { floor_ms: 0.5, room: 2 },
    fails: { floor_ms: 0.51, room: 1.96 },
    next: 'pawl bench --only flash --only sdpa --case training_512',
  },
  spills: {
    given: COMPILED,
    passes: { spill_bytes: 256 },
    fails: { spill_bytes: 260 },
    skipped: { has_resources: false },
    next: 'pawl build --only flash',
  },
  registers: {
    given: COMPILED,
    passes: { registers: 254 },
    fails: { registers: 255 },
    skipped: { has_resources: false },
    next: 'pawl build --only flash',
  },
  launchable: {
    given: COMPILED,
    passes: {},
    fails: { launchable: false, launch_problem: 'a block of 1,024 threads cannot be launched' },
    skipped: { has_resources: false },
    next: 'pawl build --only flash',
  },
  'not-a-bug': {
    given: REFERENCE,
    passes: { speedup: 0.1 },
    fails: { speedup: 0.034 },
    skipped: WITHOUT,
    next: 'pawl profile flash --case tiny_64',
  },
  'smallest-speedup': {
    given: { ...REFERENCE, kernel_ms: 8, reference_ms: 1 },
    passes: { speedup: 0.5 },
    fails: { speedup: 0.12 },
    skipped: WITHOUT,
    next: 'pawl profile flash --case tiny_64',
  },
  'kernel-duration': {
    given: REFERENCE,
    passes: { kernel_us: 10 },
    fails: { kernel_us: 9.4 },
    next: 'pawl bench --only flash --mode hot',
  },
  'size-trend': {
    given: SIZES,
    passes: { trend: 0.95, speedup_largest: 0.95 },
    fails: { trend: 0.5, speedup_largest: 0.5 },
    skipped: { has_reference: true, has_sizes: false },
    next: 'pawl profile flash --case medium_256',
  },
  'batch-trend': {
    given: BATCHES,
    passes: { batch_trend: 1.1 },
    fails: { batch_trend: 0.6 },
    skipped: { has_reference: true, has_batches: false },
    next: 'pawl profile flash --case many',
  },
  profiled: {
    given: { can_profile: true },
    skipped: { can_profile: false },
    passes: { profiled: true, profiler: 'ncu', summary: 'bank-conflicts: 8-way' },
    fails: { profiled: false },
    next: 'pawl profile flash --case training_512',
  },
  bandwidth: {
    given: { ...PROFILE, limiter: 'dram' },
    passes: { dram_share: 0.7 },
    fails: { dram_share: 0.42 },
    skipped: { ...PROFILE, limiter: 'tensor' },
    next: 'pawl advise flash',
  },
  occupancy: {
    given: { ...PROFILE, limiter: 'latency' },
    passes: { achieved_occupancy: 0.5 },
    fails: { achieved_occupancy: 0.12 },
    skipped: { has_diagnosis: false },
    next: 'pawl advise flash',
  },
  'one-idea': {
    given: { idea: 'larger tiles' },
    passes: { tries_on_idea: 2 },
    fails: { tries_on_idea: 3 },
    next: 'pawl advise flash',
  },
  'stop-loss': {
    passes: { without_gain: 1 },
    fails: { without_gain: 2 },
    next: 'pawl profile flash --case training_512',
  },
  'predicted-gain': {
    given: { has_prediction: true },
    passes: { share_of_predicted: 0.2 },
    fails: { share_of_predicted: 0.19 },
    skipped: { has_prediction: false },
    next: 'pawl advise flash',
  },
  'optimise-budget': {
    given: { has_budget: true, optimise_budget_min: 120 },
    passes: { optimise_min: 119 },
    fails: { optimise_min: 121 },
    skipped: { has_budget: false },
    next: 'pawl session status',
  },
  money: {
    given: { has_cost: true, money_limit: 5, currency: 'USD' },
    passes: { money: 4.9 },
    fails: { money: 5.1 },
    skipped: { has_cost: true },
    next: 'pawl cost',
  },
  'matrix-correct': {
    passes: { fuzz_passed: true, fuzz_cases: 80 },
    fails: { fuzz_passed: false, fuzz_problem: 'wrong for S = 65' },
    next: 'pawl fuzz --only flash',
  },
  'goal-reached': {
    given: COMPARED,
    passes: { speedup_target: 1.2 },
    fails: { speedup_target: 1.19 },
    skipped: WITHOUT,
    next: 'pawl advise flash',
  },
  'no-case-slower': {
    given: COMPARED,
    passes: { slower_cases: 0 },
    fails: { slower_cases: 1 },
    skipped: WITHOUT,
    next: 'pawl bench --only flash --only sdpa',
  },
  claim: {
    given: COMPARED,
    passes: { claimable: true, claim_change_pct: 18 },
    fails: { claimable: false, claim_problem: 'below the 10 % that may be claimed' },
    skipped: WITHOUT,
    next: 'pawl bench --only flash --only sdpa --case training_512',
  },
};

let method: Method;
beforeAll(async () => {
  method = await loadMethod(undefined);
});

function evaluate(id: string, facts: Facts): GateResult {
  const gate = method.gates.find((one) => one.id === id)!;
  const evidence: Evidence = {
    kind: gate.evidence,
    taken_at: '2026-11-15T12:00:00Z',
    facts,
    sources: [],
    lines: [],
  };
  const names = gateNames({ kernel: 'flash', case: 'training_512', reference: { kernel: 'sdpa' } });
  return evaluateGate(gate, { evidence, settings: method.settings, names, now: () => new Date(0) });
}

describe('the gates that Pawl ships', () => {
  it('are those that are tried out here', () => {
    expect(method.gates.map(({ id }) => id).toSorted()).toEqual(Object.keys(EXAMPLES).toSorted());
  });

  it.each(Object.entries(EXAMPLES))(
    '%s passes where it should, with its text filled',
    (id, { given, passes }) => {
      const result = evaluate(id, { ...given, ...passes });
      expect(result.state).toBe('passed');
      expect(result.reason).not.toMatch(/is unknown|[{}]/);
    },
  );

  it.each(Object.entries(EXAMPLES))('%s fails where it should, and names what comes next', (id, example) => {
    const result = evaluate(id, { ...example.given, ...example.fails });
    const gate = method.gates.find((one) => one.id === id)!;
    expect(result.state).toBe(gate.severity === 'stop' ? 'failed' : 'warned');
    expect(result.reason).not.toMatch(/is unknown|[{}]/);
    expect(result.next).toBe(example.next);
  });

  it.each(Object.entries(EXAMPLES).filter(([, { skipped }]) => skipped !== undefined))(
    '%s is skipped where it does not apply',
    (id, { skipped }) => {
      expect(evaluate(id, skipped ?? {}).state).toBe('skipped');
    },
  );

  it('tell times in the unit that fits, and which level they are', () => {
    const facts = { target: 1.3, target_ms: 0.315, floor_ms: 0.01, best_speedup: 40 };
    expect(evaluate('room', facts).reason).toBe(
      '1.3× means a median of 315 µs; the device needs at least 10 µs',
    );
    expect(evaluate('room', { ...facts, target_ms: 2.5 }).reason).toContain('2.5 ms;');
  });

  it.each(Object.keys(EXAMPLES).filter((id) => id !== 'money'))('%s does not pass without facts', (id) => {
    expect(['unknown', 'warned']).toContain(evaluate(id, {}).state);
  });
});
