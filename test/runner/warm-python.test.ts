import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Code } from '../../src/model/measure/protocol.ts';
import { RawClient, type RunnerCommand } from '../contract/raw-client.ts';
import { openRequest, rowsum } from '../contract/runner-conformance.ts';
import { builtForPython } from './native-build.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const ORACLE: Code = { module: join(FIXTURES, 'conformance/kernels.py'), function: 'rowsum_oracle' };
const TELLS: Code = { module: join(FIXTURES, 'python-kernels/tells_itself.py'), function: 'rowsum' };
const CHECK = { op: 'check', oracle: ORACLE, atol: 1e-4, rtol: 1e-4, seed: '5' } as const;

let runner: RunnerCommand;
beforeAll(async () => {
  runner = await builtForPython();
}, 600_000);

let client: RawClient;
afterEach(() => client.kill());

/** Opens a kernel, checks it and ends its process; what it printed of itself. */
async function candidate(warm: boolean) {
  const before = client.printed.length;
  const opened = await client.result({ ...openRequest(client, TELLS), warm });
  await client.result(rowsum(3, 4));
  expect((await client.result(CHECK)).passed).toBe(true);
  await client.result({ op: 'close' });
  expect(existsSync(`/proc/${opened.pid}`)).toBe(false);
  const printed = client.printed.slice(before);
  const told = JSON.parse(/^told (.*)$/mu.exec(printed)?.[1] ?? '{}') as Record<string, unknown>;
  return { opened, told, random: /^random (.*)$/mu.exec(printed)?.[1] };
}

async function childrenOf(pid: number): Promise<number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  const parents = await Promise.all(
    all.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      return { pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]) };
    }),
  );
  return parents.filter(({ parent }) => parent === pid).map((one) => one.pid);
}

describe('a Python process that is copied', () => {
  test('a copy is confined like a process of its own, and looks like one', async () => {
    client = new RawClient(runner);
    const alone = await candidate(false);
    expect(alone.told).toMatchObject({ warm: false });
    const copy = await candidate(true);
    expect(copy.told).toMatchObject({ warm: true });
    expect(copy.opened.protections).toEqual(alone.opened.protections);
    const { warm: _, home: one, ...expected } = alone.told;
    const { warm: __, home: other, ...found } = copy.told;
    expect(found).toEqual(expected);
    expect(other).not.toBe(one);
    expect(copy.opened.versions).toEqual(alone.opened.versions);
  });

  test('the first one of a judge is a copy where its file says what it imports', async () => {
    client = new RawClient(runner);
    expect((await candidate(true)).told).toMatchObject({ warm: true });
  });

  test('copies draw different random numbers', async () => {
    client = new RawClient(runner);
    await candidate(true);
    const [first, second] = [await candidate(true), await candidate(true)];
    expect(first.random).toBeDefined();
    expect(first.random).not.toBe(second.random);
  });

  test('where time is measured, every process is started by itself', async () => {
    client = new RawClient(runner);
    await candidate(false);
    expect((await candidate(false)).told).toMatchObject({ warm: false });
  });

  test('when the judge is killed, nothing of it is left', async () => {
    client = new RawClient(runner);
    await candidate(true);
    const opened = await client.result({ ...openRequest(client, TELLS), warm: true });
    const children = await childrenOf(client.pid!);
    expect(children.length).toBeGreaterThan(0);
    expect(existsSync(`/proc/${opened.pid}`)).toBe(true);
    process.kill(client.pid!, 'SIGKILL');
    await expect
      .poll(() => [opened.pid, ...children].filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 10_000 })
      .toEqual([]);
  });
});
