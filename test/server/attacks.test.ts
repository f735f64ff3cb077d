import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { storedRunOf } from '../history/stored-run-of.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { READ_TOKEN, ServeRig, WRITE_TOKEN } from './serve-rig.ts';

/** Sends bytes as they are, and gives all that comes back until the server closes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let got = '';
    socket.on('data', (chunk: Buffer) => (got += chunk.toString('latin1')));
    socket.on('error', () => resolve(got));
    socket.on('close', () => resolve(got));
  });
}

const SECRET = 'outside of the folder';

describe('a server on this machine', () => {
  let rig: ServeRig;

  beforeAll(async () => {
    const folder = await temporaryFolder();
    const files = join(folder, 'dashboard');
    await mkdir(join(files, 'assets'), { recursive: true });
    await writeFile(join(folder, 'secret.txt'), SECRET);
    await writeFile(join(files, 'index.html'), '<!doctype html><title>Pawl</title>');
    await symlink(join(folder, 'secret.txt'), join(files, 'link.txt'));
    rig = await ServeRig.start({ files });
  });
  afterAll(() => rig.stop());

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%252e%252e%252fsecret.txt',
    '/..%5csecret.txt',
    '/....//secret.txt',
    '//secret.txt',
    '/assets/%00/../../secret.txt',
    '/%c0%ae%c0%ae/secret.txt',
    '/link.txt',
    '/api/v1/runs/..%2f..%2fsecret.txt',
    '/index.html/../../secret.txt',
    '/constructor',
    '/__proto__',
  ])('has nothing under %s', async (path) => {
    const { status, text } = await rig.ask(path);
    expect(status).toBe(404);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(rig.folder);
  });

  it('takes no whole address for a path', async () => {
    const answer = await raw(
      rig.port,
      'GET http://127.0.0.1/healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    'evil.example:7557',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '',
    'a b',
  ])('is not known as "%s": a name that points here is no name of ours', async (host) => {
    const answer = await raw(
      rig.port,
      `GET /api/v1/keys HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (?:421|400) /);
  });

  it.each(['localhost', 'LOCALHOST:8000', '127.0.0.1:9', '[::1]:7557', 'localhost.'])(
    'is known as "%s"',
    async (host) => {
      expect((await rig.ask('/api/v1/keys', { headers: { host } })).status).toBe(200);
    },
  );

  it.each<[Record<string, string>]>([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ])('answers no page of another site: %j', async (headers) => {
    for (const path of ['/api/v1/keys', '/api/v1/live', '/']) {
      expect((await rig.ask(path, { headers })).status).toBe(403);
    }
    const upload = await rig.upload({ run: storedRunOf({ at: 900 }) }, headers);
    expect(upload.status).toBe(403);
  });

  it('lets a link from elsewhere lead to the dashboard', async () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect((await rig.ask('/', { headers })).status).toBe(200);
  });

  it('answers its own pages', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', origin: rig.url };
    expect((await rig.ask('/api/v1/keys', { headers })).status).toBe(200);
  });

  it('lets nobody share its answers, frame its pages or run what is not its own', async () => {
    for (const path of ['/', '/api/v1/keys', '/none', '/login.css', '/healthz']) {
      const { headers } = await rig.ask(path, { headers: { origin: rig.url } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
  });

  it('takes uploads as JSON with the write token only', async () => {
    const run = JSON.stringify({ run: storedRunOf({ at: 901 }) });
    expect((await rig.upload(run, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await rig.upload(run, { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await rig.upload(run, { 'content-type': 'application/json; charset=utf-16' })).status).toBe(415);
    expect((await rig.upload(run, { 'content-encoding': 'br' })).status).toBe(415);
    const headers = { 'content-type': 'application/json' };
    const without = await rig.ask('/api/v1/runs', { method: 'POST', headers, body: run });
    expect([without.status, without.headers['www-authenticate']]).toEqual([401, 'Bearer realm="pawl"']);
    expect((await rig.upload(run, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await rig.upload(run, { authorization: `Basic ${WRITE_TOKEN}` })).status).toBe(401);
    expect((await rig.ask('/api/v1/keys')).text).not.toContain('901');
  });

  it('unpacks no bomb and takes nothing that is too large', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20, 0x20), { level: 9 });
    expect(bomb.length).toBeLessThan(2 ** 20);
    expect((await rig.upload(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
    expect((await rig.upload('not gzip', { 'content-encoding': 'gzip' })).status).toBe(400);
    const told = [
      'POST /api/v1/runs HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${WRITE_TOKEN}`,
      'Content-Type: application/json',
      'Content-Length: 99999999999',
      '\r\n',
    ].join('\r\n');
    expect(await raw(rig.port, told)).toMatch(/^HTTP\/1\.1 413 /);
    expect((await rig.ask(`/api/v1/runs?kernel=${'x'.repeat(5000)}`)).status).toBe(414);
    const wide = `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await raw(rig.port, wide)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('answers what is no request with a problem and closes', async () => {
    expect(await raw(rig.port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json/s);
    const smuggled =
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await raw(rig.port, smuggled)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('hands names on as data, whatever is in them', async () => {
    const name = `"><script>alert(1)</script>{{7*7}}'--; drop table runs`;
    const run = storedRunOf({ at: 902, cases: [name] });
    (run.sides.head.measurements[0] as Record<string, unknown>)['variant'] =
      JSON.parse('{"__proto__": 1, "x": 2}');
    expect((await rig.upload({ run })).status).toBe(201);
    const { text, headers, json } = await rig.ask(`/api/v1/keys?case=${encodeURIComponent(name)}`);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(json).toMatchObject({ items: [{ case: name }] });
    expect(JSON.parse(text)).toEqual(json);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    const missing = await rig.ask('/%3Cscript%3Ealert(1)%3C/script%3E', { headers: { accept: 'text/html' } });
    expect(missing.text).not.toContain('script');
  });
});

describe('a server with a read token', () => {
  let rig: ServeRig;

  beforeAll(async () => {
    rig = await ServeRig.start({ host: '0.0.0.0', readToken: READ_TOKEN });
  });
  afterAll(() => rig.stop());

  const form = (token: string) => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `token=${encodeURIComponent(token)}`,
  });

  it('answers only how it is to who has no token', async () => {
    for (const path of [
      '/api/v1/keys',
      '/api/v1/live',
      '/metrics',
      '/api/v1/openapi.json',
      '/none',
      '/index.html',
    ]) {
      expect((await rig.ask(path)).status).toBe(401);
    }
    expect((await rig.ask('/healthz')).status).toBe(200);
    expect((await rig.ask('/readyz')).status).toBe(200);
    const home = await rig.ask('/', { headers: { accept: 'text/html' } });
    expect([home.status, home.headers.location]).toEqual([303, 'login']);
  });

  it('tells readers from writers', async () => {
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    expect((await rig.ask('/api/v1/keys', bearer(READ_TOKEN))).status).toBe(200);
    expect((await rig.ask('/api/v1/keys', bearer(WRITE_TOKEN))).status).toBe(401);
    const upload = await rig.upload(
      { run: storedRunOf({ at: 1 }) },
      { authorization: `Bearer ${READ_TOKEN}` },
    );
    expect(upload.status).toBe(401);
  });

  it('signs a browser in with a cookie that is not the token, and out', async () => {
    const page = await rig.ask('/login');
    expect(page.text).toContain('<form method="post" action="login">');
    const signed = await rig.ask('/login', form(READ_TOKEN));
    expect([signed.status, signed.headers.location]).toEqual([303, './']);
    const [cookie = ''] = signed.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^pawl_session=\d+\.[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(READ_TOKEN);
    const session = cookie.split(';')[0]!;
    const ask = (value: string) => rig.ask('/api/v1/keys', { headers: { cookie: value } });
    expect((await ask(session)).status).toBe(200);
    expect((await ask(`other=1; ${session}`)).status).toBe(200);
    expect(
      (await ask(session.replace(/=(\d)/, (_, digit: string) => `=${(Number(digit) + 1) % 10}`))).status,
    ).toBe(401);
    const upload = await rig.ask('/api/v1/runs', {
      method: 'POST',
      headers: { cookie: session, 'content-type': 'application/json' },
      body: JSON.stringify({ run: storedRunOf({ at: 1 }) }),
    });
    expect(upload.status).toBe(401);
    const out = await rig.ask('/logout', { method: 'POST', headers: { cookie: session } });
    expect(out.headers['set-cookie']?.[0]).toMatch(/^pawl_session=; Max-Age=0/);
  });

  it('signs nobody in from a page of another site', async () => {
    const asked = form(READ_TOKEN);
    const headers = { ...asked.headers, origin: 'https://evil.example' };
    expect((await rig.ask('/login', { ...asked, headers })).status).toBe(403);
    expect((await rig.ask('/login', { ...asked, headers: { 'content-type': 'text/plain' } })).status).toBe(
      415,
    );
    expect((await rig.ask('/login', form('x'.repeat(5000)))).status).toBe(413);
  });

  it('lets tokens be tried a few times only, and says none of them', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 20; count += 1)
      statuses.push((await rig.ask('/login', form(`guess ${count}`))).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    // Also the right one: whoever tries has to wait.
    expect(
      (await rig.ask('/api/v1/keys', { headers: { authorization: `Bearer ${READ_TOKEN}` } })).status,
    ).toBe(429);
    expect(JSON.stringify(rig.events)).not.toContain('guess');
    expect(JSON.stringify(rig.events)).not.toContain(READ_TOKEN);
  });
});

describe('a server that is in demand', () => {
  it('takes a client at its pace', async () => {
    const rig = await ServeRig.start({ limits: { requests: { burst: 5, per_s: 0.001 } } });
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) statuses.push((await rig.ask('/healthz')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(Number((await rig.ask('/healthz')).headers['retry-after'])).toBeGreaterThan(0);
    await rig.stop();
  });

  it('waits for no client that sends its request a byte at a time', async () => {
    const rig = await ServeRig.start({ limits: { headers_ms: 400, request_ms: 800 } });
    const answers = await Promise.all([
      raw(rig.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: '),
      raw(
        rig.port,
        `POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${WRITE_TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      ),
    ]);
    expect(answers[0]).toMatch(/^HTTP\/1\.1 408 /);
    // Its connection is closed; whether with 408 or 400 is a race that nobody loses.
    expect(answers[1]).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/);
    expect((await rig.ask('/healthz')).status).toBe(200);
    await rig.stop();
  });
});

describe('what is not to be started', () => {
  it.each([
    [{ host: '0.0.0.0' }, 'needs a read token'],
    [{ host: '::' }, 'needs a read token'],
    [{ origins: ['https://pawl.example.org'] }, 'needs a read token'],
    [{ readToken: WRITE_TOKEN }, 'are the same'],
    [{ origins: ['pawl.example.org'], readToken: READ_TOKEN }, 'is not a valid origin'],
  ])('refuses %j', async (options, message) => {
    await expect(ServeRig.start(options)).rejects.toThrow(message);
  });

  it('is known to a proxy by the name that it was told, and its cookies need TLS there', async () => {
    const rig = await ServeRig.start({ origins: ['https://pawl.example.org'], readToken: READ_TOKEN });
    const headers = { host: 'pawl.example.org', origin: 'https://pawl.example.org' };
    const signed = await rig.ask('/login', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${encodeURIComponent(READ_TOKEN)}`,
    });
    expect(signed.headers['set-cookie']?.[0]).toMatch(
      /^__Host-pawl_session=.*; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await rig.ask('/healthz', { headers: { host: 'other.example.org' } })).status).toBe(421);
    await rig.stop();
  });
});
