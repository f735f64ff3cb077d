import { request, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http';
import { connect } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Connections } from '../../../src/server/http/connections.ts';
import { httpServer } from '../../../src/server/http/http-server.ts';
import { listen } from '../../../src/server/http/listening.ts';
import { isSigned } from '../../../src/server/wake/verify-signature.ts';
import { MAX_BODY_BYTES, wakeApp } from '../../../src/server/wake/wake-http.ts';
import { payload, PAYLOADS, SECRET, sign, WakeRig } from './wake-rig.ts';

const TOKEN = 'a token for those who may ask';
let rig: WakeRig;
let server: Server;
let port: number;

beforeAll(async () => {
  const app = wakeApp({
    // Another one for each test.
    get engine() {
      return rig.engine;
    },
    path: '/webhook',
    secret: SECRET,
    statusToken: TOKEN,
    isDryRun: false,
    log: (event) => rig.events.push(event),
    now: () => new Date(),
  });
  const timeouts = { headers_ms: 10_000, request_ms: 20_000, idle_ms: 60_000 };
  server = httpServer(app, timeouts, new Connections({ perClient: 64, inAll: 200 }, true));
  ({ port } = await listen(server, '127.0.0.1', 0, ''));
});
afterAll(() => new Promise((done) => server.close(done)));
beforeEach(async () => {
  rig = await WakeRig.make();
});

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

function ask({
  method = 'GET',
  path = '/',
  headers = {},
  body,
}: Asked): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      (answer: IncomingMessage) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            body: JSON.parse(Buffer.concat(chunks).toString()) as unknown,
          }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

function post(body: string, headers: OutgoingHttpHeaders = {}) {
  return ask({
    method: 'POST',
    path: '/webhook',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'workflow_job',
      'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
      'x-hub-signature-256': sign(body),
      ...headers,
    },
  });
}

describe('a signature', () => {
  it('is the one of GitHub’s documentation for its example', () => {
    // The values that GitHub's documentation gives for testing an implementation.
    const body = Buffer.from('Hello, World!');
    const header = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    expect(isSigned(body, header, "It's a Secret to Everybody")).toBe(true);
  });

  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['one of SHA-1', `sha1=${'0'.repeat(40)}`],
    ['a short one', 'sha256=00'],
    ['a long one', `sha256=${'0'.repeat(128)}`],
    ['one that is no number', `sha256=${'z'.repeat(64)}`],
  ])('that is %s is refused', (_, header) => {
    expect(isSigned(Buffer.from('x'), header, SECRET)).toBe(false);
  });
});

