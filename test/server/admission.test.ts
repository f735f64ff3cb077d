import { request } from 'node:http';
import { hostname } from 'node:os';

import { describe, expect, it } from 'vitest';

import { isLoopbackName } from '../../src/server/http/allowed-hosts.ts';
import { serveFetch } from '../../src/server/serve-fetch.ts';
import { READ_TOKEN, ServeRig } from './serve-rig.ts';

interface Options {
  readonly host: string;
  readonly origins?: readonly string[];
}
/** What a request is answered with; undefined headers are not sent. */
type Ask = (headers: Readonly<Record<string, string>>) => Promise<number>;
type Door = (options: Options, use: (ask: Ask) => Promise<void>) => Promise<void>;

const authorization = `Bearer ${READ_TOKEN}`;

const serveDoor: Door = async ({ host, origins = [] }, use) => {
  const rig = await ServeRig.start({ host, origins, readToken: READ_TOKEN });
  await use(
    async (headers) => (await rig.ask('/api/v1/keys', { headers: { authorization, ...headers } })).status,
  );
  await rig.stop();
};

const fetchDoor: Door = async ({ host, origins = [] }, use) => {
  const aborter = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  const port = await new Promise<number>((resolve, reject) => {
    ended = serveFetch({
      host,
      origins,
      port: 0,
      path: '/mcp',
      token: READ_TOKEN,
      mostBodyBytes: 1000,
      fetch: async () => new Response('{}'),
      signal: aborter.signal,
      onListening: (address) => resolve(address.port),
      onStopping: async () => undefined,
      onBug: reject,
    });
    ended.catch(reject);
  });
  await use(
    (headers) =>
      new Promise((resolve, reject) => {
        request(
          { host: '127.0.0.1', port, path: '/mcp', headers: { authorization, ...headers }, agent: false },
          (response) => resolve(response.resume().statusCode!),
        )
          .on('error', reject)
          .end();
      }),
  );
  aborter.abort();
  await ended;
};

describe.each([
  ['pawl serve', serveDoor],
  ['pawl mcp --http', fetchDoor],
] as const)('%s', (_, door) => {
  // A machine may be called localhost.
  const own = isLoopbackName(hostname()) ? undefined : hostname();

  it.skipIf(own === undefined)('does not know the machine’s name on loopback', async () => {
    await door({ host: '127.0.0.1' }, async (ask) => {
      expect(await ask({ host: own! })).toBe(421);
      expect(await ask({ host: '10.0.0.1' })).toBe(421);
      expect(await ask({ host: 'localhost' })).toBe(200);
    });
  });

  it.skipIf(own === undefined)('is known by it where others can reach the machine', async () => {
    await door({ host: '0.0.0.0' }, async (ask) => {
      expect(await ask({ host: own! })).toBe(200);
      expect(await ask({ host: 'evil.example' })).toBe(421);
    });
  });

  it('answers pages of the origins that it was told, and of no others', async () => {
    const host = 'pawl.example.org';
    await door({ host: '127.0.0.1', origins: [`https://${host}/dashboard`] }, async (ask) => {
      expect(await ask({ host, origin: `https://${host}` })).toBe(200);
      expect(await ask({ host, origin: 'https://evil.example' })).toBe(403);
      expect(await ask({ host, 'sec-fetch-site': 'cross-site' })).toBe(403);
    });
  });

  it.each(['pawl.example.org', 'ftp://pawl.example.org', ''])('does not start with "%s"', async (origin) => {
    const started = door({ host: '127.0.0.1', origins: [origin] }, async () => undefined);
    await expect(started).rejects.toThrow('is not a valid origin');
  });
});
