import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openQueue } from '../../src/queue/open-queue.ts';
import { PostgresServer, whyNoPostgres } from '../services/postgres-server.ts';
import { READ_TOKEN, ServeRig, type Answer } from './serve-rig.ts';

describe.skipIf(whyNoPostgres() !== undefined)('a server that judges, on PostgreSQL', () => {
  let postgres: PostgresServer;
  let place: string;
  let token: string;

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    place = await postgres.createDatabase();
    const queue = await openQueue(place);
    await queue.putTenant('blue', {});
    ({ token } = await queue.createToken({ tenant: 'blue', roles: ['submit', 'read'] }));
    await queue.offer(['doubled']);
    await queue.close();
  });
  afterAll(() => postgres.stop());

  it('starts while it is down, says so, and judges when it is back', { timeout: 120_000 }, async () => {
    await postgres.down('now');
    const rig = await ServeRig.start({ judge: { queue: place }, readToken: READ_TOKEN });
    const submit = (text: string): Promise<Answer> =>
      rig.ask('/api/judge?wait_s=0', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ problem: 'doubled', files: { 'kernel.cpp': text } }),
      });
    const readyz = async (): Promise<number> => (await rig.ask('/readyz')).status;
    const away = await submit('a');
    expect(away.status).toBe(503);
    expect(Number(away.headers['retry-after'])).toBeGreaterThan(0);
    expect(away.text).not.toContain('127.0.0.1');
    expect(await readyz()).toBe(503);
    expect((await rig.ask('/healthz')).status).toBe(200);
    // The history is another store, and answers meanwhile.
    const history = { headers: { authorization: `Bearer ${READ_TOKEN}` } };
    expect((await rig.ask('/api/v1/keys', history)).status).toBe(200);

    await postgres.up();
    await expect.poll(readyz, { timeout: 30_000, interval: 100 }).toBe(200);
    expect((await submit('a')).status).toBe(202);

    // And once more under a server that has it open.
    await postgres.down('crash');
    await expect.poll(async () => (await submit('b')).status, { timeout: 30_000 }).toBe(503);
    await postgres.up();
    await expect.poll(async () => (await submit('c')).status, { timeout: 30_000 }).toBe(202);
    const told = rig.events.map(({ event }) => event);
    expect(told).toEqual(['queue-away', 'queue-back', 'queue-away', 'queue-back']);
    await rig.stop();
  });

  it('does not start on a database that is not there to come', async () => {
    await expect(
      ServeRig.start({ judge: { queue: place.replace(/[^/]+$/u, 'none') }, readToken: READ_TOKEN }),
    ).rejects.toThrow('no such database');
  });
});
