import { createHash } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { judgementSchema, type Judgement } from '../../src/model/queue/judgement.ts';
import { queuePrunedSchema } from '../../src/model/queue/queue-prune.ts';
import { leaderboardSchema, queueStatusSchema, submissionAnswerSchema } from '../../src/model/queue/queue.ts';
import { openQueue } from '../../src/queue/open-queue.ts';
import type { Lease, OfferedJudge, SubmitAsked } from '../../src/queue/queue.ts';
import type { Queue } from '../../src/queue/queue.ts';

export const JUDGE: OfferedJudge = {
  problem: 'doubled',
  device_class: 'a CPU',
  identity: 'judge-1',
  reference: 'plain',
};

export function asked(text: string, more: Partial<SubmitAsked> = {}): SubmitAsked {
  return {
    tenant: 'blue',
    problem: 'doubled',
    files: { 'kernel.cpp': text },
    sources_sha256: createHash('sha256').update(text).digest('hex'),
    priority: 0,
    fresh: false,
    ...more,
  };
}

export function judgementOf(lease: Pick<Lease, 'sources_sha256'>, more: Partial<Judgement> = {}): Judgement {
  return judgementSchema.parse({
    schema: 'pawl.judgement/1',
    verdict: 'improved',
    correct: true,
    reason: 'faster',
    speedup: { estimate: 2, low: 1.9, high: 2.1 },
    reward: 1.9,
    cases: [],
    findings: [],
    protections: [],
    cost: { wall_s: 2, device_s: 1, build_s: 1 },
    problem: 'doubled',
    reference: 'plain',
    sources_sha256: lease.sources_sha256,
    ...more,
  });
}

