import { execFileSync } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { calibrationDir } from '../../../src/build/cache-dirs.ts';
import { findCompiler } from '../../../src/build/find-compiler.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { CalibrationStore } from '../../../src/device/calibration-store.ts';
import { FACTS } from '../../../src/learn/gates/facts.ts';
import { CALIBRATION_SCHEMA, type Calibration } from '../../../src/model/device/calibration.ts';
import { evaluateGate } from '../../../src/learn/gates/evaluate-gate.ts';
import { gateNames } from '../../../src/learn/gates/gate-names.ts';
import { loadMethod } from '../../../src/learn/method/load-method.ts';
import {
  evidenceSchema,
  type Evidence,
  type EvidenceKind,
  type GateResult,
} from '../../../src/model/learn/gate.ts';
import { NcuProfiler } from '../../../src/profile/capture/ncu-profiler.ts';
import { gatesTerminal } from '../../../src/report/terminal/gates-terminal.ts';
import { FakeNvidiaSmi } from '../../device/fake-nvidia-smi.ts';
import { FakeNcu } from '../../profile/capture/fake-ncu.ts';
import { privateCache } from '../../services/private-cache.ts';
import {
  collectEvidence,
  type EvidenceContext,
} from '../../../src/workflows/session/evidence/collect-evidence.ts';
import { QuickLooks } from '../../../src/workflows/session/evidence/quick-looks.ts';
import { attentionProject, contextOf, gateProject } from './gate-project.ts';

const TIMEOUT_MS = 1_200_000;

/** CPU kernels under the stand-in for ncu: all but the profiler is real. */
const profilers = { cpu: new NcuProfiler(), cuda: new NcuProfiler() };
const nvcc = await findCompiler('cuda', process.env);
const REPOSITORY = resolve(import.meta.dirname, '../../..');

/** A device that does so much in a second, of everything. */
function calibrationOf(name: string, per_second: number): Calibration {
  const rate = { per_second, median_ms: 1, samples: 1 };
  return {
    schema: CALIBRATION_SCHEMA,
    device: { kind: 'cpu', name },
    threads: 1,
    pawl: '0.0.0',
    measured_at: new Date(0).toISOString(),
    copy: rate,
    multiply_add: rate,
  };
}

async function collect(kind: EvidenceKind, context: EvidenceContext): Promise<Evidence> {
  const evidence = await collectEvidence(kind, context);
  expect(evidenceSchema.safeParse(evidence).error).toBeUndefined();
  expect(Object.keys(FACTS[kind])).toEqual(expect.arrayContaining(Object.keys(evidence.facts)));
  return evidence;
}

async function gate(id: string, evidence: Evidence, context: EvidenceContext): Promise<GateResult> {
  const { gates, settings } = await loadMethod(context.loaded);
  const found = gates.find((one) => one.id === id)!;
  return evaluateGate(found, { evidence, settings, names: gateNames(context), now: () => new Date() });
}

