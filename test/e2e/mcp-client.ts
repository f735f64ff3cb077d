import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { startPawl } from './pawl-cli.ts';

export const PAWL = resolve(import.meta.dirname, '../../bin/pawl');
/** Two shared cores: slow is normal. */
export const PATIENCE = { timeout: 600_000, resetTimeoutOnProgress: true } as const;

export type Era = 'legacy' | 'auto';

export interface Connected {
  readonly client: Client;
  /** Of the server. */
  readonly pid: number;
  readonly stderr: () => string;
}

/** The real client with `pawl mcp` as its child. */
export async function overStdio(
  folder: string,
  args: readonly string[] = [],
  era: Era = 'legacy',
): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: PAWL,
    args: ['mcp', ...args],
    cwd: folder,
    env: { ...process.env } as Record<string, string>,
    stderr: 'pipe',
  });
  let text = '';
  transport.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  await client.connect(transport);
  return { client, pid: transport.pid!, stderr: () => text };
}

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** `pawl mcp --http` on a free port. */
export async function startHttp(folder: string, args: readonly string[] = []): Promise<HttpServer> {
  const child = startPawl(folder, 'mcp', '--http', '--port', '0', '--json', ...args);
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  while (!child.text().includes('pawl.mcp/1')) {
    if (child.exitCode !== null) throw new Error(child.text());
    await sleep(20);
  }
  const line = child
    .text()
    .split('\n')
    .find((one) => one.includes('pawl.mcp/1'))!;
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  return {
    url,
    token,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

export async function overHttp({ url, token }: HttpServer, era: Era = 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

/** A result as tests look at it. */
export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  // eslint-disable-next-line typescript/no-explicit-any -- each tool has its own shape, which the client has checked
  readonly value: any;
}

export async function call(client: Client, name: string, args: object = {}): Promise<Answer> {
  const result = await client.callTool({ name, arguments: { ...args } }, PATIENCE);
  const [first] = result.content;
  return {
    isError: result.isError === true,
    text: first?.type === 'text' ? first.text : '',
    value: result.structuredContent,
  };
}

/** Every process below one, as far as they live. */
async function descendantsOf(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(join('/proc', name, 'stat'), 'utf8').catch(() => '');
    const parent = /\) \S (\d+) /.exec(stat)?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const found: number[] = [];
  for (const [child] of parents) {
    for (let at = parents.get(child); at !== undefined; at = parents.get(at)) {
      if (at === pid) found.push(child);
    }
  }
  return found;
}

const ENDING_MS = 30_000;

/** Waits until each of them is gone. */
export async function allGone(pids: readonly number[]): Promise<void> {
  const until_ms = performance.now() + ENDING_MS;
  for (const pid of pids) {
    while (isAlive(pid)) {
      if (performance.now() > until_ms) throw new Error(`process ${pid} lives on: ${await statusOf(pid)}`);
      await sleep(50);
    }
  }
}

async function statusOf(pid: number): Promise<string> {
  const [command, state] = await Promise.all(
    ['cmdline', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  );
  return `${command!.replaceAll('\0', ' ')} ${state}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Longer than any test beside it holds the machine's CPU, and shorter than the test's own limit, to say why. */
const MEASURING_MS = 240_000;

/** Waits for a runner of the server, and gives all of its processes. */
export async function untilRunning(folder: string, pid: number): Promise<number[]> {
  const began_ms = performance.now();
  const runs = join(folder, '.pawl/runs');
  for (;;) {
    const below = await descendantsOf(pid);
    const open: string[] = [];
    for (const name of await readdir(runs).catch(() => [])) {
      // A run that has ended has its samples.
      const isOver = (await readdir(join(runs, name)).catch((): string[] => [])).includes('samples.json');
      const journal = isOver ? '' : await readFile(join(runs, name, 'journal.jsonl'), 'utf8').catch(() => '');
      if (journal.includes('"type":"series"') && below.length > 0) return below;
      open.push(`${name}: ${isOver ? 'over' : `${journal.split('\n').length - 1} lines`}`);
    }
    if (performance.now() - began_ms > MEASURING_MS) {
      throw new Error(`nothing is measured; runs: ${open.join(', ')}; processes: ${below.join(' ')}`);
    }
    await sleep(50);
  }
}
