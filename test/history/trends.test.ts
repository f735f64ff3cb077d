import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { History } from '../../src/history/history.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import { acrossKeys } from '../../src/history/trends/across-keys.ts';
import { currentChanges, type CurrentChanges } from '../../src/history/trends/current-changes.ts';
import { describeTrend, findChanges } from '../../src/history/trends/find-changes.ts';
import { judgeDevices } from '../../src/history/trends/judge-devices.ts';
import { standingSlowdowns } from '../../src/history/trends/standing-slowdowns.ts';
import { trendOf } from '../../src/history/trends/trend-of.ts';
import { withChanges } from '../../src/history/trends/with-changes.ts';
import {
  overviewSchema,
  trendSchema,
  type DeviceHealth,
  type TrendChange,
  type TrendPoint,
} from '../../src/model/history/history.ts';
import { changePlace } from '../../src/report/text/trend-text.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';
import { commitOf, shaOf, storedRunOf, timeOf } from './stored-run-of.ts';

function points(length: number, levelOf: (at: number) => number, noise = 0.005): TrendPoint[] {
  const random = new Xoshiro128(5);
  return Array.from({ length }, (_, at) => {
    const level_ms = levelOf(at) * Math.exp(noise * normalQuantile(random.nextOpen()));
    return {
      commit: shaOf(at),
      time: timeOf(at).toISOString(),
      run: `run${at}`,
      level_ms,
      ci_ms: [level_ms * (1 - noise), level_ms * (1 + noise)],
      processes: 5,
      samples: 100,
    };
  });
}

describe('findChanges', () => {
  it('says that the host changed with it', () => {
    const moved = points(60, (at) => (at >= 25 ? 1.1 : 1));
    for (const [at, one] of moved.entries()) one.host = at >= 25 ? 'gpu2' : 'gpu1';
    const [change] = findChanges(moved);
    expect(change?.hosts).toEqual({ before: 'gpu1', after: 'gpu2' });
    expect(changePlace(change!, { commits: [] })).toContain('(the host changed from gpu1 to gpu2)');
    expect(findChanges(points(60, (at) => (at >= 25 ? 1.1 : 1)))[0]!.hosts).toBeUndefined();
  });

  it('tells hosts apart that take turns, and says by how much they differ', () => {
    const shared = points(80, (at) => (at % 3 === 0 ? 1.04 : 1) * (at >= 50 ? 1.02 : 1), 0.002);
    for (const [at, one] of shared.entries()) one.host = at % 3 === 0 ? 'gpu2' : 'gpu1';
    const { changes, host_offsets, modes } = describeTrend(shared);
    expect(changes).toMatchObject([{ kind: 'step', commit: shaOf(50) }]);
    expect(changes[0]!.hosts).toBeUndefined();
    expect(modes).toBeUndefined();
    expect(host_offsets).toMatchObject([{ host: 'gpu1', slower_by_pct: 0 }, { host: 'gpu2' }]);
    expect(host_offsets![1]!.slower_by_pct).toBeCloseTo(4, 0);
  });

  it('calls two modes by their name', () => {
    const { changes, modes } = describeTrend(points(80, (at) => ((at * 7) % 5 < 2 ? 1.1 : 1), 0.002));
    expect(changes).toEqual([]);
    expect(modes!.slower_by_pct).toBeCloseTo(10, 0);
    expect(modes!.slower_share_pct).toBeCloseTo(40, 0);
  });

  it('names the commit that made it slower, and the one before it', () => {
    const [change, ...others] = findChanges(points(60, (at) => (at >= 25 ? 1.1 : 1)));
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      kind: 'step',
      commit: shaOf(25),
      previous_commit: shaOf(24),
      time: timeOf(25).toISOString(),
    });
    expect(change!.change_pct).toBeLessThan(-9);
    expect(change!.ci_pct[0]).toBeLessThan(-10);
    expect(change!.ci_pct[1]).toBeGreaterThan(-10.1);
    expect(change!.ci_pct[0]).toBeLessThan(change!.ci_pct[1]);
  });

  it('calls what got faster positive', () => {
    expect(findChanges(points(60, (at) => (at >= 25 ? 0.8 : 1)))[0]!.change_pct).toBeGreaterThan(15);
  });

  it('names the stretch of a creep', () => {
    const [creep, ...others] = findChanges(points(200, (at) => 1 + 0.0005 * at));
    expect(others).toEqual([]);
    expect(creep).toMatchObject({ kind: 'creep', commit: shaOf(199), previous_commit: shaOf(0) });
    expect(creep!.change_pct).toBeLessThan(-8);
  });

  it('leaves out steps too small to act on, however sure', () => {
    const small = points(2000, (at) => (at >= 1000 ? 1.003 : 1));
    expect(findChanges(small)).toEqual([]);
    expect(findChanges(small, { leastPct: 0.1 })).toHaveLength(1);
  });

  it('has nothing to say of no points, or of a few', () => {
    expect(findChanges([])).toEqual([]);
    expect(findChanges(points(3, (at) => (at === 2 ? 2 : 1)))).toEqual([]);
  });
});