describe('evidence of the attention kernel', { timeout: TIMEOUT_MS }, () => {
  let context: EvidenceContext;
  beforeAll(async () => {
    const reference = { kernel: 'scalar' };
    context = await contextOf(await attentionProject(), {
      kernel: 'attention-cpu',
      case: 'longer',
      reference,
    });
  });

  it('says what the machine has', async () => {
    const { facts } = await collect('environment', context);
    expect(facts).toMatchObject({ toolchain_ready: true, is_gpu: false, device_present: true });
    expect(facts['device']).not.toBe('');
    expect(typeof facts['device_idle']).toBe('boolean');
  });

  it('says that it builds, and has no registers to tell on a CPU', async () => {
    const { facts } = await collect('build', context);
    expect(facts).toMatchObject({
      builds: true,
      oracle_builds: true,
      reference_builds: true,
      has_resources: false,
    });
  });

  it('says that the smallest case is right, and how large the error is', async () => {
    const evidence = await collect('smallest-case', context);
    expect(evidence.facts).toMatchObject({ smallest: 'small', correct: true, has_nonfinite: false });
    expect(evidence.facts['max_abs_err']).toBeLessThan(2e-3);
    expect(evidence.sources[0]?.file).toMatch(/samples\.json$/);
  });

  it('has the reference measured at the smallest case and at the goal’s', async () => {
    const evidence = await collect('reference', context);
    expect(evidence.facts).toMatchObject({ reference_measured: true, reference_correct: true, processes: 2 });
    expect(evidence.lines).toHaveLength(2);
    expect((await gate('reference-measured', evidence, context)).state).toBe('passed');
  });

  it('has a speed-up at every size, and with more batch', async () => {
    const { facts } = await collect('sizes', context);
    expect(facts).toMatchObject({ has_sizes: true, size_dim: 'S', size_first: 'small', size_last: 'longer' });
    expect(facts).toMatchObject({ has_batches: true, batch_first: 'small', batch_last: 'wider' });
    expect(facts['trend']).toBeGreaterThan(0);
    expect(facts['batch_trend']).toBeGreaterThan(0);
  });

  it('knows no room before the device is calibrated, and says how that is done', async () => {
    const env = { ...process.env, PAWL_CACHE_DIR: await privateCache() };
    const evidence = await collect('room', { ...context, env });
    expect(evidence.facts['floor_ms']).toBeUndefined();
    expect(await gate('room', evidence, context)).toMatchObject({
      state: 'unknown',
      next: 'pawl device --calibrate --threads 1',
    });

    const name = String(evidence.facts['device']);
    const store = new CalibrationStore(await calibrationDir(env));
    await store.save(calibrationOf(name, 1e15));
    const fast = await collect('room', { ...context, env });
    expect(fast.facts['best_speedup']).toBeGreaterThan(1);
    expect((await gate('room', fast, context)).state).toBe('passed');
    expect((await gate('library-ceiling', fast, context)).state).toBe('passed');

    // A ceiling that the reference exceeds is none, and stops nobody.
    await store.save(calibrationOf(name, 1e3));
    const slow = await collect('room', { ...context, env });
    expect(slow.facts['floor_ms']).toBeUndefined();
    expect(slow.missing?.[0]?.why).toContain('not what the device does at best');
    expect(await gate('room', slow, context)).toMatchObject({ state: 'unknown' });
    expect(await gate('library-ceiling', slow, context)).toMatchObject({ state: 'unknown' });

    await store.save({ ...calibrationOf(name, 1e15), disturbed: ['other work kept 2.0 of 2 CPUs busy'] });
    const loaded = await collect('room', { ...context, env });
    expect(loaded.missing?.[0]?.why).toContain('were disturbed (other work kept 2.0 of 2 CPUs busy)');
    expect(await gate('room', loaded, context)).toMatchObject({
      state: 'unknown',
      next: 'pawl device --calibrate --threads 1',
    });
  });
});

