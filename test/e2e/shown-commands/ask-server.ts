import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { environmentOf, type Place } from './run-shown.ts';

interface Answered {
  /** After it was told to stop. */
  readonly code: number | null;
  readonly text: string;
}

/** Starts a server, asks it for a page at the address that it prints, and stops it. */
export async function askServer(
  command: string,
  page: string,
  place: Place,
): Promise<Answered & { readonly status: number }> {
  const server = start(command, place);
  const address = await server.until(/https?:\/\/[\w.]+:\d+/u);
  const { status } = await fetch(new URL(page, address));
  // The shell has become the server, or waits for it and hands its code on.
  process.kill(-server.child.pid!, 'SIGTERM');
  return { status, code: await server.ended, text: server.text() };
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** Starts a server as an assistant does, greets it, and hangs up. */
export async function greetServer(command: string, place: Place): Promise<Answered> {
  const server = start(command, place);
  server.child.stdin!.write(`${JSON.stringify(INITIALIZE)}\n`);
  await server.until(/"serverInfo"/u);
  server.child.stdin!.end();
  return { code: await server.ended, text: server.text() };
}

function start(command: string, place: Place) {
  const child: ChildProcess = spawn('bash', ['-c', command], {
    cwd: place.folder,
    env: environmentOf(place),
    detached: true,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const until = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [found] = pattern.exec(text) ?? [];
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}: ${text}`);
      await sleep(20);
    }
  };
  return { child, ended, until, text: () => text };
}

/** Whether the port that a command has by default is nobody's. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
