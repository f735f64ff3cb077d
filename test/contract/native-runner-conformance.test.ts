import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

import { DTYPES, type Dtype } from '../../src/model/problem/tensor.ts';
import { builtRunner, compilePlain } from '../runner/native-build.ts';
import { describeRunner } from './runner-conformance.ts';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURES = join(ROOT, 'test/fixtures/conformance');
const KERNELS = [
  'axpy',
  'shifted',
  'total',
  'rowsum',
  'wrong',
  'misplaced_nan',
  'unwritten',
  'out_of_bounds',
  'input_changed',
  'nondeterministic',
  'reads_beyond',
  'cached_by_address',
  'failing',
  'slow',
  'forging',
  'copy',
];
const ORACLES = ['axpy_oracle', 'shifted_oracle', 'total_oracle', 'rowsum_oracle', 'copy_oracle'];

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

describeRunner('native', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-conformance-'));
  folders.push(folder);
  const built = (name: string) => join(folder, name);
  const library = (source: string, macro: string, name: string) =>
    compilePlain(['-shared', '-fPIC', `-D${macro}=${name}`, join(FIXTURES, source)], built(`${name}.so`));
  const runner = await builtRunner();
  await Promise.all(ORACLES.map((name) => library('oracles.cpp', 'ORACLE', name)));
  await Promise.all(KERNELS.map((name) => library('kernels.cpp', 'KERNEL', name)));
  return {
    runner: { command: runner, args: [] },
    identity: 'native',
    dtypes: Object.keys(DTYPES) as Dtype[],
    kernel: (name) => ({ library: built(`${name}.so`) }),
    oracle: (name) => ({ library: built(`${name}.so`) }),
    unloadable: {
      'no such file': { library: built('absent.so') },
      'not a library': { library: join(FIXTURES, 'kernels.cpp') },
    },
  };
});
