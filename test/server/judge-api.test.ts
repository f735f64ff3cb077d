import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Lease } from '../../src/queue/queue.ts';
import { openQueue } from '../../src/queue/open-queue.ts';
import type { Queue } from '../../src/queue/queue.ts';
import { httpQueue } from '../../src/workflows/queue/http-queue.ts';
import { JUDGE, judgementOf } from '../contract/queue-conformance.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { READ_TOKEN, ServeRig, type Answer } from './serve-rig.ts';

const judge = { ...JUDGE, identity: 'a'.repeat(64) };

describe('the HTTP entrance of the queue', () => {
  let rig: ServeRig;
  let queue: Queue;
  const tokens: Record<string, string> = {};

  const ask = (path: string, token: string | undefined, body?: unknown, method = body ? 'POST' : 'GET') =>
    rig.ask(path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const submit = (text: string, more: object = {}, wait_s = 0, token = tokens['blue']): Promise<Answer> =>
    ask(`/api/judge?wait_s=${wait_s}`, token, { problem: 'doubled', files: { 'kernel.cpp': text }, ...more });
  const lease = async (): Promise<Lease> => {
    const answer = await queue.lease({ worker: 'w1', judges: [judge], holds: 0, lease_s: 60 });
    if (answer.state !== 'leased') throw new Error(answer.state);
    return answer;
  };
  const judgeNext = async (more = {}): Promise<string> => {
    const held = await lease();
    await queue.answer('w1', held, judgementOf(held, more));
    return held.id;
  };
  const idOf = ({ json }: Answer): string => (json as { readonly id: string }).id;

  beforeAll(async () => {
    const place = join(await temporaryFolder(), 'queue.db');
    queue = await openQueue(place);
    await queue.putTenant('blue', {});
    await queue.putTenant('red', { rate_per_s: 0.01, burst: 2 });
    const token = async (tenant: string, ...roles: ('submit' | 'read' | 'work' | 'admin')[]) =>
      (await queue.createToken({ tenant, roles })).token;
    tokens['blue'] = await token('blue', 'submit', 'read');
    tokens['blueReads'] = await token('blue', 'read');
    tokens['red'] = await token('red', 'submit', 'read');
    tokens['works'] = await token('blue', 'work');
    tokens['admin'] = await token('blue', 'admin');
    await queue.join('w1', [judge]);
    const many = { burst: 10_000, per_s: 1000 };
    rig = await ServeRig.start({
      judge: { queue: place },
      readToken: READ_TOKEN,
      limits: { requests: many, attempts: many },
    });
  });
  afterAll(async () => {
    await rig?.stop();
    await queue?.close();
  });

  it('answers with the judgement when the caller waits', async () => {
    const waiting = submit('waits', {}, 20);
    await expect.poll(async () => (await queue.status()).tenants[0]!.queued).toBe(1);
    const id = await judgeNext();
    const answer = await waiting;
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ schema: 'pawl.judgement/1', id, reward: 1.9 });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('answers 202 with an id when it does not, and later with the judgement', async () => {
    const answer = await submit('later', { author: 'Ada', priority: 3, id: 'mine-1' });
    expect(answer.status).toBe(202);
    const state = { schema: 'pawl.submission/1', state: 'queued', author: 'Ada', client_id: 'mine-1' };
    expect(answer.json).toMatchObject(state);
    const id = idOf(answer);
    expect(await ask(`/api/judge/${id}?wait_s=0`, tokens['blue'])).toMatchObject({ status: 202 });
    const waiting = ask(`/api/judge/${id}?wait_s=20`, tokens['blueReads']);
    expect(await judgeNext()).toBe(id);
    expect(await waiting).toMatchObject({ status: 200, json: { verdict: 'improved' } });
    // The same id again is the same submission.
    expect(idOf(await submit('later', { id: 'mine-1' }))).toBe(id);
    expect(await submit('other', { id: 'mine-1' })).toMatchObject({ status: 409 });
  });

  it('answers the same sources at once, and anew when asked', async () => {
    await submit('again');
    await judgeNext();
    expect(await submit('again')).toMatchObject({ status: 200, json: { cost: { wall_s: 0 } } });
    const fresh = await submit('again', { fresh: true });
    expect(fresh.status).toBe(202);
    expect(await judgeNext({ reward: 1.5 })).toBe(idOf(fresh));
  });

  it('lets nobody in without a token that is valid and has the role', async () => {
    const body = { problem: 'doubled', files: { 'a.cpp': '' } };
    for (const [token, status] of [
      [undefined, 401],
      ['nonsense', 401],
      [READ_TOKEN, 401],
      [`pawl_${'0'.repeat(12)}_${'0'.repeat(64)}`, 401],
      [tokens['blueReads'], 403],
      [tokens['works'], 403],
    ] as const) {
      const answer = await ask('/api/judge?wait_s=0', token, body);
      expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/problem+json']);
    }
    const { id, token } = await queue.createToken({ tenant: 'blue', roles: ['submit'] });
    await queue.revokeToken(id);
    expect(await ask('/api/judge?wait_s=0', token, body)).toMatchObject({ status: 401 });
    // A token of a tenant opens nothing else.
    expect(await ask('/api/v1/runs', tokens['admin'])).toMatchObject({ status: 401 });
  });

  it('shows submissions and sources to their tenant and to an admin alone', async () => {
    const id = idOf(await submit('secret'));
    for (const path of [`/api/judge/${id}?wait_s=0`, `/api/judge/${id}/sources`]) {
      expect(await ask(path, tokens['red'])).toMatchObject({ status: 404 });
      expect(await ask(path, undefined)).toMatchObject({ status: 401 });
    }
    for (const token of [tokens['blue'], tokens['admin']]) {
      const { json } = await ask(`/api/judge/${id}/sources`, token);
      expect(json).toEqual({ id, files: { 'kernel.cpp': 'secret' } });
    }
    expect(await ask(`/api/judge/${id}/cancel`, tokens['red'], undefined, 'POST')).toMatchObject({
      status: 404,
    });
    const cancelled = { status: 200, json: { cancelled: true } };
    expect(await ask(`/api/judge/${id}/cancel`, tokens['blue'], undefined, 'POST')).toMatchObject(cancelled);
    expect(await ask(`/api/judge/${id}?wait_s=5`, tokens['blue'])).toMatchObject({
      json: { state: 'cancelled' },
    });
  });

  it('refuses what is not a submission, one clear sentence each', async () => {
    const files = { 'a.cpp': '' };
    for (const [body, status] of [
      ['{', 400],
      [{ problem: 'doubled' }, 422],
      [{ problem: 'doubled', files: {} }, 422],
      [{ problem: 'doubled', files: { '../a.cpp': '' } }, 422],
      [{ problem: 'doubled', files: { '/etc/passwd': '' } }, 422],
      [{ problem: 'doubled', files: { a: '', 'a/b.cpp': '' } }, 400],
      [{ problem: 'doubled', files: { 'a.cpp': '', './a.cpp': '' } }, 400],
      [{ problem: 'doubled', files, author: 'two\nlines' }, 422],
      [{ problem: 'doubled', files, author: 'x'.repeat(201) }, 422],
      [{ problem: 'doubled', files, priority: 11 }, 422],
      [{ problem: 'doubled', files, tenant: 'red' }, 422],
      [{ problem: '../../etc', files }, 404],
      [{ problem: 'x'.repeat(201), files }, 422],
      [
        {
          problem: 'doubled',
          files: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`${n}.h`, ''])),
        },
        422,
      ],
      [{ problem: 'doubled', files: { 'a.cpp': 'x'.repeat(4 * 2 ** 20 + 1) } }, 422],
      [{ problem: 'doubled', files: { 'a.cpp': 'x'.repeat(9 * 2 ** 20) } }, 413],
    ] as const) {
      const answer = await ask('/api/judge?wait_s=0', tokens['blue'], body);
      expect([JSON.stringify(body).slice(0, 80), answer.status]).toEqual([expect.any(String), status]);
      expect((answer.json as { detail: string }).detail.length).toBeLessThan(1500);
    }
    expect(await submit('x', {}, 51)).toMatchObject({ status: 400 });
    expect(await ask('/api/judge/..%2f..?wait_s=0', tokens['blue'])).toMatchObject({ status: 404 });
  });

  it('holds a tenant to its rate, and says when to come again', async () => {
    await submit('r1', {}, 0, tokens['red']);
    await submit('r2', {}, 0, tokens['red']);
    const third = await submit('r3', {}, 0, tokens['red']);
    expect(third.status).toBe(429);
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(50);
    expect((await submit('b1')).status).toBe(202);
  });

  it('has a leaderboard for tenants and for readers of the server, without sources', async () => {
    for (const token of [tokens['blue'], READ_TOKEN]) {
      const { status, json, text } = await ask('/api/leaderboard?problem=doubled', token);
      expect(status).toBe(200);
      expect(json).toMatchObject({ schema: 'pawl.leaderboard/1', candidates: expect.any(Array) });
      expect(text).not.toContain('kernel.cpp');
      expect(await ask('/api/judge/problems', token)).toMatchObject({
        json: { items: [{ problem: 'doubled', judges: [{ device_class: 'a CPU' }] }] },
      });
    }
    expect(await ask('/api/leaderboard?problem=doubled', undefined)).toMatchObject({ status: 401 });
    expect(await ask('/api/leaderboard?problem=none', tokens['blue'])).toMatchObject({ status: 404 });
  });

  it('serves workers that reach no database', async () => {
    for (let left = await queue.lease({ worker: 'w1', judges: [judge], holds: 0, lease_s: 60 }); ;) {
      if (left.state !== 'leased') break;
      await queue.answer('w1', left, judgementOf(left));
      left = await queue.lease({ worker: 'w1', judges: [judge], holds: 0, lease_s: 60 });
    }
    const far = httpQueue(rig.url, tokens['works']);
    await far.join('far', [judge]);
    const id = idOf(await submit('far away'));
    const held = await far.lease({ worker: 'far', judges: [judge], holds: 0, lease_s: 60 });
    if (held.state !== 'leased') throw new Error(held.state);
    expect(held).toMatchObject({ id, files: { 'kernel.cpp': 'far away' } });
    expect(await far.beat('far', [held], 60)).toEqual(new Set([id]));
    expect(await far.giveBack('far', held)).toBe(true);
    expect(await far.answer('far', held, judgementOf(held))).toBe(false);
    const again = await far.lease({ worker: 'far', judges: [judge], holds: 0, lease_s: 60 });
    if (again.state !== 'leased') throw new Error(again.state);
    expect(await far.answer('far', again, judgementOf(again))).toBe(true);
    await far.leave('far');
    await expect(httpQueue(rig.url, tokens['blue']).leave('far')).rejects.toThrow('role work');
  });

  it('answers those who wait when it stops', async () => {
    const place = join(await temporaryFolder(), 'queue.db');
    const other = await openQueue(place);
    await other.putTenant('blue', {});
    await other.offer(['doubled']);
    const { token } = await other.createToken({ tenant: 'blue', roles: ['submit'] });
    const stopping = await ServeRig.start({ judge: { queue: place } });
    const waiting = stopping.ask('/api/judge?wait_s=50', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ problem: 'doubled', files: { 'a.cpp': '' } }),
    });
    await expect.poll(async () => (await other.status()).tenants[0]!.queued).toBe(1);
    await stopping.stop();
    expect(await waiting).toMatchObject({ status: 202 });
    await other.close();
  });
});

describe('a server without --judge', () => {
  it('says so', async () => {
    const rig = await ServeRig.start();
    try {
      expect(await rig.ask('/api/leaderboard?problem=a')).toMatchObject({
        status: 404,
        json: { hint: 'Start it with --judge.' },
      });
    } finally {
      await rig.stop();
    }
  });
});