describe('evidence of a kernel', { timeout: TIMEOUT_MS }, () => {
  it('is measured once for all gates of a run that look at the same cases', async () => {
    const reference = { kernel: 'quick' };
    const project = await contextOf(await gateProject(), { kernel: 'even', case: 'large', reference });
    const context = { ...project, looks: new QuickLooks() };
    const first = await collect('reference', context);
    expect(first.facts['device_s']).toBeGreaterThan(0);
    const baseline = await collect('baseline', context);
    expect(baseline.facts).toMatchObject({ smallest: 'small', device_s: 0 });
    expect(baseline.facts['reference_ms']).toBe(first.facts['reference_small_ms']);
    expect(baseline.sources).toEqual(first.sources);
    const later = await collect('baseline', { ...context, looks: new QuickLooks() });
    expect(later.facts['device_s']).toBeGreaterThan(0);
    expect(later.sources).not.toEqual(first.sources);
  });

  it('that is an eighth as fast as its reference stops at the baseline and says to profile', async () => {
    const reference = { kernel: 'quick' };
    const context = await contextOf(await gateProject(), { kernel: 'slow', case: 'large', reference });
    const evidence = await collect('baseline', context);
    expect(evidence.facts['speedup']).toBeLessThan(0.5);
    expect(await gate('smallest-speedup', evidence, context)).toMatchObject({
      state: 'failed',
      next: 'pawl profile slow --case small',
    });
  });

  it('that does not compile names the compiler’s error, and is not measured', async () => {
    const folder = await gateProject(['syntax-error']);
    const context = await contextOf(folder, {
      kernel: 'syntax-error',
      case: 'small',
      reference: { kernel: 'quick' },
    });
    const evidence = await collect('build', context);
    expect(evidence.facts).toMatchObject({ builds: false, oracle_builds: true, reference_builds: true });
    const result = await gate('builds', evidence, context);
    expect(result).toMatchObject({ state: 'failed', next: 'pawl build --only syntax-error' });
    expect(result.reason).toContain('syntax-error (kernel) does not build');
    const baseline = await gate('smallest-speedup', await collect('baseline', context), context);
    expect(baseline).toMatchObject({ state: 'unknown' });
    expect(baseline.reason).toContain('does not build');
  });

  it('that is wrong fails at its smallest case', async () => {
    const context = await contextOf(await gateProject(['wrong-result']), {
      kernel: 'wrong-result',
      case: 'large',
    });
    const evidence = await collect('smallest-case', context);
    expect(evidence.facts).toMatchObject({ smallest: 'small', correct: false });
    const result = await gate('smallest-case-correct', evidence, context);
    expect(result).toMatchObject({ state: 'failed', next: 'pawl fuzz --only wrong-result --case small' });
    expect(result.reason).toContain('wrong-result');
  });

  it('whose problem has no oracle is not known to be right', async () => {
    const folder = await gateProject();
    const context = await contextOf(folder, { kernel: 'quick', case: 'small' });
    const { oracle: _, ...problem } = context.loaded.config.problems['doubled']!;
    const config = { ...context.loaded.config, problems: { doubled: problem } };
    const evidence = await collect('smallest-case', { ...context, loaded: { ...context.loaded, config } });
    expect(await gate('smallest-case-correct', evidence, context)).toMatchObject({ state: 'unknown' });
  });

  it('is measured against the commit that it started from', async () => {
    const folder = await gateProject();
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
        encoding: 'utf8',
      });
    git('init', '--quiet');
    await writeFile(join(folder, '.gitignore'), '.pawl/\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'start');
    const commit = git('rev-parse', 'HEAD').trim();
    const context = await contextOf(folder, { kernel: 'even', case: 'large', reference: { commit } });
    const evidence = await collect('reference', context);
    expect(evidence.facts).toMatchObject({ reference_measured: true, reference_correct: true });
    expect(evidence.sources[0]?.command).toContain(`--base ${commit.slice(0, 10)}`);
  });

  it('without a reference leaves unknown what needs one, and skips the rest', async () => {
    const context = await contextOf(await gateProject(), { kernel: 'quick', case: 'large' });
    const reference = await gate('reference-measured', await collect('reference', context), context);
    expect(reference).toMatchObject({
      state: 'unknown',
      next: expect.stringContaining('--reference') as string,
    });
    const baseline = await collect('baseline', context);
    expect(baseline.facts).toMatchObject({ has_reference: false });
    expect((await gate('smallest-speedup', baseline, context)).state).toBe('skipped');
    expect((await gate('kernel-duration', baseline, context)).state).toBe('passed');
  });

  it('says what limits it, from the files of a profiler', async () => {
    const { env } = await FakeNcu.make('good');
    const context = await contextOf(await gateProject(), { kernel: 'quick', case: 'small', env, profilers });
    const evidence = await collect('profile', context);
    expect(evidence.facts).toMatchObject({
      profiled: true,
      has_diagnosis: true,
      top_rule: 'uncoalesced-access',
    });
    expect(evidence.sources[0]?.file).toMatch(/profile\.json$/);
    const result = await gate('profiled', evidence, context);
    expect(result).toMatchObject({ state: 'passed' });
    expect(result.reason).toContain('uncoalesced-access');
  });

  it('that no profiler may look at is unknown, with the remedy, not passed', async () => {
    const { env } = await FakeNcu.make('permission');
    const context = await contextOf(await gateProject(), { kernel: 'quick', case: 'small', env, profilers });
    const result = await gate('profiled', await collect('profile', context), context);
    expect(result).toMatchObject({ state: 'unknown', next: 'pawl doctor' });
    expect(result.reason).toContain('No profile could be taken');
  });

  it('that no profiler can look at on this device is not asked for one, and says why', async () => {
    const { env } = await FakeNcu.make('unsupported');
    const context = await contextOf(await gateProject(), { kernel: 'quick', case: 'small', env, profilers });
    const result = await gate('profiled', await collect('profile', context), context);
    expect(result).toMatchObject({ state: 'skipped' });
    expect(result).not.toHaveProperty('next');
    expect(result.reason).toContain('No profile could be taken');
    expect(gatesTerminal([result])).toContain('No profile could be taken');
  });

  it('is validated by many cases and by a full comparison', async () => {
    const reference = { kernel: 'slow' };
    const subject = { kernel: 'quick', case: 'large', reference, processes: 4, fuzzCases: 5 };
    const context = await contextOf(await gateProject(), subject);
    const evidence = await collect('validation', context);
    expect(evidence.facts).toMatchObject({ fuzz_passed: true, compared_cases: 2, slower_cases: 0 });
    expect(evidence.facts['fuzz_cases']).toBeGreaterThan(5);
    for (const id of ['matrix-correct', 'goal-reached', 'no-case-slower']) {
      expect(await gate(id, evidence, context)).toMatchObject({ state: 'passed' });
    }
    expect(evidence.facts['claim_change_pct']).toBeGreaterThan(10);
  });

  it('that is wrong somewhere does not pass validation', async () => {
    const subject = { kernel: 'wrong-result', case: 'large', fuzzCases: 2 };
    const context = await contextOf(await gateProject(['wrong-result']), subject);
    const result = await gate('matrix-correct', await collect('validation', context), context);
    expect(result.state).toBe('failed');
    expect(result.reason).toContain('pawl fuzz');
  });
});

