import { execFile } from 'node:child_process';
import { access, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { Worktrees } from '../../src/rig/worktrees.ts';
import { fixtureProject } from '../e2e/pawl-cli.ts';

it('takes away what a killed process had checked out, and nothing of one that is alive', async () => {
  const folder = await fixtureProject(['right']);
  const git = async (...args: string[]) => {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
    return (await promisify(execFile)('git', [...who, ...args], { cwd: folder })).stdout;
  };
  await git('init', '-q', '.');
  await git('add', '.');
  await git('commit', '-qm', 'first');
  const loaded = await loadConfig(folder);
  const { signal } = new AbortController();
  const checkedOut = async (worktrees: Worktrees) => dirname((await worktrees.checkOut('HEAD')).loaded.root);
  const killed = await checkedOut(new Worktrees(loaded, signal));
  const alive = new Worktrees(loaded, signal);
  const kept = await checkedOut(alive);
  await access(killed);
  const owner = JSON.parse(await readFile(join(killed, 'owner.json'), 'utf8')) as object;
  await writeFile(join(killed, 'owner.json'), JSON.stringify({ ...owner, start_ticks: '1' }));

  const next = new Worktrees(loaded, signal);
  const own = await checkedOut(next);
  await expect(access(killed)).rejects.toMatchObject({ code: 'ENOENT' });
  await access(kept);
  await next.remove();
  await expect(access(own)).rejects.toMatchObject({ code: 'ENOENT' });
  expect((await git('worktree', 'list')).trim().split('\n')).toHaveLength(2);
  await alive.remove();
});
