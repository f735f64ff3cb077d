import { access, readdir, readFile } from 'node:fs/promises';

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { buildAll } from '../../src/build/build-all.ts';
import { findSandbox } from '../../src/build/find-sandbox.ts';
import { buildRunners, sandboxJob } from '../../src/build/runner-recipes.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import type { Progress } from '../../src/model/measure/progress.ts';
import { ADD_FILES, Project, built, plainEnv } from './project.ts';

let project: Project;
let sandbox: string;

beforeAll(async () => {
  const [outcome] = await buildRunners([sandboxJob()]);
  sandbox = built(outcome).artifact;
});
beforeEach(async () => {
  project = await Project.create(ADD_FILES);
});
afterEach(() => project.remove());

async function build(env: NodeJS.ProcessEnv, confined: boolean) {
  const place = confined ? { sandbox } : {};
  const [outcome] = await buildAll([project.job()], { root: project.root, env: plainEnv(env), ...place });
  return outcome;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

describe('a build in the sandbox', () => {
  it('has the key and the library that it has outside', async () => {
    const inside = built(await build({ PAWL_CACHE_DIR: project.path('one') }, true));
    const outside = built(await build({ PAWL_CACHE_DIR: project.path('two') }, false));
    expect(inside).toMatchObject({ key: outside.key, sha256: outside.sha256, commands: expect.any(Array) });
    expect(JSON.stringify(inside.commands)).not.toContain('pawl-sandbox');
  });

  it.each([
    ['lets the compiler write into its own folder only', true],
    ['does not, where there is none', false],
  ])('%s', async (_, confined) => {
    // Not when it is asked for its version: then it reads nothing foreign.
    const touch = `case "$*" in *" -c "*) touch ${project.path('evil')} 2>/dev/null;; esac`;
    const CXX = await project.script('bin/cxx', `${touch}\nexec g++ "$@"`);
    built(await build({ CXX }, confined));
    expect(await exists(project.path('evil'))).toBe(!confined);
  });

  it('gives the compiler no token', async () => {
    const CXX = await project.script('bin/cxx', 'echo "token <$GITHUB_TOKEN>" >&2\nexec g++ "$@"');
    const { log } = built(await build({ CXX, GITHUB_TOKEN: 'secret' }, true));
    expect(log).toContain('token <>');
    expect(log).not.toContain('secret');
  });

  it('quotes no private file in an error message', async () => {
    await project.write('home/.ssh/id_rsa', 'BEGIN PRIVATE KEY');
    await project.write('kernels/add.cpp', `#include "${project.path('home/.ssh/id_rsa')}"\n`);
    const inside = await build({ HOME: project.path('home') }, true);
    const outside = await build({ HOME: project.path('home') }, false);
    expect(inside).toMatchObject({ status: 'failed', reason: 'compile-error' });
    expect(JSON.stringify(inside)).not.toContain('PRIVATE KEY');
    expect(JSON.stringify(outside)).toContain('PRIVATE KEY');
  });

  it('lets ccache write where it keeps its results', async () => {
    const folder = project.path('ccache-results');
    await project.script(
      'bin/ccache',
      `if [ "$1" = --get-config ]; then echo ${folder}; exit; fi\necho kept > ${folder}/result\nexec "$@"`,
    );
    const PATH = `${project.path('bin')}:${process.env.PATH}`;
    expect(built(await build({ PATH, PAWL_CCACHE: '1' }, true)).ccache).toBe(true);
    expect(await readFile(`${folder}/result`, 'utf8')).toBe('kept\n');
  });

  it('leaves nothing running when it is cancelled', async () => {
    const mark = `pawl-slow-compiler-${process.pid}`;
    const CXX = await project.script(
      'bin/cxx',
      `[ "$1" = --version ] && exec g++ --version\nsetsid sh -c 'sleep 1000; : ${mark}' &\nsleep 1000`,
    );
    const aborter = new AbortController();
    const { signal } = aborter;
    const onProgress = (progress: Progress) => {
      if (progress.type === 'step' && progress.detail === 'compiling') setTimeout(() => aborter.abort(), 500);
    };
    const options = { root: project.root, env: plainEnv({ CXX }), sandbox, signal, onProgress };
    const [outcome] = await buildAll([project.job()], options);
    expect(outcome).toMatchObject({ status: 'failed', reason: 'cancelled' });
    await expect.poll(() => commandsWith(mark)).toEqual([]);
  });
});

describe('findSandbox', () => {
  it('finds the program and what this machine offers', async () => {
    const found = await findSandbox({ env: plainEnv({ PAWL_SANDBOX: 'auto' }) });
    expect(found.program).toMatch(/\/pawl-sandbox$/);
    expect(found.protections).toContain('no-new-privs');
  });

  it('has none where it is switched off', async () => {
    expect(await findSandbox({ env: plainEnv({ PAWL_SANDBOX: 'off' }) })).toEqual({
      program: undefined,
      protections: [],
    });
  });

  it('says why there is none, and goes on; unless one is demanded', async () => {
    const notes: Progress[] = [];
    const env = plainEnv({ CXX: '/nowhere/c++', PAWL_CACHE_DIR: project.path('cache') });
    const found = await findSandbox({ env, onProgress: (progress) => notes.push(progress) });
    expect(found.program).toBeUndefined();
    expect(notes).toMatchObject([{ type: 'note', text: expect.stringMatching(/without a sandbox: .*CXX/) }]);
    const refused = findSandbox({ env: { ...env, PAWL_SANDBOX: 'require' } });
    await expect(refused).rejects.toThrow(PawlError);
    await expect(refused).rejects.toThrow(/require: .* lacks .*landlock, seccomp/);
  });
});

async function commandsWith(mark: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.includes(mark));
}
