import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import type { Limiter, RuleId } from '../../src/model/profile/diagnosis-words.ts';
import type { LaunchProfile } from '../../src/model/profile/profile.ts';
import { diagnose } from '../../src/profile/diagnose.ts';
import { parseNcuProfile } from '../../src/profile/ncu/ncu-profile.ts';

/** Each kernel was written to have one known character; see the fixtures' README. */
const KNOWN: readonly (readonly [kernel: string, limiter: Limiter, fault: RuleId])[] = [
  ['copy_ok', 'dram', 'at-limit'],
  ['fma_ok', 'compute', 'at-limit'],
  ['uncoalesced_load', 'l2', 'uncoalesced-access'],
  ['bank_conflict_transpose', 'l1-shared', 'bank-conflicts'],
  ['register_spill', 'dram', 'register-spill'],
  ['small_grid', 'launch', 'small-grid'],
  ['tail_wave', 'launch', 'tail-wave'],
  ['pointer_chase', 'latency', 'long-scoreboard'],
  ['exp_bound', 'special-function', 'special-function-bound'],
  ['naive_matmul', 'l1-shared', 'tensor-idle'],
  ['sdpa_flash', 'latency', 'legacy-mma'],
];

function launchIn(file: string): LaunchProfile {
  const { launches } = parseNcuProfile(
    readFileSync(new URL(`../fixtures/ncu/${file}`, import.meta.url), 'utf8'),
  );
  const [launch] = launches;
  if (!launch) throw new Error(`${file} holds no launch`);
  return launch;
}

describe.each(['raw', 'details'] as const)('on the %s page', (page) => {
  it.each(KNOWN)('%s is limited by %s, and %s is found first', (kernel, limiter, fault) => {
    const { limiter: found, findings } = diagnose(launchIn(`${kernel}.${page}.csv`));
    expect([found, findings[0]?.rule]).toEqual([limiter, fault]);
  });

  it.each(['copy_ok', 'fma_ok'])('nothing but at-limit is found in %s', (kernel) => {
    const { findings } = diagnose(launchIn(`${kernel}.${page}.csv`));
    expect(findings.map(({ rule, expected_gain_pct: gain }) => [rule, gain])).toEqual([['at-limit', 0]]);
  });
});

describe('our attention kernel with a planted fault', () => {
  it.each([
    ['unswizzled', 'bank-conflicts'],
    ['spilled', 'register-spill'],
    ['large_tile', 'low-occupancy'],
  ] as const)('%s: %s is found first, and not in the healthy one', (kernel, fault) => {
    const found = diagnose(launchIn(`../ncu-attention/attention_${kernel}.raw.csv`));
    expect(found.findings[0]?.rule).toBe(fault);
    const healthy = diagnose(launchIn('../ncu-attention/attention_healthy.raw.csv'));
    expect(healthy.findings.map(({ rule }) => rule)).not.toContain(fault);
  });
});

describe('what a page does not hold', () => {
  it('is nothing on the raw page of a full set', () => {
    for (const [kernel] of KNOWN) expect(diagnose(launchIn(`${kernel}.raw.csv`)).not_collected).toEqual([]);
  });

  it('is named, not taken as zero, on the details page', () => {
    const { not_collected: missing } = diagnose(launchIn('copy_ok.details.csv'));
    expect(missing).toContain('smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio');
    expect(missing).toContain('derived__memory_l1_wavefronts_shared_excessive');
  });
});

it('the same launch gives the same diagnosis whatever the order of its metrics', () => {
  const launch = launchIn('register_spill.raw.csv');
  const turned = { ...launch, metrics: new Map([...launch.metrics].toReversed()) };
  expect(diagnose(turned)).toEqual(diagnose(launch));
});

it('both pages of a capture lead to the same first advice', () => {
  for (const [kernel] of KNOWN) {
    const [raw, details] = ['raw', 'details'].map(
      (page) => diagnose(launchIn(`${kernel}.${page}.csv`)).findings[0],
    );
    expect(details?.fix).toBe(raw?.fix);
    expect(Math.abs((details?.expected_gain_pct ?? 0) - (raw?.expected_gain_pct ?? 0))).toBeLessThan(5);
  }
});
