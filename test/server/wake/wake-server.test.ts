import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, describe, expect, it } from 'vitest';

import { wakeStatusSchema } from '../../../src/model/server/wake.ts';
import { temporaryFolder } from '../../device/temporary-folder.ts';
import { PAWL } from '../../e2e/pawl-cli.ts';
import { LABELS, payload, REPOSITORY, SECRET, sign } from './wake-rig.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Waits as long as a loaded machine may take, and says what it waited for. */
async function eventually<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(50);
  }
  throw new Error(`did not happen: ${what}`);
}

/** The folder of a real server, which comes and goes as a process of its own. */
class Server {
  readonly folder: string;
  #child: ChildProcess | undefined;
  #port = 0;
  text = '';

  constructor(folder: string) {
    this.folder = folder;
  }

  static async make(wake: string, host = ''): Promise<Server> {
    const server = new Server(await temporaryFolder());
    await writeFile(join(server.folder, 'wake.sh'), wake);
    await writeFile(
      join(server.folder, 'wake.yaml'),
      `version: 1
listen: { port: 0 }
secret: { env: WAKE_SECRET }
repositories: [${REPOSITORY}]
hosts:
  gpu:
    labels: [${LABELS.join(', ')}, gpu]
    wake: [sh, wake.sh]
    sleep: [sh, -c, echo sleep >> ran]
    idle_minutes: 0.01
    grace_minutes: 0
    retry_s: 0.2
    ${host}
`,
    );
    return server;
  }

  async start(...flags: readonly string[]): Promise<void> {
    const args = [PAWL, 'wake-server', '--config', 'wake.yaml', '--json', ...flags];
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: { ...process.env, WAKE_SECRET: SECRET },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    this.#child = child;
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      this.text += chunk.toString();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    this.#port = await eventually('listening', () => {
      if (child.exitCode !== null) throw new Error(said);
      const port = /on http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      return port === undefined ? undefined : Number(port);
    });
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child!;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await ended)[0];
  }

  async deliver(action: string, id = 1): Promise<number> {
    const body = JSON.stringify(payload(action, { id }));
    const answer = await fetch(`http://127.0.0.1:${this.#port}/webhook`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'workflow_job',
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': sign(body),
      },
    });
    return answer.status;
  }

  async status() {
    const answer = await fetch(`http://127.0.0.1:${this.#port}/status`);
    return wakeStatusSchema.parse(await answer.json()).hosts[0]!;
  }

  async ran(): Promise<string[]> {
    const text = await readFile(join(this.folder, 'ran'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  until(phase: string) {
    return eventually(`the host is ${phase}`, async () =>
      (await this.status()).phase === phase ? phase : undefined,
    );
  }
}

describe('pawl wake-server', () => {
  it('wakes, sleeps, and stops in good order', async () => {
    const server = await Server.make('echo wake >> ran');
    await server.start();
    expect(await server.deliver('queued')).toBe(202);
    await server.until('awake');
    await server.deliver('in_progress');
    await server.deliver('completed');
    await server.until('asleep');
    expect(await server.ran()).toEqual(['wake', 'sleep']);
    expect(await server.end('SIGTERM')).toBe(0);
    const events = server.text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toEqual([
      'listening',
      'job-queued',
      'wake-begun',
      'wake-done',
      'job-running',
      'job-ended',
      'sleep-begun',
      'sleep-done',
      'stopping',
    ]);
  });

  it('killed between the wake and the job knows both when it comes back', async () => {
    const server = await Server.make('echo wake >> ran');
    await server.start();
    await server.deliver('queued');
    await server.until('awake');
    await server.end('SIGKILL');
    await server.start();
    expect(await server.status()).toMatchObject({ phase: 'awake', jobs: [{ state: 'queued' }] });
    await server.deliver('in_progress');
    await server.end('SIGKILL');
    await server.start();
    expect(await server.status()).toMatchObject({ phase: 'awake', jobs: [{ state: 'running' }] });
    await server.deliver('completed');
    await server.until('asleep');
    expect(await server.ran()).toEqual(['wake', 'sleep']);
  });

  it('killed while it wakes a host wakes it when it comes back', async () => {
    const server = await Server.make('echo wake >> ran\ntest -e go || sleep 60');
    await server.start();
    await server.deliver('queued');
    await eventually('the command runs', async () => ((await server.ran()).length > 0 ? true : undefined));
    await server.end('SIGKILL');
    await writeFile(join(server.folder, 'go'), '');
    await server.start();
    await server.until('awake');
    expect(await server.ran()).toEqual(['wake', 'wake']);
  });

  it('stopped while a command hangs ends it, and the next server runs it again', async () => {
    const server = await Server.make('echo wake >> ran\ntest -e go || exec sleep 600');
    await server.start();
    await server.deliver('queued');
    await eventually('the command runs', async () => ((await server.ran()).length > 0 ? true : undefined));
    expect(await server.end('SIGTERM')).toBe(0);
    await writeFile(join(server.folder, 'go'), '');
    await server.start();
    await server.until('awake');
  });

  it('killed again and again while jobs come and go loses none that it accepted', async () => {
    const server = await Server.make('echo wake >> ran');
    await server.start();
    for (let id = 1; id <= 6; id += 1) {
      expect(await server.deliver('queued', id)).toBe(202);
      await server.end('SIGKILL');
      await server.start();
      expect((await server.status()).jobs).toHaveLength(1);
      expect(await server.deliver('completed', id)).toBe(202);
    }
    await server.until('asleep');
  });

  it('tries a failing command again until it works', async () => {
    const server = await Server.make('echo wake >> ran\ntest "$(wc -l < ran)" -ge 3');
    await server.start();
    await server.deliver('queued');
    await server.until('awake');
    expect(await server.ran()).toEqual(['wake', 'wake', 'wake']);
  });

  it('runs nothing and writes nothing in a dry run', async () => {
    const server = await Server.make('echo wake >> ran');
    await server.start('--dry-run');
    await server.deliver('queued');
    await server.until('awake');
    expect(server.text).toMatch(/would run: sh wake\.sh/);
    expect(await server.ran()).toEqual([]);
    await expect(readFile(join(server.folder, 'wake-state/journal.jsonl'))).rejects.toThrow(/ENOENT/);
    expect(await server.end('SIGINT')).toBe(0);
  });

  it('refuses to share its journal with another', async () => {
    const server = await Server.make('true');
    await server.start();
    const second = new Server(server.folder);
    await expect(second.start()).rejects.toThrow(/Another wake server uses/);
  });

  it('checks its configuration without listening', async () => {
    const server = await Server.make('true');
    const check = async (env: NodeJS.ProcessEnv) => {
      const child = spawn(process.execPath, [PAWL, 'wake-server', '--check', 'wake.yaml'], {
        cwd: server.folder,
        env: { ...process.env, ...env },
      });
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number];
      return { code, text };
    };
    expect(await check({ WAKE_SECRET: SECRET })).toMatchObject({
      code: 0,
      text: expect.stringMatching(/gpu\n {2}labels/),
    });
    expect(await check({ WAKE_SECRET: '' })).toMatchObject({
      code: 78,
      text: expect.stringMatching(/no secret/),
    });
  });
});
