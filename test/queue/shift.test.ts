import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { PawlError } from '../../src/model/pawl-error.ts';
import type { ShiftEvent } from '../../src/model/queue/shift-event.ts';
import { openQueue } from '../../src/queue/open-queue.ts';
import type { Lease } from '../../src/queue/queue.ts';
import type { Queue } from '../../src/queue/queue.ts';
import { Shift, type Judging } from '../../src/queue/shift.ts';
import { asked, JUDGE, judgementOf } from '../contract/queue-conformance.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

/** The queue is real; what judges is told what to do by the texts of the candidates. */
describe('a worker', () => {
  let queue: Queue;
  let events: ShiftEvent[];
  let aborter: AbortController;
  let building: number;
  let judging: number;
  let most: { building: number; judging: number; built: number };
  let removed: number;
  let groups: string[][];

  beforeEach(async () => {
    queue = await openQueue(join(await temporaryFolder(), 'queue.db'));
    await queue.putTenant('blue', { burst: 1000 });
    await queue.offer(['doubled']);
    events = [];
    aborter = new AbortController();
    [building, judging, removed, groups] = [0, 0, 0, []];
    most = { building: 0, judging: 0, built: 0 };
  });
  afterEach(() => queue.close());

  const stand: Judging<{ readonly text: string; readonly lease: Lease }> = {
    offered: JUDGE,
    build: async (lease) => {
      most.building = Math.max(most.building, ++building);
      const text = lease.files['kernel.cpp']!;
      await sleep(10);
      if (judging > 0) most.built += 1;
      building -= 1;
      if (text.startsWith('elsewhere')) throw new PawlError('unavailable', 'no GPU here');
      return { text, lease };
    },
    judge: async (group, onJudged) => {
      groups.push(group.map(({ text }) => text));
      for (const [at, one] of group.entries()) {
        const [judged] = await Promise.allSettled([judgeOne(one)]);
        onJudged(at, judged);
        if (one.text.startsWith('fatal')) throw new TypeError('what judges has a bug');
      }
    },
    remove: () => {
      removed += 1;
      return Promise.resolve();
    },
  };
  async function judgeOne({ text, lease }: { text: string; lease: Lease }) {
    most.judging = Math.max(most.judging, ++judging);
    try {
      await sleep(text.startsWith('long') ? 60_000 : 20, undefined, { signal: aborter.signal });
    } finally {
      judging -= 1;
    }
    if (text.startsWith('bug')) throw new TypeError('a bug');
    return judgementOf(lease);
  }
  const run = (worker = 'w1', more: { lease_s?: number; ahead?: number; idle_s?: number } = {}) =>
    new Shift(queue, [stand], {
      worker,
      lease_s: 30,
      ahead: 2,
      together: 2,
      poll_ms: 20,
      idle_s: 0.2,
      signal: aborter.signal,
      onEvent: (event) => events.push(event),
      ...more,
    }).run();
  const states = async () => {
    const { judged, failed, queued, leased } = (await queue.status()).tenants[0]!;
    return { judged, failed, queued, leased };
  };

  it('judges one candidate at a time, and builds others meanwhile', async () => {
    for (let at = 0; at < 8; at++) await queue.submit(asked(`${at}`));
    expect(await run()).toBe(8);
    expect(await states()).toEqual({ judged: 8, failed: 0, queued: 0, leased: 0 });
    expect(most.judging).toBe(1);
    expect(most.built).toBeGreaterThan(0);
    expect(removed).toBe(8);
    expect((await queue.status()).workers).toEqual([]);
  });

  it('has those that are ready judged together, and answers each as soon as it is decided', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await queue.submit(asked(name));
    const answeredWhileJudging: number[] = [];
    const watching = setInterval(() => {
      if (judging > 0) answeredWhileJudging.push(events.filter(({ event }) => event === 'judged').length);
    }, 3);
    expect(await run()).toBe(5);
    clearInterval(watching);
    expect(groups.flat()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(Math.max(...groups.map(({ length }) => length))).toBe(2);
    // The first of a group has its answer while the second is judged.
    expect(new Set(answeredWhileJudging).size).toBeGreaterThan(groups.length);
  });

  it('has an answer for each candidate where what judges them fails as a whole', async () => {
    for (const name of ['fatal', 'other']) await queue.submit(asked(name));
    await run();
    const { judged, failed, queued, leased } = await states();
    expect({ queued, leased, all: judged + failed }).toEqual({ queued: 0, leased: 0, all: 2 });
  });

  it('gives back what it holds when it is stopped, uncounted', async () => {
    for (let at = 0; at < 4; at++) await queue.submit(asked(`long ${at}`));
    const ended = run();
    await expect.poll(() => judging).toBe(1);
    aborter.abort();
    expect(await ended).toBe(0);
    expect(await states()).toEqual({ judged: 0, failed: 0, queued: 4, leased: 0 });
    expect(events.filter(({ event }) => event === 'returned').length).toBeGreaterThanOrEqual(3);
    aborter = new AbortController();
  });

  it('survives bugs that a candidate finds, and answers after three tries', async () => {
    const bug = await queue.submit(asked('bug'));
    const away = await queue.submit(asked('elsewhere'));
    await queue.submit(asked('good'));
    expect(await run()).toBe(1);
    expect(await states()).toEqual({ judged: 1, failed: 2, queued: 0, leased: 0 });
    const errorOf = async (one: typeof bug) =>
      one.state === 'taken' ? (await queue.find(one.id))!.answer : undefined;
    expect(await errorOf(bug)).toMatchObject({ error: { kind: 'internal' } });
    expect(await errorOf(away)).toMatchObject({ error: { message: 'no GPU here' } });
  });

  it('renews its leases while it works', async () => {
    await queue.submit(asked('long'));
    const ended = run('w1', { lease_s: 0.6 });
    await expect.poll(() => judging).toBe(1);
    await sleep(1500);
    expect(await queue.reap()).toBe(0);
    aborter.abort();
    await ended;
    aborter = new AbortController();
  });
});
