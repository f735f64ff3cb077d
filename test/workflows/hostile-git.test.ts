/** A repository into which somebody wrote settings, hooks and history while kernels ran. */
import { execFileSync } from 'node:child_process';
import { appendFile, chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { runGit } from '../../src/os/git/run-git.ts';
import { checkSeal, sealGit } from '../../src/os/git/git-seal.ts';
import { GitRepository } from '../../src/os/git/repository.ts';
import { commitAll, git, MainBranch } from '../ci/main-branch.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

async function clone(): Promise<{ readonly main: MainBranch; readonly folder: string }> {
  const main = await MainBranch.create(undefined);
  return { main, folder: await main.clone() };
}

/** A program that leaves a trace, with all that it was given. */
async function trap(): Promise<{ readonly program: string; readonly trace: () => Promise<string> }> {
  const folder = await temporaryFolder();
  const program = join(folder, 'trap');
  await writeFile(program, `#!/bin/sh\nenv >> '${folder}/trace'\nexit 1\n`);
  await chmod(program, 0o755);
  return { program, trace: () => readFile(join(folder, 'trace'), 'utf8').catch(() => '') };
}

describe('git in a repository that kernel code may have written to', () => {
  it('runs no program that its settings name for what Pawl asks', async () => {
    const { folder } = await clone();
    const { program, trace } = await trap();
    await mkdir(join(folder, 'hooks'));
    for (const hook of ['post-checkout', 'pre-push', 'reference-transaction', 'post-index-change']) {
      await symlink(program, join(folder, 'hooks', hook));
    }
    for (const [name, value] of [
      ['core.hooksPath', join(folder, 'hooks')],
      ['core.fsmonitor', program],
      ['log.showSignature', 'true'],
      ['gpg.program', program],
    ] as const) {
      await git(folder, 'config', name, value);
    }
    const tree = join(await temporaryFolder(), 'tree');
    for (const args of [
      ['status', '--porcelain'],
      ['show', '-s', '--format=%H', 'HEAD'],
      ['worktree', 'add', '--detach', tree, 'HEAD'],
    ]) {
      expect(await runGit(folder, args)).toMatchObject({ status: 'exited', code: 0 });
    }
    expect(await trace()).toBe('');
    // The trap works where nobody disarms it.
    execFileSync('git', ['-C', folder, 'status', '--porcelain']);
    expect(await trace()).toMatch(/^PATH=/m);
  });

  it('does not see tokens and keys that nobody gave to git, and sees those given', async () => {
    const { folder } = await clone();
    const env = {
      ...process.env,
      GITHUB_TOKEN: 'planted',
      PAWL_BASELINE_KEY: 'planted',
      AWS_SECRET_ACCESS_KEY: 'planted',
      GIT_AUTHOR_NAME: 'Ada',
    };
    const run = await runGit(folder, ['-c', 'alias.dump=!env', 'dump'], {
      env,
      more: { GIT_LOGIN: 'given' },
    });
    if (run.status !== 'exited') throw new Error(run.status);
    expect(run.stdout).not.toMatch(/planted/);
    expect(run.stdout).toMatch(/^GIT_AUTHOR_NAME=Ada$/m);
    expect(run.stdout).toMatch(/^GIT_LOGIN=given$/m);
  });

  it('speaks no protocol that is a command line', async () => {
    const { folder } = await clone();
    const { program, trace } = await trap();
    await git(folder, 'config', 'protocol.ext.allow', 'always');
    expect(await runGit(folder, ['ls-remote', `ext::${program}`])).toMatchObject({
      code: 128,
      stderr: expect.stringContaining("'ext' not allowed"),
    });
    expect(await trace()).toBe('');
  });
});

describe('a clone that is to be given a token', () => {
  it.each([
    ['core.sshCommand', 'sh -c evil'],
    ['core.askPass', '/tmp/evil'],
    ['core.gitProxy', '/tmp/evil'],
    ['credential.helper', '!evil'],
    ['credential.https://github.com.helper', '!evil'],
    ['http.proxy', 'http://evil:8080'],
    ['http.https://github.com/.sslVerify', 'false'],
    ['http.sslCAInfo', '/tmp/evil.pem'],
    ['url.https://evil/.insteadOf', 'https://github.com/'],
    ['remote.origin.pushurl', 'https://evil/'],
    ['remote.origin.receivepack', 'evil'],
    ['include.path', '/tmp/evil'],
    ['includeIf.gitdir:/.path', '/tmp/evil'],
  ])('is refused where it sets %s', async (name, value) => {
    const { folder } = await clone();
    await git(folder, 'config', name, value);
    const opened = GitRepository.open(folder, { credentials: { host: 'https://github.com', token: 't' } });
    await expect(opened).rejects.toMatchObject({
      kind: 'permission',
      message: expect.stringMatching(new RegExp(name.split('.')[0]!, 'i')),
      hint: expect.stringContaining('fresh checkout'),
    });
  });

  it('is refused for a setting of the work tree alone', async () => {
    const { folder } = await clone();
    await git(folder, 'config', 'extensions.worktreeConfig', 'true');
    await git(folder, 'config', '--worktree', 'core.sshCommand', 'evil');
    await expect(GitRepository.open(folder)).rejects.toMatchObject({ kind: 'permission' });
  });

  it('is taken as actions/checkout makes it, whatever the machine has for settings of its own', async () => {
    const { main, folder } = await clone();
    for (const [name, value] of [
      ['http.https://github.com/.extraheader', 'AUTHORIZATION: basic x'],
      ['gc.auto', '0'],
      ['branch.main.remote', 'origin'],
      ['filter.lfs.smudge', 'git-lfs smudge -- %f'],
      ['user.name', 'Ada'],
    ] as const) {
      await git(folder, 'config', name, value);
    }
    const home = await temporaryFolder();
    await writeFile(
      join(home, '.gitconfig'),
      `[url "/nowhere/"]\n  insteadOf = ${main.folder}/\n[commit]\n  gpgSign = true\n`,
    );
    const env = { ...process.env, HOME: home };
    const repository = await GitRepository.open(folder, { env });
    expect(await repository.fetchTip('origin', 'main')).toBe(await git(folder, 'rev-parse', 'HEAD'));
  });

  it('shows the history that was pushed, not one that was put in its place', async () => {
    const { folder } = await clone();
    const first = await git(folder, 'rev-parse', 'HEAD');
    await writeFile(join(folder, 'README.md'), 'forged\n');
    await commitAll(folder, 'forged');
    await git(folder, 'replace', first, 'HEAD');
    await git(folder, 'checkout', '-q', '--detach', first);
    expect(execFileSync('git', ['-C', folder, 'show', `${first}:README.md`], { encoding: 'utf8' })).toBe(
      'forged\n',
    );
    expect(await (await GitRepository.open(folder)).textAt(first, 'README.md')).toBe('kernels\n');
  });
});

describe('the seal on a repository', () => {
  it.each<[string, (folder: string) => Promise<unknown>, string]>([
    [
      'a setting',
      (folder) => git(folder, 'config', 'core.sshCommand', 'evil'),
      '.git/config changed while kernels ran',
    ],
    [
      'a line with the same meaning',
      (folder) => appendFile(join(folder, '.git/config'), '# x\n'),
      '.git/config',
    ],
    ['a hook', (folder) => writeFile(join(folder, '.git/hooks/pre-push'), 'evil'), '.git/hooks/pre-push'],
    [
      'attributes',
      (folder) => writeFile(join(folder, '.git/info/attributes'), '* filter=x'),
      'info/attributes',
    ],
    [
      'other objects',
      async (folder) => writeFile(join(folder, '.git/objects/info/alternates'), '/tmp/objects'),
      'alternates',
    ],
    [
      'replaced history',
      async (folder) =>
        git(folder, 'update-ref', `refs/replace/${await git(folder, 'rev-parse', 'HEAD')}`, 'HEAD'),
      'refs/replace',
    ],
    [
      'a link in the place of the same file',
      async (folder) => {
        const text = await readFile(join(folder, '.git/config'));
        await writeFile(join(folder, 'copy'), text);
        await rm(join(folder, '.git/config'));
        await symlink(join(folder, 'copy'), join(folder, '.git/config'));
      },
      '.git/config',
    ],
  ])('breaks with %s', async (_, change, named) => {
    const { folder } = await clone();
    const seal = await sealGit(join(folder, 'perf'));
    await change(folder);
    await expect(checkSeal(seal)).rejects.toMatchObject({
      kind: 'permission',
      message: expect.stringContaining(named),
      hint: expect.stringContaining('check out the repository again'),
    });
  });

  it('holds through what Pawl and people do meanwhile, and without a repository', async () => {
    const { folder } = await clone();
    const seal = await sealGit(folder);
    const tree = join(await temporaryFolder(), 'tree');
    await git(folder, 'worktree', 'add', '-q', '--detach', tree, 'HEAD');
    await writeFile(join(folder, 'README.md'), 'more\n');
    await commitAll(folder, 'more');
    await git(folder, 'worktree', 'remove', '--force', tree);
    await expect(checkSeal(seal)).resolves.toBeUndefined();
    expect(await sealGit(await temporaryFolder())).toBeUndefined();
    await expect(checkSeal(undefined)).resolves.toBeUndefined();
  });
});
