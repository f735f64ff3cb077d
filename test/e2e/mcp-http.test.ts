import { request as httpRequest } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  allGone,
  call,
  overHttp,
  PATIENCE,
  startHttp,
  untilRunning,
  type Era,
  type HttpServer,
} from './mcp-client.ts';
import { fixtureProject, pawl } from './pawl-cli.ts';

const SHORT = { only: ['right'], modes: ['hot'], processes: 1, samples: 10, wait_s: 300 };
const LONG = { only: ['slow'], modes: ['hot'], processes: 200, samples: 10, wait_s: 300 };

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

describe('pawl mcp --http', () => {
  let folder: string;
  let server: HttpServer;

  beforeAll(async () => {
    folder = await fixtureProject(['right', 'slow']);
    expect((await pawl(folder, 'build')).code).toBe(0);
    server = await startHttp(folder);
  });
  afterAll(() => server.stop());

  /** A request as no client would send it. */
  function ask(
    headers: Readonly<Record<string, string>>,
    body: string = JSON.stringify(INITIALIZE),
    path = '/mcp',
  ): Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }> {
    const { hostname, port } = new URL(server.url);
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        {
          hostname,
          port,
          path,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () =>
            resolve({ status: response.statusCode!, text, headers: response.headers }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  const authorization = () => `Bearer ${server.token}`;

  it.each(['legacy', 'auto'] as const)(
    'serves a client that negotiates %s: tools, resources, prompts, progress',
    async (era: Era) => {
      const client = await overHttp(server, era);
      expect(client.getNegotiatedProtocolVersion()).toMatch(era === 'auto' ? /^2026/ : /^2025/);
      const seen: number[] = [];
      const { structuredContent } = await client.callTool(
        { name: 'pawl_bench', arguments: SHORT },
        { ...PATIENCE, onprogress: ({ progress }) => seen.push(progress) },
      );
      expect(structuredContent).toMatchObject({ result: 'good' });
      expect(seen.length).toBeGreaterThan(0);
      const { contents } = await client.readResource({ uri: 'pawl://config' });
      expect(contents[0]).toMatchObject({ text: expect.stringContaining('problems:') });
      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('optimise-kernel');
      await client.close();
    },
  );

  it.each(['legacy', 'auto'] as const)(
    'ends a bench that a client of the era %s cancels, and every process of it',
    async (era) => {
      const client = await overHttp(server, era);
      const aborter = new AbortController();
      const cancelled = client
        .callTool({ name: 'pawl_bench', arguments: LONG }, { ...PATIENCE, signal: aborter.signal })
        .catch((error: Error) => error);
      const below = await untilRunning(folder, server.pid);
      aborter.abort('enough');
      expect(await cancelled).toBeInstanceOf(Error);
      await allGone(below);
      expect((await call(client, 'pawl_ratchet')).isError).toBe(false);
      await client.close();
    },
  );

  it('ends a bench whose client goes away in the middle', async () => {
    const client = await overHttp(server);
    const cut = client
      .callTool({ name: 'pawl_bench', arguments: LONG }, PATIENCE)
      .catch((error: Error) => error);
    const below = await untilRunning(folder, server.pid);
    await client.close();
    expect(await cut).toBeInstanceOf(Error);
    await allGone(below);
  });

  it('answers nobody without the token, and says nothing of it', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic eDp5' }]) {
      const { status, text, headers: answered } = await ask(headers);
      expect(status).toBe(401);
      expect(answered['www-authenticate']).toMatch(/^Bearer/);
      expect(text).not.toContain(server.token);
    }
  });

  it('answers no page of another site, and under no other name', async () => {
    const foreign = { authorization: authorization(), origin: 'https://evil.example' };
    expect((await ask(foreign)).status).toBe(403);
    expect((await ask({ authorization: authorization(), origin: 'null' })).status).toBe(403);
    expect((await ask({ authorization: authorization(), 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await ask({ authorization: authorization(), host: 'evil.example' })).status).toBe(421);
    expect((await ask({ authorization: authorization() })).status).toBe(200);
  });

  it('takes no large body, whether its length is told or not', async () => {
    const huge = JSON.stringify({ ...INITIALIZE, params: { junk: 'x'.repeat(10_000_000) } });
    const told = await ask({ authorization: authorization() }, huge).catch((error: Error) => error);
    expect(told instanceof Error || told.status === 413).toBe(true);
    const chunked = await ask({ authorization: authorization(), 'transfer-encoding': 'chunked' }, huge).catch(
      (error: Error) => error,
    );
    expect(chunked instanceof Error || chunked.status === 413).toBe(true);
    expect((await ask({ authorization: authorization() })).status).toBe(200);
  });

  it('refuses what is no message, another address, and a session that is not there', async () => {
    const headers = { authorization: authorization() };
    expect((await ask(headers, '{nonsense')).status).toBe(400);
    expect((await ask(headers, '[]')).status).toBeGreaterThanOrEqual(400);
    expect((await ask({ ...headers, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await ask(headers, '{}', '/other')).status).toBe(404);
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    expect((await ask({ ...headers, 'mcp-session-id': 'made-up' }, call)).status).toBe(404);
    expect((await ask(headers, call)).status).toBe(400);
  });

  it('listens where others reach it only with a token that was chosen', async () => {
    const { code, stderr } = await pawl(folder, 'mcp', '--http', '--host', '0.0.0.0', '--port', '0');
    expect(code).toBe(78);
    expect(stderr).toMatch(/needs a token of your own/);
  });

  it('ends when it is told to, with a bench under way, and leaves no process', async () => {
    const other = await startHttp(folder);
    const client = await overHttp(other);
    const cut = client
      .callTool({ name: 'pawl_bench', arguments: LONG }, PATIENCE)
      .catch((error: Error) => error);
    const below = await untilRunning(folder, other.pid);
    await other.stop();
    await allGone(below);
    await client.close();
    await cut;
  });
});
