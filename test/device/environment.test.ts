import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { changedFiles, gitState, hostEnvironment } from '../../src/device/environment.ts';
import { environmentSchema } from '../../src/model/measure/samples.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('the fingerprint of a host holds no empty value and fits its schema', async () => {
  const environment = await hostEnvironment();
  expect(environmentSchema.strict().parse(environment)).toEqual(environment);
  expect(environment).toMatchObject({ host: hostname(), node: process.versions.node });
  expect(environment.pawl).toMatch(/^\d+\.\d+\.\d+/);
  for (const value of Object.values(environment)) expect(value).toMatch(/\S/);
});

test('compilers that are not there are absent from the fingerprint', async () => {
  const env = {
    PATH: '/nonexistent',
    CXX: 'no-such-compiler',
    NVCC: 'no-such-nvcc',
    PAWL_PYTHON: 'no-such-python',
  };
  const environment = await hostEnvironment({ env });
  expect(environment).not.toHaveProperty('cxx');
  expect(environment).not.toHaveProperty('nvcc');
  expect(environment).not.toHaveProperty('python');
});

test('a compiler variable with a leading ccache and flags still names the compiler', async () => {
  const environment = await hostEnvironment({ env: { ...process.env, CXX: 'ccache g++ -m64' } });
  expect(environment.cxx).toMatch(/g\+\+/);
});

let root = '';
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
beforeEach(async () => {
  root = await temporaryFolder();
});

test('a folder outside a repository, and a repository without a commit, are at no commit', async () => {
  expect(await gitState(root)).toBeUndefined();
  git('init', '--quiet');
  expect(await gitState(root)).toBeUndefined();
  expect(await gitState(root, { env: { PATH: '/nonexistent' } })).toBeUndefined();
});

test('a clean work tree is at its commit, and a changed or new file makes it dirty', async () => {
  git('init', '--quiet');
  await writeFile(join(root, 'kernel.cpp'), 'int a;\n');
  await writeFile(join(root, '.gitignore'), 'ignored\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  const commit = git('rev-parse', 'HEAD');
  await writeFile(join(root, 'ignored'), '');
  // What Pawl writes itself.
  for (const name of ['tuning', 'lessons.yaml', 'pawl-baseline.json']) await writeFile(join(root, name), '');
  expect(await gitState(root)).toEqual({ commit, dirty: false });
  await writeFile(join(root, 'kernel.cpp'), 'int b;\n');
  expect(await gitState(root)).toEqual({ commit, dirty: true });
  git('checkout', '--quiet', '.');
  await writeFile(join(root, 'new.cpp'), '');
  expect(await gitState(root)).toEqual({ commit, dirty: true });
  expect(await changedFiles(root)).toEqual(['new.cpp']);
});
