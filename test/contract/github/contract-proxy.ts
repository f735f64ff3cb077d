/** `@stoplight/prism-cli` in front of the stand-in: what does not fit GitHub's description is an error. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

import { SLICE } from './answers.ts';
import type { StandIn } from './stand-in.ts';

export interface ContractProxy {
  readonly url: string;
  /** What did not fit the description since the last time that this was asked, request or answer. */
  violations(): string[];
  close(): Promise<void>;
}

/** Two cores, and other tests on them: Prism takes seconds to read the description. */
const START_MS = 120_000;
/** A path that the description does not have: Prism refuses it itself, and the stand-in is not asked. */
const PROBE = '/is-it-there';
const VIOLATION = /violation|terminated with error/iu;

export async function startContractProxy(
  standIn: Pick<StandIn, 'url' | 'publicUrl'>,
  description: string = SLICE,
): Promise<ContractProxy> {
  const require = createRequire(import.meta.url);
  const prism = join(dirname(require.resolve('@stoplight/prism-cli/package.json')), 'dist/index.js');
  const port = await freePort();
  const args = [prism, 'proxy', '--errors', '-m', 'false', '-h', '127.0.0.1', '-p', String(port)];
  const child = spawn(process.execPath, [...args, description, standIn.url], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  }
  const url = `http://127.0.0.1:${port}`;
  const until = Date.now() + START_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`Prism did not start:\n${log}`);
    await sleep(100);
  }
  log = '';
  standIn.publicUrl = url;
  return {
    url,
    violations: () => {
      const lines = stripVTControlCharacters(log).split('\n');
      log = '';
      return lines.filter((line) => VIOLATION.test(line) && !line.includes(PROBE));
    },
    close: async () => {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(`${url}${PROBE}`);
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
