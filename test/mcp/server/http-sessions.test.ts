import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { httpHandler, type HttpHandler } from '../../../src/mcp/server/http-handler.ts';

describe('sessions over HTTP', () => {
  let handler: HttpHandler;

  afterEach(() => handler.close());

  async function start(): Promise<void> {
    const root = await realpath(tmpdir());
    handler = httpHandler(
      {
        project: { root, config: join(root, 'pawl.yaml') },
        env: {},
        now: () => new Date(),
        allowDestructive: false,
        onBug: (error) => {
          throw error;
        },
      },
      { now_ms: () => performance.now(), log: () => undefined },
    );
  }

  async function post(message: object, session?: string): Promise<Response> {
    const response = await handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      }),
    );
    await response.text();
    return response;
  }

  async function open(): Promise<string> {
    const response = await post({
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    });
    expect(response.status).toBe(200);
    return response.headers.get('mcp-session-id')!;
  }

  const list = { id: 2, method: 'tools/list', params: {} };

  it('are so many at a time: the one that was quiet for longest makes room', async () => {
    await start();
    const [first, second] = [await open(), await open()];
    for (let more = 0; more < 62; more++) await open();
    expect((await post(list, first)).status).toBe(200);
    await open();
    expect((await post(list, second)).status).toBe(404);
    expect((await post(list, first)).status).toBe(200);
  });

  it('end when their client says so', async () => {
    await start();
    const session = await open();
    const gone = await handler.fetch(
      new Request('http://localhost/mcp', { method: 'DELETE', headers: { 'mcp-session-id': session } }),
    );
    expect(gone.status).toBe(200);
    expect((await post(list, session)).status).toBe(404);
  });

  it('are not begun by anything but an initialize', async () => {
    await start();
    expect((await post(list)).status).toBe(400);
  });
});
