import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, describe, expect, it } from 'vitest';

import { fixtureProject, pawl, startPawl } from './pawl-cli.ts';

const BENCH = ['bench', '--wait', '300', '--processes', '1', '--samples', '10', '--mode', 'hot'];

/** The processes that the kernel has left and that live, by the name it gives them. */
async function leftOvers(): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map(async (pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  );
  return stats.filter((stat) => / \(pawl-left-over\) [^ZX]/.test(stat));
}

describe('a kernel that forks, leaves its session and keeps the pipes open', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await fixtureProject(['forks-away']);
    expect((await pawl(folder, 'build')).code).toBe(0);
  });

  it('does not keep a bench from ending, and nothing of it lives on', async () => {
    const run = await pawl(folder, ...BENCH, '--timeout', '2', '--no-check');
    expect(run.stdout + run.stderr).toMatch(/forks-away/);
    await expect.poll(leftOvers).toEqual([]);
  });

  it('does not keep Ctrl-C from working', async () => {
    // Far longer than the test may take: only the signal can end it.
    const bench = startPawl(folder, ...BENCH, '--timeout', '3000', '--no-check');
    while ((await leftOvers()).length === 0) await sleep(50);
    bench.kill('SIGINT');
    await once(bench, 'close');
    await expect.poll(leftOvers).toEqual([]);
  });
});