/** What every queue must do, whatever keeps its tables. `create` names a new, empty one. */
export function queueConformance(create: () => Promise<string>): void {
  let place: string;
  let queue: Queue;
  let others: Queue[];
  let now_ms: number;
  const clock = () => now_ms;
  const LEASE_S = 30;

  /** Another process with the same tables. */
  const another = async () => {
    const opened = await openQueue(place, { now_ms: clock });
    others.push(opened);
    return opened;
  };
  const lease = (worker = 'w1', holds = 0, by: Queue = queue) =>
    by.lease({ worker, judges: [JUDGE], holds, lease_s: LEASE_S });
  const leased = async (worker = 'w1', holds = 0): Promise<Lease> => {
    const answer = await lease(worker, holds);
    if (answer.state !== 'leased') throw new Error(`no lease: ${answer.state}`);
    return answer;
  };
  const taken = async (request: SubmitAsked): Promise<string> => {
    const answer = await queue.submit(request);
    if (answer.state !== 'taken') throw new Error(answer.message);
    return answer.id;
  };
  const answerOf = async (id: string) => submissionAnswerSchema.parse((await queue.find(id))!.answer);

  beforeEach(async () => {
    others = [];
    now_ms = Date.UTC(2026, 0, 1, 12);
    place = await create();
    queue = await openQueue(place, { now_ms: clock });
    const free = { rate_per_s: 1e6, burst: 1e6, most_queued: 1e6, most_per_day: 1e6 };
    await queue.putTenant('blue', free);
    await queue.putTenant('red', free);
    await queue.join('w1', [JUDGE]);
  });
  afterEach(async () => {
    for (const opened of [queue, ...others]) await opened.close();
  });

  it('hands a submission to one worker, and keeps its judgement', async () => {
    const id = await taken(asked('a', { author: 'Ada' }));
    expect(await answerOf(id)).toMatchObject({ schema: 'pawl.submission/1', state: 'queued', author: 'Ada' });
    const first = await leased();
    expect(first).toMatchObject({ id, files: { 'kernel.cpp': 'a' }, alone: false });
    expect(await lease('w2')).toEqual({ state: 'nothing' });
    expect(await queue.answer('w1', first, judgementOf(first))).toBe(true);
    expect(await answerOf(id)).toMatchObject({ schema: 'pawl.judgement/1', id, reward: 1.9 });
    expect(await queue.finished([id, 'another'])).toEqual(new Set([id]));
  });

  it('keeps all it knows when it is opened again', async () => {
    const id = await taken(asked('a'));
    const again = await another();
    expect((await again.find(id))!.answer).toMatchObject({ state: 'queued' });
  });

  it('takes no answer of a worker whose lease ran out, whether or not another has it', async () => {
    const id = await taken(asked('a'));
    const first = await leased('w1');
    now_ms += 1000 * LEASE_S + 1;
    expect(await queue.answer('w1', first, judgementOf(first))).toBe(false);
    const second = await leased('w2');
    expect(second).toMatchObject({ id, generation: first.generation + 1, alone: true });
    expect(await queue.answer('w1', first, judgementOf(first))).toBe(false);
    expect(await queue.answer('w1', second, judgementOf(second))).toBe(false);
    expect(await queue.answer('w2', second, judgementOf(second, { reward: 1.5 }))).toBe(true);
    expect(await queue.answer('w1', first, judgementOf(first, { reward: 9 }))).toBe(false);
    expect(await answerOf(id)).toMatchObject({ reward: 1.5 });
  });

  it('takes the same answer told twice for one', async () => {
    await taken(asked('a'));
    const held = await leased();
    expect(await queue.answer('w1', held, judgementOf(held))).toBe(true);
    expect(await queue.answer('w1', held, judgementOf(held, { reward: 7 }))).toBe(true);
    expect(await answerOf(held.id)).toMatchObject({ reward: 1.9 });
  });

  it('keeps a lease that is renewed, and renews none that ran out', async () => {
    await taken(asked('a'));
    const held = await leased();
    for (let beats = 0; beats < 5; beats++) {
      now_ms += 20_000;
      expect(await queue.beat('w1', [held], LEASE_S)).toEqual(new Set([held.id]));
    }
    expect(await queue.reap()).toBe(0);
    now_ms += 31_000;
    expect(await queue.beat('w1', [held], LEASE_S)).toEqual(new Set());
    expect(await queue.reap()).toBe(1);
  });

  it('answers one that takes three workers with it, and lets it be tried again', async () => {
    const id = await taken(asked('killer'));
    for (const worker of ['w1', 'w2', 'w3']) {
      await leased(worker);
      now_ms += 31_000;
    }
    expect(await lease('w4')).toEqual({ state: 'nothing' });
    expect(await answerOf(id)).toMatchObject({
      schema: 'pawl.judgement-error/1',
      error: { kind: 'unavailable' },
    });
    const again = await taken(asked('killer'));
    expect(await answerOf(again)).toMatchObject({ state: 'queued' });
  });

  it('holds one that was lost once alone, so that those beside it are not blamed', async () => {
    const [killer, innocent] = [await taken(asked('killer')), await taken(asked('innocent'))];
    await leased('w1');
    await leased('w1', 1);
    now_ms += 31_000;
    const first = await leased('w2', 0);
    expect(first).toMatchObject({ id: killer, alone: true });
    expect(await lease('w2', 1)).toEqual({ state: 'drain' });
    now_ms += 31_000;
    await leased('w3', 0);
    now_ms += 31_000;
    const other = await leased('w4', 0);
    expect(other).toMatchObject({ id: innocent });
    expect(await queue.answer('w4', other, judgementOf(other))).toBe(true);
    expect(await answerOf(innocent)).toMatchObject({ schema: 'pawl.judgement/1' });
    expect(await answerOf(killer)).toMatchObject({ schema: 'pawl.judgement-error/1' });
  });

  it('lets others try what a worker could not judge, and tells why after three', async () => {
    const id = await taken(asked('a'));
    for (const worker of ['w1', 'w2', 'w3']) {
      const held = await leased(worker);
      const error = { kind: 'unavailable', message: `${worker} has no compiler` };
      expect(await queue.fail(worker, held, error)).toBe(true);
    }
    expect(await answerOf(id)).toMatchObject({ error: { message: 'w3 has no compiler' } });
  });

  it('does not count what a worker gives back', async () => {
    const id = await taken(asked('a'));
    for (let times = 0; times < 5; times++) {
      const held = await leased();
      expect(await queue.giveBack('w1', held)).toBe(true);
    }
    expect(await answerOf(id)).toMatchObject({ state: 'queued', lost: 0 });
    expect(await leased()).toMatchObject({ alone: false });
  });

  describe('the same sources', () => {
    it('have the judgement that is known, unless asked anew', async () => {
      const first = await taken(asked('a'));
      const held = await leased();
      await queue.answer('w1', held, judgementOf(held));
      const second = await taken(asked('a', { tenant: 'red' }));
      const answer = await answerOf(second);
      expect(answer).toMatchObject({ id: second, reward: 1.9, cost: { wall_s: 0 } });
      // Whose they were is not for another tenant to know.
      expect(answer).not.toHaveProperty('same_as');
      const third = await taken(asked('a'));
      expect(await answerOf(third)).toMatchObject({ same_as: first });
      const fresh = await taken(asked('a', { fresh: true }));
      expect(await leased()).toMatchObject({ id: fresh });
    });

    it('are not judged twice at a time', async () => {
      const first = await taken(asked('a'));
      const second = await taken(asked('a', { tenant: 'red' }));
      const held = await leased('w1');
      expect(held.id).toBe(first);
      expect(await lease('w2')).toEqual({ state: 'nothing' });
      await queue.answer('w1', held, judgementOf(held));
      expect(await lease('w2')).toEqual({ state: 'nothing' });
      expect(await answerOf(second)).toMatchObject({ schema: 'pawl.judgement/1', reward: 1.9 });
    });

    it('are judged again after the judge has changed', async () => {
      await taken(asked('a'));
      const held = await leased();
      await queue.answer('w1', held, judgementOf(held));
      await queue.join('w2', [{ ...JUDGE, identity: 'judge-2' }]);
      const again = await taken(asked('a'));
      expect(await answerOf(again)).toMatchObject({ state: 'queued' });
      // The worker with the old judge is given nothing.
      expect(await lease('w1')).toEqual({ state: 'nothing' });
      const judges = [{ ...JUDGE, identity: 'judge-2' }];
      expect(await queue.lease({ worker: 'w2', judges, holds: 0, lease_s: LEASE_S })).toMatchObject({
        id: again,
      });
    });

    it('are one submission under one client id, and other sources are refused', async () => {
      const id = await taken(asked('a', { id: 'mine' }));
      expect(await queue.submit(asked('a', { id: 'mine' }))).toEqual({ state: 'taken', id, isNew: false });
      expect(await queue.submit(asked('b', { id: 'mine' }))).toMatchObject({ limit: 'other-sources' });
      expect(await queue.submit(asked('b', { id: 'mine', tenant: 'red' }))).toMatchObject({ isNew: true });
    });
  });

  describe('turns', () => {
    it('of a tenant go by priority, then by time', async () => {
      await taken(asked('first'));
      await taken(asked('second'));
      await taken(asked('urgent', { priority: 5 }));
      const order = [await leased(), await leased(), await leased()].map(({ files }) => files['kernel.cpp']);
      expect(order).toEqual(['urgent', 'first', 'second']);
    });

    it('alternate between tenants, however many one has waiting', async () => {
      for (let at = 0; at < 50; at++) await taken(asked(`flood ${at}`));
      for (let at = 0; at < 5; at++) await taken(asked(`red ${at}`, { tenant: 'red' }));
      const order: string[] = [];
      for (let at = 0; at < 10; at++) {
        const held = await leased();
        order.push(held.files['kernel.cpp']!.split(' ')[0]!);
        await queue.answer('w1', held, judgementOf(held));
      }
      expect(order.filter((name) => name === 'red')).toHaveLength(5);
    });

    it('follow weights', async () => {
      await queue.putTenant('blue', { weight: 3 });
      for (let at = 0; at < 60; at++) {
        await taken(asked(`blue ${at}`));
        await taken(asked(`red ${at}`, { tenant: 'red' }));
      }
      let blue = 0;
      for (let at = 0; at < 40; at++) {
        const held = await leased();
        if (held.files['kernel.cpp']!.startsWith('blue')) blue += 1;
        await queue.answer('w1', held, judgementOf(held));
      }
      expect(blue).toBeGreaterThanOrEqual(29);
      expect(blue).toBeLessThanOrEqual(31);
    });

    it('count seconds, not submissions', async () => {
      for (let at = 0; at < 40; at++) {
        await taken(asked(`blue ${at}`));
        await taken(asked(`red ${at}`, { tenant: 'red' }));
      }
      const served = { blue: 0, red: 0 };
      for (let at = 0; at < 40; at++) {
        const held = await leased();
        const name = held.files['kernel.cpp']!.startsWith('blue') ? ('blue' as const) : ('red' as const);
        served[name] += 1;
        const wall_s = name === 'blue' ? 9 : 1;
        await queue.answer('w1', held, judgementOf(held, { cost: { wall_s, device_s: wall_s, build_s: 0 } }));
      }
      expect(served.red).toBeGreaterThan(4 * served.blue);
    });

    it('neither save up time that was not asked for nor hold against one what nobody else wanted', async () => {
      for (let at = 0; at < 20; at++) await taken(asked(`blue ${at}`));
      for (let at = 0; at < 10; at++) {
        const held = await leased();
        await queue.answer('w1', held, judgementOf(held));
      }
      for (let at = 0; at < 20; at++) await taken(asked(`red ${at}`, { tenant: 'red' }));
      const next: string[] = [];
      for (let at = 0; at < 10; at++) {
        const held = await leased();
        next.push(held.files['kernel.cpp']!.split(' ')[0]!);
        await queue.answer('w1', held, judgementOf(held));
      }
      expect(next.filter((name) => name === 'red').length).toBeLessThanOrEqual(6);
      expect(next.filter((name) => name === 'blue').length).toBeLessThanOrEqual(6);
    });
  });

  describe('limits', () => {
    it('of what may wait and of a day', async () => {
      await queue.putTenant('blue', { most_queued: 2, most_per_day: 3 });
      const once = await taken(asked('1'));
      await taken(asked('2'));
      expect(await queue.submit(asked('3'))).toMatchObject({ limit: 'queue-full' });
      expect(await queue.cancel(once)).toBe(true);
      expect(await queue.cancel(once)).toBe(false);
      await taken(asked('3'));
      const held = await leased();
      await queue.answer('w1', held, judgementOf(held));
      expect(await queue.submit(asked('4'))).toMatchObject({ limit: 'day-full', wait_s: 12 * 3600 });
      // What is known costs no worker's time.
      expect(await queue.submit(asked('2'))).toMatchObject({ state: 'taken' });
      now_ms += 12 * 3_600_000;
      expect(await queue.submit(asked('4'))).toMatchObject({ state: 'taken' });
    });

    it('of the rate, which one tenant does not use up for another', async () => {
      await queue.putTenant('green', { rate_per_s: 2, burst: 3 });
      for (let at = 0; at < 3; at++) await taken(asked(`${at}`, { tenant: 'green' }));
      expect(await queue.submit(asked('x', { tenant: 'green' }))).toMatchObject({
        limit: 'too-fast',
        wait_s: 1,
      });
      await taken(asked('x', { tenant: 'red' }));
      now_ms += 500;
      await taken(asked('x', { tenant: 'green' }));
    });

    it('of problems: only those that are offered', async () => {
      expect(await queue.submit(asked('a', { problem: '/etc/passwd' }))).toMatchObject({
        limit: 'unknown-problem',
        hint: 'Problems: doubled',
      });
      await queue.offer(['tripled']);
      await taken(asked('a', { problem: 'tripled' }));
      // No worker here judges it.
      expect(await lease()).toEqual({ state: 'nothing' });
    });

    it('of devices: a class that was asked for', async () => {
      await taken(asked('a', { device_class: 'a GPU' }));
      expect(await lease()).toEqual({ state: 'nothing' });
      const onGpu = { ...JUDGE, device_class: 'a GPU', identity: 'gpu-1' };
      await queue.join('w2', [onGpu]);
      expect(await queue.lease({ worker: 'w2', judges: [onGpu], holds: 0, lease_s: 30 })).toMatchObject({
        judge: onGpu,
      });
    });

    it('of a tenant that is suspended: nothing is taken and nothing is judged', async () => {
      await taken(asked('a'));
      await queue.putTenant('blue', { suspended: true });
      expect(await queue.submit(asked('b'))).toMatchObject({ limit: 'suspended' });
      expect(await lease()).toEqual({ state: 'nothing' });
      expect(await queue.submit(asked('b', { tenant: 'nobody' }))).toMatchObject({ limit: 'unknown-tenant' });
    });
  });

  describe('tokens', () => {
    it('say who calls, until they expire or are revoked, and are in no table', async () => {
      const { id, token } = await queue.createToken({ tenant: 'blue', roles: ['submit', 'read'], days: 1 });
      expect(await queue.callerOf(token)).toEqual({ token: id, tenant: 'blue', roles: ['submit', 'read'] });
      expect(await queue.callerOf(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`)).toBeUndefined();
      expect(await queue.callerOf('pawl_0_0')).toBeUndefined();
      expect(JSON.stringify(await queue.status())).not.toContain(token.slice(-64));
      expect(await queue.revokeToken(id)).toBe(true);
      expect(await queue.revokeToken(id)).toBe(false);
      expect(await queue.callerOf(token)).toBeUndefined();
      const brief = await queue.createToken({ tenant: 'blue', roles: ['admin'], days: 1 });
      now_ms += 86_400_001;
      expect(await queue.callerOf(brief.token)).toBeUndefined();
    });

    it('are for tenants that there are', async () => {
      await expect(queue.createToken({ tenant: 'nobody', roles: ['read'] })).rejects.toThrow(
        'no tenant nobody',
      );
    });
  });

  it('ranks candidates where intervals show it, and does not reward asking again', async () => {
    const judged = async (text: string, low: number, high: number, more: Partial<SubmitAsked> = {}) => {
      now_ms += 1000;
      await taken(asked(text, more));
      const held = await leased();
      const speedup = { estimate: (low + high) / 2, low, high };
      await queue.answer('w1', held, judgementOf(held, { speedup, reward: low }));
      return held.id;
    };
    await judged('slow', 0.5, 0.6, { author: 'Bob' });
    const even = await judged('even', 1.2, 1.4, { author: 'Ada' });
    const near = await judged('near', 1.3, 1.5, { author: 'Bob', tenant: 'red' });
    const lucky = await judged('lucky', 1, 1.1, { author: 'Eve' });
    await judged('lucky', 5, 6, { author: 'Eve', fresh: true });
    const wrong = await taken(asked('wrong'));
    const held = await leased();
    expect(held.id).toBe(wrong);
    const { speedup: _, ...rest } = judgementOf(held, { verdict: 'incorrect', correct: false, reward: 0 });
    await queue.answer('w1', held, rest);
    const board = leaderboardSchema.parse(await queue.leaderboard('doubled', undefined));
    expect(board.candidates.map(({ id, rank }) => [id, rank])).toEqual([
      [near, [1, 2]],
      [even, [1, 2]],
      [lucky, [3, 3]],
      [expect.any(String), [4, 4]],
    ]);
    expect(board.candidates[2]).toMatchObject({ judgements: 2, reward: 1 });
    expect(board.authors.map(({ author, candidates }) => [author, candidates])).toEqual([
      ['Bob', 2],
      ['Ada', 1],
      ['Eve', 1],
    ]);
    expect(board.records.map(({ reward }) => reward)).toEqual([0.5, 1.2, 1.3, 5]);
    expect(board.judged).toBe(6);
    expect(await queue.leaderboard('unknown', undefined)).toBeUndefined();
  });

  describe('retention', () => {
    const DAY_S = 86_400;
    const judgedAs = async (request: SubmitAsked, more: Partial<Judgement> = {}): Promise<string> => {
      const id = await taken(request);
      const held = await leased();
      expect(held.id).toBe(id);
      expect(await queue.answer('w1', held, judgementOf(held, more))).toBe(true);
      return id;
    };
    const days = (count: number): void => {
      now_ms += 1000 * DAY_S * count;
    };

    it('removes what was finished long ago, and nothing that waits or is held', async () => {
      const waiting = await taken(asked('waits', { device_class: 'another' }));
      const old = await judgedAs(asked('old'));
      days(10);
      const young = await judgedAs(asked('young', { tenant: 'red' }));
      const held = await taken(asked('held'));
      const { id: heldId } = await leased();
      const dry = await queue.prune({ older_than_s: 5 * DAY_S, isDry: true });
      expect(queuePrunedSchema.parse(dry)).toMatchObject({ dry_run: true, submissions: 1, judgements: 1 });
      expect(await queue.find(old)).toBeDefined();
      const pruned = await queue.prune({ older_than_s: 5 * DAY_S });
      expect(pruned).toEqual({ ...dry, dry_run: false });
      expect(pruned.sources_bytes).toBe('old'.length);
      expect(await queue.find(old)).toBeUndefined();
      expect(heldId).toBe(held);
      for (const id of [waiting, held, young]) expect(await queue.find(id)).toBeDefined();
      expect(await queue.prune({ older_than_s: 5 * DAY_S })).toMatchObject({ submissions: 0, sources: 0 });
      // Its judgement is gone, so the same sources are judged anew.
      expect(await answerOf(await taken(asked('old')))).toMatchObject({ state: 'queued' });
    });

    it('keeps a judgement that a younger submission has for its answer, without the old sources', async () => {
      const first = await judgedAs(asked('a'));
      const old = await taken(asked('a', { tenant: 'red' }));
      days(10);
      const young = await taken(asked('a', { tenant: 'red', id: 'again' }));
      const dry = await queue.prune({ older_than_s: 5 * DAY_S, isDry: true });
      const pruned = await queue.prune({ older_than_s: 5 * DAY_S });
      expect(pruned).toEqual({ ...dry, dry_run: false });
      expect(pruned).toMatchObject({ submissions: 1, judgements: 0, kept_for_others: 1, sources: 2 });
      expect(await queue.find(old)).toBeUndefined();
      expect((await queue.sources(first))!.files).toEqual({});
      expect((await queue.sources(young))!.files).toEqual({ 'kernel.cpp': 'a' });
      for (const id of [first, young]) expect(await answerOf(id)).toMatchObject({ reward: 1.9 });
      days(10);
      expect(await queue.prune({ older_than_s: 5 * DAY_S })).toMatchObject({ submissions: 2, judgements: 1 });
      expect(await queue.find(young)).toBeUndefined();
    });

    it('keeps verdicts and ranks where only sources and logs are to go', async () => {
      const id = await judgedAs(asked('a', { author: 'Ada' }), { output: 'much', build_log: 'more' });
      days(10);
      const before = await queue.leaderboard('doubled', undefined);
      expect(await queue.prune({ older_than_s: DAY_S, keepVerdicts: true })).toMatchObject({
        submissions: 0,
        judgements: 0,
        sources: 1,
        logs: 1,
      });
      const answer = await answerOf(id);
      expect(answer).toMatchObject({ schema: 'pawl.judgement/1', reward: 1.9 });
      expect(answer).not.toHaveProperty('build_log');
      expect(answer).not.toHaveProperty('output');
      expect((await queue.sources(id))!.files).toEqual({});
      expect(await queue.leaderboard('doubled', undefined)).toEqual(before);
      // The same sources still have their answer.
      expect(await answerOf(await taken(asked('a', { tenant: 'red' })))).toMatchObject({ reward: 1.9 });
      expect(await queue.prune({ older_than_s: DAY_S, keepVerdicts: true })).toMatchObject({ sources: 0 });
    });

    it('keeps the newest of each tenant, and with an age what either keeps', async () => {
      const ids: string[] = [];
      for (let at = 0; at < 6; at++) {
        ids.push(await judgedAs(asked(`${at}`, { tenant: at % 2 === 0 ? 'blue' : 'red' })));
        days(1);
      }
      expect(await queue.prune({ keep: 2, older_than_s: 5.5 * DAY_S })).toMatchObject({ submissions: 1 });
      expect(await queue.prune({ keep: 2 })).toMatchObject({ submissions: 1 });
      const left = await Promise.all(ids.map((id) => queue.find(id)));
      expect(left.map((one) => one !== undefined)).toEqual([false, false, true, true, true, true]);
      expect(await queue.prune({ keep: 0 })).toMatchObject({ submissions: 4 });
    });

    it('loses no answer while others submit the same sources', async () => {
      const many = Array.from({ length: 40 }, (_, at) => `source ${at}`);
      for (const text of many) await judgedAs(asked(text));
      days(1);
      const other = await another();
      const submitting = Promise.all(many.map((text) => other.submit(asked(text, { tenant: 'red' }))));
      const pruning = queue.prune({ keep: 0 });
      const answers = await submitting;
      await pruning;
      for (const answer of answers) {
        if (answer.state !== 'taken') throw new Error(answer.message);
        // Either the judgement, or it waits to be judged anew; never one without the other.
        const { schema, ...rest } = (await queue.find(answer.id))!.answer;
        if (schema === 'pawl.submission/1') expect(rest).toMatchObject({ state: 'queued' });
        else expect(rest).toMatchObject({ reward: 1.9 });
      }
    });
  });

  it('says how things stand', async () => {
    await taken(asked('a'));
    await leased();
    await taken(asked('b', { tenant: 'red' }));
    const status = queueStatusSchema.parse(await queue.status());
    expect(status.tenants.map(({ name, queued, leased: held }) => [name, queued, held])).toEqual([
      ['blue', 0, 1],
      ['red', 1, 0],
    ]);
    expect(status.workers).toMatchObject([{ worker: 'w1', holds: 1 }]);
    expect(status.problems).toMatchObject([{ problem: 'doubled', judges: [{ identity: 'judge-1' }] }]);
    await queue.leave('w1');
    expect((await queue.status()).workers).toEqual([]);
  });

  it('gives each submission to one of many workers that ask at once, each answer counted once', async () => {
    const workers = await Promise.all(Array.from({ length: 6 }, () => another()));
    await Promise.all(
      Array.from({ length: 120 }, (_, at) =>
        taken(asked(`${at}`, { tenant: at % 2 === 0 ? 'blue' : 'red' })),
      ),
    );
    const seen: string[] = [];
    await Promise.all(
      workers.map(async (own, at) => {
        for (;;) {
          const held = await lease(`w${at}`, 0, own);
          if (held.state !== 'leased') return;
          seen.push(held.id);
          expect(await own.answer(`w${at}`, held, judgementOf(held))).toBe(true);
        }
      }),
    );
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
    const { tenants } = await queue.status();
    expect(tenants.map(({ judged, queued, leased: held }) => [judged, queued, held])).toEqual([
      [60, 0, 0],
      [60, 0, 0],
    ]);
  });
}
