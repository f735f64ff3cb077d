import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

describe('the program that holds a GPU against the CPU', () => {
  it('compiles; check-cuda-comparison.sh runs it where there is a GPU', async () => {
    const words = [
      '-std=c++17',
      '-fsyntax-only',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-Irunner/include',
      '-Irunner/src',
    ];
    const compiled = promisify(execFile)('g++', [...words, 'test/runner/check-cuda-comparison.cpp']);
    await expect(compiled).resolves.toMatchObject({ stderr: '' });
  }, 60_000);
});
