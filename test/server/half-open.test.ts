import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { serveFetch } from '../../src/server/serve-fetch.ts';
import { ServeRig } from './serve-rig.ts';

const HALF_A_REQUEST = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';

describe('a server with half-open connections', () => {
  let rig: ServeRig | undefined;
  const sockets: Socket[] = [];

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await rig?.stop();
    rig = undefined;
  });

  /** A connection that stays open, from an address of its own where one is named; `text` is all it ever sends. */
  async function halfOpen(text: string, from = '127.0.0.1'): Promise<Socket> {
    const socket = connect({ port: rig!.port, host: '127.0.0.1', localAddress: from });
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }

  const flood = (count: number, text: string, from?: string) =>
    Promise.all(Array.from({ length: count }, () => halfOpen(text, from)));

  function ask(from: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: rig!.port, path: '/healthz', localAddress: from };
      request({ ...options, agent: false }, (response) => resolve(response.resume().statusCode!))
        .on('error', reject)
        .end();
    });
  }

  const gauge = async (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await rig!.ask('/metrics')).text)?.[1]);

  it.each([
    ['nothing', ''],
    ['half a request', HALF_A_REQUEST],
    [
      'a request without its body',
      'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ntoken',
    ],
  ])('answers others where one client opened 600 and sent %s', async (_, text) => {
    // A request counts when its headers are there: that limit is not the one looked at here.
    const limits = { requests: { burst: 10_000, per_s: 1 } };
    rig = await ServeRig.start({ readToken: 'a read token of this test', limits });
    await flood(600, text);
    expect(await ask('127.0.0.2')).toBe(200);
    // Also whoever has the same address: a proxy's users, or another program of this machine.
    expect(await ask('127.0.0.1')).toBe(200);
  });

  it('holds no more of one client, and of all, than it says', async () => {
    rig = await ServeRig.start({ limits: { connections: { perClient: 4, inAll: 10 } } });
    await flood(20, HALF_A_REQUEST);
    expect(await gauge('pawl_connections')).toBe(4);
    for (const last of [3, 4, 5, 6]) await flood(4, HALF_A_REQUEST, `127.0.0.${last}`);
    expect(await gauge('pawl_connections')).toBeLessThanOrEqual(10);
    expect(await gauge('pawl_connections_cut')).toBeGreaterThan(20);
    expect(await ask('127.0.0.7')).toBe(200);
  });

  it('cuts nothing that is being answered', async () => {
    rig = await ServeRig.start({ limits: { connections: { perClient: 4, inAll: 10 } } });
    const stream = await halfOpen('GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [head] = (await once(stream, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 200 /);
    await flood(30, HALF_A_REQUEST);
    expect(await ask('127.0.0.1')).toBe(200);
    expect(stream.closed).toBe(false);
    expect(await gauge('pawl_live_clients')).toBe(1);
  });

  it('lets a proxy have as many as there are', async () => {
    const limits = { connections: { perClient: 4, inAll: 40 } };
    const origins = ['https://pawl.example.org'];
    rig = await ServeRig.start({ limits, origins, readToken: 'a read token of this test' });
    const held = await flood(30, HALF_A_REQUEST);
    expect(await ask('127.0.0.1')).toBe(200);
    expect(held.filter(({ closed }) => closed)).toEqual([]);
  });
});

describe('pawl mcp --http', () => {
  const headers = { authorization: 'Bearer a token of this test' };

  async function start(fetch: (request: Request) => Promise<Response>) {
    const aborter = new AbortController();
    let ended = Promise.resolve();
    const port = await new Promise<number>((resolve, reject) => {
      ended = serveFetch({
        host: '127.0.0.1',
        port: 0,
        path: '/mcp',
        origins: [],
        token: 'a token of this test',
        mostBodyBytes: 1000,
        fetch,
        signal: aborter.signal,
        onListening: (address) => resolve(address.port),
        onStopping: async () => undefined,
        onBug: reject,
      });
      ended.catch(reject);
    });
    const stop = (): Promise<void> => {
      aborter.abort();
      return ended;
    };
    return { port, stop };
  }

  it('answers others where one client holds more connections than it takes', async () => {
    const { port, stop } = await start(async () => new Response('{}'));
    const sockets = await Promise.all(
      Array.from({ length: 250 }, async () => {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined);
        await once(socket, 'connect');
        return socket;
      }),
    );
    const status = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/mcp', headers, agent: false }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await stop();
  });

  it.each([
    ['is worked on', async () => new Promise<Response>(() => undefined)],
    ['is answered in a stream', async () => new Response(new ReadableStream())],
  ])('ends a call that %s when its client goes away', async (_, answer) => {
    let isCalled = false;
    let isOver = false;
    const { port, stop } = await start((called) => {
      isCalled = true;
      called.signal.addEventListener('abort', () => {
        isOver = true;
      });
      return answer();
    });
    const asked = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers, agent: false });
    asked.on('error', () => undefined).end('{}');
    await vi.waitUntil(() => isCalled);
    expect(isOver).toBe(false);
    asked.destroy();
    await vi.waitUntil(() => isOver);
    await stop();
  });
});

describe('requests that other sites make a browser send', () => {
  it.each<[Record<string, string>, number]>([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ host: 'evil.example' }, 421],
  ])('%j use up nothing of what its owner may ask', async (headers, status) => {
    const rig = await ServeRig.start({ limits: { requests: { burst: 3, per_s: 0.001 } } });
    for (let count = 0; count < 10; count += 1) {
      expect((await rig.ask('/api/v1/keys', { headers })).status).toBe(status);
    }
    const own = [];
    for (let count = 0; count < 4; count += 1) own.push((await rig.ask('/api/v1/keys')).status);
    expect(own).toEqual([200, 200, 200, 429]);
    await rig.stop();
  });
});
