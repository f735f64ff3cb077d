import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request as ask } from 'node:http';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { temporaryFolder } from '../device/temporary-folder.ts';
import { pawl, startPawl } from '../e2e/pawl-cli.ts';
import { storedRunOf } from '../history/stored-run-of.ts';
import { READ_TOKEN, WRITE_TOKEN } from './serve-rig.ts';

type Running = ReturnType<typeof startPawl>;
const children: Running[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function start(
  folder: string,
  ...flags: readonly string[]
): Promise<{ child: Running; port: number; url: string }> {
  const child = startPawl(folder, 'serve', '--port', '0', '--json', ...flags);
  children.push(child);
  for (;;) {
    const line = child.text().split('\n', 1)[0]!;
    if (line.endsWith('}')) {
      const said = JSON.parse(line) as { schema: string; url: string; port: number; pid: number };
      expect(said).toMatchObject({ schema: 'pawl.serve/1', pid: child.pid });
      return { child, port: said.port, url: said.url };
    }
    if (child.exitCode !== null) throw new Error(child.text());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const TOKENS = ['--read-token-file', 'read.token', '--write-token-file', 'write.token'];

async function folderWithTokens(): Promise<string> {
  const folder = await temporaryFolder();
  // A line end is no part of a token; spaces cannot be, as they cannot be in a header's.
  await writeFile(join(folder, 'read.token'), `${READ_TOKEN.replaceAll(' ', '-')}\n`);
  await writeFile(join(folder, 'write.token'), `${WRITE_TOKEN.replaceAll(' ', '-')}\n`);
  return folder;
}

describe('pawl serve', () => {
  it('says where it listens, and answers an upload that was under way when it is told to stop', async () => {
    const folder = await folderWithTokens();
    const { child, port, url } = await start(folder, ...TOKENS);
    expect((await fetch(`${url}/api/v1/keys`)).status).toBe(401);
    const headers = { authorization: `Bearer ${READ_TOKEN.replaceAll(' ', '-')}` };
    expect((await fetch(`${url}/api/v1/keys`, { headers })).status).toBe(200);
    const body = JSON.stringify({ run: storedRunOf({ at: 1 }) });
    const upload = ask({
      host: '127.0.0.1',
      port,
      path: '/api/v1/runs',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        authorization: `Bearer ${WRITE_TOKEN.replaceAll(' ', '-')}`,
      },
    });
    upload.write(body.slice(0, 100));
    // When this is answered, the server has the first part as well.
    while (!/requests_in_flight 2/.test(await (await fetch(`${url}/metrics`, { headers })).text())) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill('SIGTERM');
    while (!child.text().includes('"stopping"')) await new Promise((resolve) => setTimeout(resolve, 20));
    upload.end(body.slice(100));
    const [response] = (await once(upload, 'response')) as [{ statusCode: number; resume: () => void }];
    response.resume();
    expect(response.statusCode).toBe(201);
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    expect(child.text()).not.toContain(WRITE_TOKEN.replaceAll(' ', '-'));
  });

  it('ends with a reason where it must not or cannot start', async () => {
    const folder = await folderWithTokens();
    const open = await pawl(folder, 'serve', '--host', '0.0.0.0', '--port', '0');
    expect(open.code).toBe(78);
    expect(open.stderr).toContain('the server needs a read token');
    await writeFile(join(folder, 'short'), 'short');
    const short = await pawl(folder, 'serve', '--port', '0', '--read-token-file', 'short');
    expect([short.code, short.stderr.includes('is not 16 or more')]).toEqual([78, true]);
    expect((await pawl(folder, 'serve', '--read-token-file', 'none')).code).toBe(78);
    await writeFile(
      join(folder, 'no.db'),
      'this is no database, and long enough to be seen as none '.repeat(50),
    );
    expect((await pawl(folder, 'serve', '--port', '0', '--store', 'no.db')).code).toBe(65);
    const { port } = await start(folder);
    const taken = await pawl(folder, 'serve', '--port', String(port));
    expect([taken.code, taken.stderr.includes('--port 0')]).toEqual([69, true]);
  });
});
