import { describe, expect, it } from 'vitest';

import type { CheckReport } from '../../../src/model/reports/check-report.ts';
import type { DoctorProbe } from '../../../src/model/reports/doctor-report.ts';
import { endCheckSteps, endDoctorStep } from '../../../src/workflows/ci/check-steps.ts';
import { StepLog } from '../../../src/workflows/ci/step-log.ts';
import { checkedRun } from '../../report/comparison-run.ts';

function stepsOf(act: (log: StepLog) => void): ReturnType<StepLog['steps']> {
  const log = new StepLog(() => new Date('2026-11-15T02:10:00Z'));
  act(log);
  return log.steps();
}

const CHECK: DoctorProbe = {
  id: 'load',
  group: 'host',
  title: 'Load',
  state: 'ok',
  detail: 'idle',
  needed_for: 'steady times',
  required: false,
};

describe('the doctor step', () => {
  const statusOf = (check: Partial<DoctorProbe>, summary: string, ready = true): unknown =>
    stepsOf((log) => endDoctorStep(log, { ready, summary, checks: [{ ...CHECK, ...check }] })).find(
      ({ name }) => name === 'doctor',
    );

  it('goes by what the checks came to, whatever the summary says', () => {
    const good = 'Ready to measure.';
    const better = 'Ready to measure; 1 thing could be better.';
    expect(statusOf({}, better)).toMatchObject({ status: 'passed', detail: better });
    expect(statusOf({ state: 'skipped' }, better)).toMatchObject({ status: 'passed' });
    expect(statusOf({ state: 'warning' }, good)).toMatchObject({ status: 'warned', detail: good });
    expect(statusOf({ state: 'missing' }, good)).toMatchObject({ status: 'warned' });
    expect(statusOf({ state: 'missing', required: true }, better, false)).toMatchObject({ status: 'failed' });
  });
});

describe('the profile step', () => {
  const profileOf = (report: Partial<CheckReport>): unknown =>
    stepsOf((log) => endCheckSteps(log, { ...checkedRun(), ...report }, { profile: 'auto' })).find(
      ({ name }) => name === 'profile',
    );

  it('warns where a change was not profiled, and not because of the words of a note', () => {
    const text = 'ncu may not count here';
    const not_profiled = [{ reason: 'no-permission', text } as const];
    expect(profileOf({ not_profiled, notes: [text] })).toMatchObject({ status: 'warned', detail: text });
    expect(profileOf({ notes: ['no profile is wanted for k/small'] })).toMatchObject({ status: 'skipped' });
  });
});

describe('the step that work belongs to', () => {
  it('is known by what the work is, not by its title', () => {
    const log = new StepLog(() => new Date('2026-11-15T02:10:00Z'));
    const listen = log.listening(() => undefined);
    listen({ type: 'started', title: 'looking closely', work: 'profile', total: 1 });
    expect(log.current).toBe('profile');
    listen({ type: 'started', title: 'measuring', total: 1 });
    expect(log.current).toBe('profile');
    listen({ type: 'started', title: 'taking series', work: 'measure', total: 1 });
    expect(log.current).toBe('benchmark');
  });
});

describe('a run that had to wait for a device', () => {
  it('says in its document and its summary how long, and for whom', () => {
    let time_ms = Date.parse('2026-11-15T02:10:00Z');
    const log = new StepLog(() => new Date(time_ms));
    const listen = log.listening(() => undefined);
    const holder = { pid: 7, purpose: 'pawl tune of gemm', since: '2026-11-15T02:00:00Z' };
    listen({ type: 'waiting', device: 'GPU-1', holder });
    time_ms += 12_000;
    listen({ type: 'started', title: 'measuring', work: 'measure', total: 1 });
    expect(log.waits).toEqual([{ device: 'GPU-1', holder, seconds: 12 }]);
    endCheckSteps(log, checkedRun(), { profile: 'auto' });
    expect(log.steps().find(({ name }) => name === 'benchmark')?.detail).toMatch(
      /, after waiting 12(?:\.0)? s for process 7 \(pawl tune of gemm\) since 2026-11-15T02:00:00Z$/,
    );
  });
});
