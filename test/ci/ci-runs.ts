import type { CiRun } from '../../src/model/reports/ci-run.ts';
import { checkedRun } from '../report/comparison-run.ts';

/** A run in which every verdict occurs; the worst is a wrong result. */
export function ciRun(changes: Partial<CiRun> = {}): CiRun {
  const check = checkedRun();
  return {
    schema: 'pawl.ci/1',
    verdict: check.verdict,
    conclusion: 'failure',
    steps: [
      { name: 'doctor', status: 'passed', seconds: 1.5, detail: 'Ready to measure.' },
      { name: 'baseline', status: 'skipped', detail: 'a pull request never updates the baseline' },
    ],
    policy: { source: 'base', regression_pct: 3, improvement_pct: 5, undecided: 'pass', profile: 'auto' },
    check,
    judge_changes: [],
    started_at: '2026-11-15T02:10:00.000Z',
    pawl_version: '0.1.0',
    ...changes,
  };
}

/** A run that ended before anything was measured. */
export function failedRun(message = 'There is no GPU here.', hint = 'Run: pawl doctor'): CiRun {
  const { check: _, policy: __, ...rest } = ciRun();
  return {
    ...rest,
    verdict: 'failed',
    conclusion: 'failure',
    failure: { kind: 'unavailable', message, hint },
  };
}