describe('a delivery', () => {
  const queued = JSON.stringify(payload('queued'));

  it('that is signed wakes the host', async () => {
    expect(await post(queued)).toMatchObject({ status: 202, body: { result: 'accepted' } });
    await rig.engine.settled();
    expect(await rig.ran()).toEqual(['wake gpu']);
    expect(await post(queued)).toMatchObject({ status: 200, body: { result: 'duplicate' } });
  });

  it.each([
    ['with another secret', { 'x-hub-signature-256': sign(queued, 'another secret, as long as it') }, 401],
    ['of another body', { 'x-hub-signature-256': sign(`${queued} `) }, 401],
    ['without a signature', { 'x-hub-signature-256': undefined }, 401],
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['without a type', { 'content-type': undefined }, 415],
    ['without an id', { 'x-github-delivery': undefined }, 400],
    ['with an id that is none', { 'x-github-delivery': '../../etc' }, 400],
  ])('%s is refused and wakes nothing', async (_, headers, status) => {
    const kept = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const left = Object.keys(headers).filter((name) => !(name in kept));
    const all: OutgoingHttpHeaders = {
      'content-type': 'application/json',
      'x-github-event': 'workflow_job',
      'x-github-delivery': 'one',
      'x-hub-signature-256': sign(queued),
      ...kept,
    };
    for (const name of left) delete all[name];
    const answer = await ask({ method: 'POST', path: '/webhook', body: queued, headers: all });
    expect(answer.status).toBe(status);
    await rig.pass(1);
    expect(await rig.ran()).toEqual([]);
  });

  it('is verified before it is read: what is not JSON is told apart only when signed', async () => {
    expect((await post('{', { 'x-hub-signature-256': sign('x') })).status).toBe(401);
    expect((await post('{')).status).toBe(400);
    expect((await post('{"action":"queued"}')).status).toBe(400);
    expect((await post('[]')).status).toBe(400);
    const invalid = Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1');
    expect((await post(invalid)).status).toBe(400);
  });

  it('that is a ping is answered; other events are left alone', async () => {
    expect(await post('{"zen":"x"}', { 'x-github-event': 'ping' })).toMatchObject({ status: 200 });
    expect(await post(queued, { 'x-github-event': 'push' })).toMatchObject({ body: { result: 'ignored' } });
    await rig.pass(1);
    expect(await rig.ran()).toEqual([]);
  });

  it.each(PAYLOADS.map((one, index) => [index, one.action, one.repository.full_name, one] as const))(
    'recorded by GitHub, number %i (%s of %s), is understood',
    async (index, _, __, recorded) => {
      const answer = await post(JSON.stringify(recorded), { 'x-github-delivery': `recorded-${index}` });
      expect(answer.status).toBeLessThan(300);
    },
  );

  it('that is too large is refused, announced or not', async () => {
    const large = `{"x":"${'x'.repeat(MAX_BODY_BYTES)}"}`;
    expect((await post(large)).status).toBe(413);
    const chunked = await post(large, { 'transfer-encoding': 'chunked' }).catch(
      (error: NodeJS.ErrnoException) => ({
        // The connection may close while the rest is still being sent.
        status: error.code === 'EPIPE' || error.code === 'ECONNRESET' ? 413 : 0,
      }),
    );
    expect(chunked.status).toBe(413);
  });

  it('that is cut off in the middle changes nothing', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{"act`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await ask({ path: '/healthz' })).status).toBe(200);
  });

  it('that cannot be written down is not accepted', async () => {
    const { engine } = rig;
    const refuse = () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    rig.engine = Object.assign(Object.create(engine) as typeof engine, { accept: refuse });
    expect((await post(queued)).status).toBe(503);
    rig.engine = engine;
    expect((await post(queued)).status).toBe(202);
  });
});

describe('other requests', () => {
  it.each([
    ['GET', '/webhook', 405],
    ['PUT', '/webhook', 405],
    ['POST', '/status', 405],
    ['GET', '/', 404],
    ['POST', '/webhook/../status', 404],
    ['GET', '/healthz', 200],
  ])('%s %s is answered with %i', async (method, path, status) => {
    expect((await ask({ method, path })).status).toBe(status);
  });

  it.each([
    ['from this machine', {}, 200],
    ['passed on by a proxy', { 'x-forwarded-for': '203.0.113.7' }, 403],
    ['under another name, as a page in a browser would', { host: 'evil.example' }, 403],
    ['under a name that begins like an address of ours', { host: '127.0.0.1.evil.example' }, 403],
    ['under a name below ours', { host: 'localhost.evil.example:80' }, 403],
    ['under a name with another name behind it', { host: '127.0.0.1:80@evil.example' }, 400],
    ['under an address of this machine', { host: '127.0.0.2:80' }, 200],
    ['by a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['by a page of another origin', { origin: 'https://evil.example' }, 403],
    ['passed on with the token', { 'x-forwarded-for': '203.0.113.7', authorization: `Bearer ${TOKEN}` }, 200],
    ['passed on with another token', { 'x-forwarded-for': '1.2.3.4', authorization: 'Bearer x' }, 403],
  ])('for the status %s are answered as they should', async (_, headers, status) => {
    const answer = await ask({ path: '/status', headers: { host: `localhost:${port}`, ...headers } });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
  });
});
