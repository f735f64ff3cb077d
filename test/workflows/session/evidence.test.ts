import { execFileSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { FACTS } from '../../../src/learn/gates/facts.ts';
import { evaluateGate } from '../../../src/learn/gates/evaluate-gate.ts';
import { gateNames } from '../../../src/learn/gates/gate-names.ts';
import { loadMethod } from '../../../src/learn/method/load-method.ts';
import {
  evidenceSchema,
  type Evidence,
  type EvidenceKind,
  type GateResult,
} from '../../../src/model/gate.ts';
import { skipped } from '../../../src/profile/capture/profiler.ts';
import { showDevices } from '../../../src/workflows/device.ts';
import {
  collectEvidence,
  type EvidenceContext,
} from '../../../src/workflows/session/evidence/collect-evidence.ts';
import { attentionProject, contextOf, gateProject } from './gate-project.ts';

const TIMEOUT_MS = 1_200_000;

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
    const env = { ...process.env, PAWL_CACHE_DIR: await mkdtemp(join(tmpdir(), 'pawl-gates-cache-')) };
    const evidence = await collect('room', { ...context, env });
    expect(evidence.facts['floor_ms']).toBeUndefined();
    expect(await gate('room', evidence, context)).toMatchObject({
      state: 'unknown',
      next: 'pawl device --calibrate --threads 1',
    });

    await showDevices({ only: 'cpu', env, calibrate: true, threads: [1], wait_s: 900 });
    const calibrated = await collect('room', { ...context, env });
    expect(calibrated.facts['floor_ms']).toBeGreaterThan(0);
    expect(calibrated.facts['best_speedup']).toBeGreaterThan(0);
    expect((await gate('room', calibrated, context)).state).not.toBe('unknown');
  });
});

describe('evidence of a kernel', { timeout: TIMEOUT_MS }, () => {
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

  it('that no profiler can look at is unknown, with the remedy, not passed', async () => {
    const none = {
      name: 'perf' as const,
      find: () => Promise.resolve(skipped('no-profiler', 'perf is not here', 'Install perf.')),
      capture: () => Promise.reject(new Error('not asked')),
    };
    const context = await contextOf(await gateProject(), { kernel: 'quick', case: 'small' });
    const evidence = await collect('profile', { ...context, profilers: { cpu: none, cuda: none } });
    const result = await gate('profiled', evidence, context);
    expect(result).toMatchObject({ state: 'unknown', next: 'pawl doctor' });
    expect(result.reason).toContain('Install perf.');
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