describe('a level that was carried over', () => {
  const measured = points(20, (at) => (at >= 10 ? 1.1 : 1));

  it('is no further point beside the one it is a copy of', () => {
    const copies = Array.from({ length: 40 }, (): TrendPoint => ({
      ...measured[9]!,
      // As a baseline rounds it.
      level_ms: measured[9]!.level_ms * (1 + 1e-6),
      samples: 0,
      carried: true,
    }));
    const among = [...measured.slice(0, 10), ...copies, ...measured.slice(10)];
    expect(findChanges(measured)).toHaveLength(1);
    expect(findChanges(among)).toEqual(findChanges(measured));
  });

  it('counts after another one', () => {
    const slow = points(20, (at) => (at >= 10 ? 1.2 : 1));
    const back = slow.slice(0, 3).map((one) => Object.assign({}, one, { samples: 0, carried: true }));
    expect(findChanges([...slow, ...back]).map(({ change_pct }) => Math.sign(change_pct))).toEqual([-1, 1]);
  });
});

describe('acrossKeys', () => {
  const change = (p: number): TrendChange => ({
    kind: 'step',
    commit: 'b',
    previous_commit: 'a',
    time: timeOf(1).toISOString(),
    change_pct: -5,
    ci_pct: [-6, -4],
    p,
  });

  it('keeps a weak change of a key alone, and not among hundreds of keys', () => {
    const alone = new Map([['key', [change(0.009)]]]);
    expect(acrossKeys(alone).get('key')).toHaveLength(1);
    const many = new Map<string, TrendChange[]>(alone);
    for (let other = 0; other < 300; other++) many.set(`other ${other}`, []);
    expect(acrossKeys(many).get('key')).toEqual([]);
    expect(acrossKeys(new Map([...many, ['strong', [change(1e-6)]]])).get('strong')).toHaveLength(1);
  });
});

describe('judgeDevices', () => {
  const device = (total: number, alarms: number, cvs: readonly number[] = [0.5]): DeviceHealth => ({
    device: 'NVIDIA H200',
    controls: { total, alarms },
    points: cvs.map((between_process_cv_pct, day) => ({
      time: timeOf(24 * day).toISOString(),
      runs: 4,
      between_process_cv_pct,
    })),
  });

  it('calls a device alarming whose controls alarm more than the promised rate explains', () => {
    const [none, few, many] = judgeDevices([device(0, 0), device(400, 5), device(400, 20)]);
    expect([none!.health, few!.health, many!.health]).toEqual(['unknown', 'sound', 'alarming']);
  });

  it('says when a device became noisier', () => {
    const random = new Xoshiro128(3);
    const days = Array.from(
      { length: 60 },
      (_, day) => (day >= 40 ? 2 : 0.5) * (0.8 + 0.4 * random.nextOpen()),
    );
    const [judged] = judgeDevices([device(0, 0, days)]);
    expect(judged!.noise_changes).toHaveLength(1);
    expect(judged!.noise_changes[0]).toMatchObject({ kind: 'step', time: timeOf(24 * 40).toISOString() });
    expect(judged!.noise_changes[0]!.factor).toBeGreaterThan(3);
  });
});

describe('standingSlowdowns', () => {
  const standing = (levelOf: (at: number) => number, noise?: number) =>
    standingSlowdowns(findChanges(points(120, levelOf, noise))).map(({ kind, commit }) => [kind, commit]);

  it('keeps a step to slower, and none to faster', () => {
    expect(standing((at) => (at >= 60 ? 1.06 : 1))).toEqual([['step', shaOf(60)]]);
    expect(standing((at) => (at >= 60 ? 0.94 : 1))).toEqual([]);
  });

  it('drops a step that was undone, also where the level after is only nearly the one before', () => {
    const undone = (after: number) => (at: number) => (at < 40 ? 1 : at < 80 ? 1.06 : after);
    expect(findChanges(points(120, undone(1)))).toHaveLength(2);
    expect(standing(undone(1))).toEqual([]);
    expect(standing(undone(1.002))).toEqual([]);
    expect(standing(undone(0.9))).toEqual([]);
  });

  it('keeps a step of which a part was undone', () => {
    expect(standing((at) => (at < 40 ? 1 : at < 80 ? 1.1 : 1.05))).toEqual([['step', shaOf(40)]]);
  });

  it('keeps the step that is left of two, and both where they add up', () => {
    expect(standing((at) => (at < 30 ? 1 : at < 60 ? 1.06 : at < 90 ? 1 : 1.08))).toEqual([
      ['step', shaOf(90)],
    ]);
    expect(standing((at) => (at < 40 ? 1 : at < 80 ? 1.06 : 1.3))).toEqual([
      ['step', shaOf(40)],
      ['step', shaOf(80)],
    ]);
  });

  it('drops a creep that a step took back', () => {
    const creep = (at: number) => 1 + 0.001 * at;
    expect(standing(creep)).toEqual([['creep', shaOf(119)]]);
    expect(standing((at) => (at < 90 ? creep(at) : 0.98))).toEqual([]);
  });
});

