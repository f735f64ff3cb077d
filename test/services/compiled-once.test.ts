import { execFile } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { filesOf } from './compiled-once.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const EMULATOR = 'test/kernels/emulator';

describe('the files that a compilation is kept by', () => {
  it.each([
    ['the runner', ['-Irunner/include', '-Irunner/src', 'test/fixtures/checks/freshen.cpp']],
    ['two sources', ['-Irunner/include', 'runner/src/device_watch.cpp', 'runner/src/wire.cpp']],
    [
      'a kernel on the emulator',
      [
        '-I',
        resolve(ROOT, 'runner/include'),
        '-I',
        EMULATOR,
        '-include',
        `${EMULATOR}/hopper-instructions.h`,
        '-x',
        'c++',
        'kernels/attention/hopper/attention.cu',
      ],
    ],
  ])('are at least those that the compiler reads of the repository: %s', async (_what, args) => {
    const { stdout } = await promisify(execFile)('g++', ['-std=c++17', '-MM', ...args], { cwd: ROOT });
    const read = stdout.split(/[\s\\]+/).filter((word) => word !== '' && !word.endsWith(':'));
    expect(read.length).toBeGreaterThan(2);
    const kept = (await filesOf(args)).map((file) => relative(ROOT, file));
    expect(kept).toEqual(expect.arrayContaining(read.map((file) => relative(ROOT, resolve(ROOT, file)))));
  });
});
