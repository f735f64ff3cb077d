import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { CasePlan } from '../../../src/config/plan-kernel.ts';
import type { LoadedConfig } from '../../../src/config/load-config.ts';
import { PROFILE_SCHEMA, type ProfileReport } from '../../../src/model/profile/profile-report.ts';
import type { Session, Try } from '../../../src/model/learn/session.ts';
import { batchFamily, sizeFamily } from '../../../src/learn/session/case-families.ts';
import { smallestCase } from '../../../src/workflows/session/evidence/evidence-context.ts';
import { triesEvidence } from '../../../src/workflows/session/evidence/tries.ts';

function plan(name: string, dims: Readonly<Record<string, number>>): CasePlan {
  const values = Object.entries(dims).map(([dim, value]) => ({ name: dim, value }));
  const operations = values.reduce((product, { value }) => product * value, 1);
  const tolerance = { atol: 0, rtol: 0 };
  return { name, dims: values, tensors: [], operations, bytes: 0, tolerance, coarsening: {} };
}

const CASES = [
  plan('long', { B: 2, H: 4, S: 512 }),
  plan('short', { B: 2, H: 4, S: 64 }),
  plan('middle', { B: 2, H: 4, S: 128 }),
  plan('many', { B: 8, H: 4, S: 64 }),
  plan('most', { B: 8, H: 16, S: 64 }),
];
const names = (cases: readonly CasePlan[] | undefined) => cases?.map(({ name }) => name);

describe('cases that differ in size only', () => {
  it('are found in one dimension, from the smallest on', () => {
    const family = sizeFamily(CASES, 'long');
    expect(family?.dim).toBe('S');
    expect(names(family?.cases)).toEqual(['short', 'middle', 'long']);
  });

  it('are found in batch and heads together', () => {
    expect(names(batchFamily(CASES, 'short')?.cases)).toEqual(['short', 'many', 'most']);
  });

  it('are none where two dimensions differ', () => {
    const apart = [plan('a', { M: 1, N: 1 }), plan('b', { M: 2, N: 2 })];
    expect(sizeFamily(apart, 'a')).toBeUndefined();
    expect(batchFamily(apart, 'a')).toBeUndefined();
  });

  it('begin at the smallest of all', () => {
    expect(smallestCase(CASES)?.name).toBe('short');
    expect(smallestCase([])).toBeUndefined();
  });
});

function tried(number: number, idea: string, outcome: Try['outcome'], share?: number): Try {
  return {
    number,
    idea,
    opened_at: '2026-11-15T12:00:00Z',
    hypothesis: 'It helps.',
    change: { diff: '', truncated: false, files: [], variables: [] },
    flags: [],
    warnings: [],
    ...(outcome === undefined ? {} : { outcome }),
    ...(share === undefined ? {} : { share_of_predicted: share }),
  };
}

interface More extends Partial<Pick<Session, 'phases' | 'cost'>> {
  idea?: string;
  root?: string;
}

async function facts(tries: Try[], more: More = {}) {
  const { idea, phases = [], cost = { wall_s: 0 }, root = '/nowhere' } = more;
  const evidence = await triesEvidence({
    loaded: { root } as LoadedConfig,
    kernel: 'k',
    case: 'c',
    reference: {},
    target: 1.2,
    session: { tries, phases, cost },
    ...(idea === undefined ? {} : { idea }),
  });
  return evidence.facts;
}

/** A project whose kernel `k` was profiled at some time, or in vain. */
async function projectWithProfile(started_at: string | undefined): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'pawl-profiled-'));
  const folder = join(root, '.pawl/profiles/one');
  await mkdir(folder, { recursive: true });
  const head = {
    profiler: { name: 'perf', command: ['perf'] },
    started_at: started_at ?? '',
    seconds: 1,
    launches: 1,
    files: {},
    notes: [],
  } satisfies ProfileReport['head'];
  const report: ProfileReport = {
    schema: PROFILE_SCHEMA,
    kernel: 'k',
    case: 'c',
    variant: {},
    mode: 'hot',
    ...(started_at === undefined ? {} : { head }),
    seconds: 1,
    device_s: 1,
  };
  await writeFile(join(folder, 'profile.json'), JSON.stringify(report));
  return root;
}

describe('the tries of a session', () => {
  it('are none at first', async () => {
    expect(await facts([])).toMatchObject({
      tries: 0,
      tries_on_idea: 0,
      without_gain: 0,
      has_prediction: false,
    });
  });

  it('are counted by idea, however it is written', async () => {
    const tries = [
      tried(1, 'Larger tiles', 'no-gain'),
      tried(2, 'swizzle', 'worse'),
      tried(3, 'larger tiles ', 'worse'),
    ];
    expect(await facts(tries)).toMatchObject({ tries_on_idea: 2 });
    expect(await facts(tries, { idea: 'swizzle' })).toMatchObject({ tries_on_idea: 1 });
    expect(await facts(tries, { idea: 'split k' })).toMatchObject({ tries_on_idea: 0 });
  });

  it('without gain are counted since the last that improved', async () => {
    const tries = [
      tried(1, 'a', 'worse'),
      tried(2, 'a', 'improved'),
      tried(3, 'a', 'no-gain'),
      tried(4, 'a', 'undecided'),
    ];
    expect(await facts(tries)).toMatchObject({ without_gain: 2, last_outcome: 'undecided' });
  });

  it('without gain are counted anew once the kernel was profiled', async () => {
    const tries = [tried(1, 'a', 'no-gain'), tried(2, 'a', 'no-gain')];
    const before = await projectWithProfile('2026-11-15T11:59:59.000Z');
    expect(await facts(tries, { root: before })).toMatchObject({ without_gain: 2 });
    const after = await projectWithProfile('2026-11-15T12:00:01.000Z');
    expect(await facts(tries, { root: after })).toMatchObject({ without_gain: 0, tries: 2 });
    expect(await facts(tries, { root: await projectWithProfile(undefined) })).toMatchObject({
      without_gain: 2,
    });
  });

  it('that never ran or are open use up no chance', async () => {
    const tries = [tried(1, 'a', 'failed'), tried(2, 'a', undefined)];
    expect(await facts(tries)).toMatchObject({ tries: 0, tries_on_idea: 0, without_gain: 0 });
  });

  it('tell how much of what was predicted the last one brought', async () => {
    const tries = [tried(1, 'a', 'improved', 0.9), tried(2, 'b', 'no-gain', 0.05)];
    expect(await facts(tries)).toMatchObject({ has_prediction: true, share_of_predicted: 0.05 });
  });

  it('cost time and money', async () => {
    const phases = [{ phase: 'optimise' as const, spent_s: 660, device_s: 60, budget_s: 7200 }];
    const cost = { wall_s: 660, device_s: 60, money: { amount: 1.5, currency: 'USD' } };
    expect(await facts([], { phases, cost })).toMatchObject({
      optimise_min: 11,
      optimise_budget_min: 120,
      money: 1.5,
      currency: 'USD',
    });
  });
});