describe('the trends of a store', () => {
  let folder: string;
  let history: History;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-trends-'));
    history = await openStore(join(folder, 'history.db'));
    for (let at = 0; at < 24; at++) await put(at);
  });
  afterEach(async () => {
    await history.close();
    await rm(folder, { recursive: true, force: true });
  });

  function put(at: number): Promise<unknown> {
    return history.put(storedRunOf({ at, level_ms: at >= 12 ? 0.06 : 0.05 }), { commits: [commitOf(at)] });
  }

  it('are found on all points, whatever the window and the number of points', async () => {
    const [key] = await history.keys();
    const whole = trendSchema.parse(await trendOf(history, key!.id));
    expect(whole.points).toHaveLength(24);
    expect(whole.changes).toMatchObject([{ kind: 'step', commit: shaOf(12), previous_commit: shaOf(11) }]);
    const thin = (await trendOf(history, key!.id, { maxPoints: 6 }))!;
    expect(thin).toMatchObject({ thinned_from: 24, changes: whole.changes });
    expect((await trendOf(history, key!.id, { since: timeOf(10) }))!.changes).toEqual(whole.changes);
    expect((await trendOf(history, key!.id, { since: timeOf(20) }))!.changes).toEqual([]);
    expect(await trendOf(history, 'nothing')).toBeUndefined();
  });

  it('are dated by the commit that a samples file from elsewhere states, whatever the run said', async () => {
    const late = storedRunOf({ at: 40, level_ms: 0.07 });
    const committed_at = timeOf(-5).toISOString();
    for (const one of late.sides.head.measurements) one.committed_at = committed_at;
    await history.put(late);
    const [key] = await history.keys();
    const { points } = (await trendOf(history, key!.id))!;
    expect(points[0]).toMatchObject({ commit: shaOf(40), time: committed_at });
    expect(points).toHaveLength(25);
  });

  it('are told as far as they are known while others are still to be found', async () => {
    const told: [number, number][] = [];
    const count = ({ changes }: CurrentChanges) =>
      [...changes.values()].reduce((sum, own) => sum + own.length, 0);
    const found = await currentChanges(history, {
      onKnown: (changes, left) => told.push([count(changes), left]),
    });
    expect(told).toEqual([[0, 1]]);
    expect(count(found)).toBe(1);
    told.length = 0;
    await put(24);
    await currentChanges(history, { onKnown: (changes, left) => told.push([count(changes), left]) });
    expect(told).toEqual([[1, 1]]);
    told.length = 0;
    await currentChanges(history, { onKnown: (changes, left) => told.push([count(changes), left]) });
    expect(told).toEqual([]);
  });

  it('are looked for without holding up others', async () => {
    let hasPassed = false;
    setImmediate(() => {
      hasPassed = true;
    });
    let hadPassed: boolean | undefined;
    await currentChanges(history, {
      goesOn: () => {
        hadPassed ??= hasPassed;
        return true;
      },
    });
    expect(hadPassed).toBe(true);
  });

  it('are remembered until there are new points, and go into the overview', async () => {
    const changes = await currentChanges(history);
    const known = await history.knownChanges();
    expect([...known.values()].every(({ seen, known: now }) => now?.seen === seen)).toBe(true);
    const overview = withChanges(await history.overview({ since: timeOf(0), until: timeOf(1000) }), changes);
    overviewSchema.parse(overview);
    expect(overview.keys).toMatchObject([{ last_change: { kind: 'step', commit: shaOf(12) } }]);
    // No run here has a verdict: the trend alone says so.
    expect(overview.keys).toMatchObject([{ attention: ['regressed'] }]);
    const later = withChanges(await history.overview({ since: timeOf(20), until: timeOf(1000) }), changes);
    expect(later.keys[0]!.last_change).toBeUndefined();
    expect(later.keys[0]!.attention).toEqual([]);

    await put(24);
    const stale = await currentChanges(history, { goesOn: () => false });
    expect(stale.changes).toEqual(changes.changes);
    expect(stale.pending.size).toBe(1);
    await currentChanges(history);
    const after = await history.knownChanges();
    expect([...after.values()].every(({ seen, known: now }) => now?.seen === seen)).toBe(true);
  });

  it('are not what goes to and fro between two levels, which the overview says', async () => {
    for (let at = 100; at < 180; at++) {
      const level_ms = (at * 7) % 5 < 2 ? 0.033 : 0.03;
      await history.put(storedRunOf({ at, cases: ['flips'], level_ms }), { commits: [commitOf(at)] });
    }
    const overview = await history.overview({ since: timeOf(90), until: timeOf(1000) });
    const told = withChanges(overview, await currentChanges(history));
    const flips = told.keys.find(({ key }) => key.case === 'flips')!;
    expect(flips.attention).toEqual(['bimodal']);
    expect(flips.last_change).toBeUndefined();
    // Also from what is remembered.
    const again = withChanges(overview, await currentChanges(history));
    expect(again.keys.find(({ key }) => key.case === 'flips')!.attention).toEqual(['bimodal']);
  });
});