const UUID = 'GPU-11111111-2222-3333-4444-555555555555';
const card = (index: number, uuid: string) =>
  `${index}, NVIDIA H200, ${uuid}, 00000000:03:00.0, 580.159.04, 9.0, 143771, 1, 31, 345, 3201, 1980, 3201, 76.5, 700.00, 0, Enabled, Enabled, 0x0000000000000001\n`;

describe('evidence of a CUDA kernel', { timeout: TIMEOUT_MS }, () => {
  it('says that the GPU is here and idle, of several the one that was chosen', async () => {
    const smi = await FakeNvidiaSmi.make();
    await smi.answer('query-gpu', card(0, UUID) + card(1, UUID.replace('1', '2')));
    await smi.answer('query-compute-apps', `${UUID}, 4242\n`);
    const context = { ...(await cudaContext('shared_memory: 0')), env: smi.env };
    const busy = await collect('environment', context);
    expect(busy.facts).toMatchObject({ is_gpu: true, device_present: true, device: 'NVIDIA H200' });
    expect(await gate('device-idle', busy, context)).toMatchObject({
      state: 'failed',
      reason: 'NVIDIA H200 is not idle: in use by process 4242.',
    });
    const idle = await collect('environment', { ...context, gpu: 1 });
    expect(await gate('device-idle', idle, context)).toMatchObject({ state: 'passed' });
    const absent = await collect('environment', { ...context, gpu: 2 });
    expect(await gate('device-present', absent, context)).toMatchObject({ state: 'failed' });
    expect(await gate('device-idle', absent, context)).toMatchObject({ state: 'skipped' });
  });

  it('has its shared memory computed before anything is compiled', async () => {
    const loaded = await loadConfig(REPOSITORY);
    const context = { loaded, kernel: 'attention-hopper', case: 'training_512', reference: {}, target: 1.2 };
    const evidence = await collect('resources', context);
    expect(evidence.facts).toMatchObject({ is_gpu: true, is_native: true, smem_bytes: 164_224, fits: true });
    // 227 KiB of Hopper: by the architecture that it is built for, also where no GPU is here.
    expect(evidence.facts['smem_limit_bytes']).toBeGreaterThanOrEqual(164_224);
    expect(await gate('shared-memory', evidence, context)).toMatchObject({ state: 'passed' });
  });

  it('that needs more shared memory than a block can have stops before it is compiled', async () => {
    const context = await cudaContext('shared_memory: 300 * 1024');
    const evidence = await collect('resources', context);
    expect(await gate('shared-memory', evidence, context)).toMatchObject({ state: 'failed' });
    expect(await gate('launch-limits', evidence, context)).toMatchObject({ state: 'failed' });
  });

  it('whose shared memory neither pawl.yaml nor the compiler tells is unknown, and told how to say it', async () => {
    const context = await cudaContext('block_threads: 128');
    await writeFile(join(context.loaded.root, 'src/spills.cu'), 'this is not CUDA');
    const result = await gate('shared-memory', await collect('resources', context), context);
    expect(result.state).toBe('unknown');
    expect(result.reason).toContain('`shared_memory`');
  });

  it.skipIf(nvcc.status === 'missing')(
    'has the static shared memory that the compiler tells where pawl.yaml says nothing (skipped without nvcc)',
    async () => {
      const context = await cudaContext('block_threads: 128');
      const evidence = await collect('resources', context);
      expect(evidence.facts).toMatchObject({ smem_bytes: 4096, smem_case: 'every case' });
      expect(await gate('shared-memory', evidence, context)).toMatchObject({ state: 'passed' });
    },
  );

  it.skipIf(nvcc.status === 'missing')(
    'that spills stops after its build (skipped without nvcc)',
    async () => {
      const context = await cudaContext('block_threads: 128\n    shared_memory: 0');
      const evidence = await collect('build', context);
      expect(evidence.facts).toMatchObject({
        builds: true,
        has_resources: true,
        registers: 32,
        smem_bytes: 4096,
      });
      expect(evidence.facts['spill_bytes']).toBeGreaterThan(0);
      expect(await gate('launchable', evidence, context)).toMatchObject({ state: 'passed' });
      const strict = { ...(await loadMethod(context.loaded)).settings, spill_bytes_limit: 0 };
      const spills = (await loadMethod(context.loaded)).gates.find(({ id }) => id === 'spills')!;
      const inputs = { evidence, settings: strict, names: gateNames(context), now: () => new Date() };
      expect(evaluateGate(spills, inputs)).toMatchObject({ state: 'failed' });
    },
  );
});

/** A project of one CUDA kernel that spills, with these lines in it. */
async function cudaContext(lines: string): Promise<EvidenceContext> {
  const folder = await gateProject(
    [],
    `  spills:
    problem: doubled
    device: cuda
    language: cuda
    sources: [src/spills.cu]
    arch: sm_90a
    ${lines}
`,
  );
  await copyFile(join(REPOSITORY, 'test/fixtures/build/spills.cu'), join(folder, 'src/spills.cu'));
  return contextOf(folder, { kernel: 'spills', case: 'small' });
}
