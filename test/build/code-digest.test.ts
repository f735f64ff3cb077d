import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

import { codeDigest } from '../../src/build/code-digest.ts';
import { findCompiler } from '../../src/build/find-compiler.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';

const run = promisify(execFile);

async function library(source: string, file: string, command: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-digest-'));
  await writeFile(join(folder, file), source);
  const [program = '', ...args] = command;
  await run(program, [...args, '-o', 'kernel.so', file], { cwd: folder });
  return readFile(join(folder, 'kernel.so'));
}

const CPU = ['g++', '-g', '-O3', '-fPIC', '-shared'];
const SCALE = 'extern "C" void run(float *x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2.5f; }\n';
const cpu = async (source: string): Promise<Buffer> => library(source, 'kernel.cpp', CPU);

describe('the digest of the code of a C++ library', () => {
  it('is the same where lines moved, and the files are not', async () => {
    const [plain, moved] = [await cpu(SCALE), await cpu(`// why\n\n${SCALE}`)];
    expect(moved.equals(plain)).toBe(false);
    expect(codeDigest(moved)).toBe(codeDigest(plain));
    expect(codeDigest(plain)).toMatch(/^[0-9a-f]{64}$/u);
  });

  it.each([
    ['a constant', SCALE.replace('2.5f', '2.25f')],
    ['a name', SCALE.replace('run', 'ran')],
    ['data that nothing here reads', `${SCALE}extern "C" { int knob = 3; }\n`],
    ['memory without contents', `${SCALE}extern "C" { float room[100]; }\n`],
  ])('is another where %s changed', async (_what, changed) => {
    expect(codeDigest(await cpu(changed))).not.toBe(codeDigest(await cpu(SCALE)));
  });

  it('is nothing for what is not a library, and never raises, whatever the bytes are', async () => {
    expect(codeDigest(Buffer.alloc(0))).toBeUndefined();
    expect(codeDigest(Buffer.from('#!/bin/sh\n'.repeat(20)))).toBeUndefined();
    const whole = await cpu(SCALE);
    const random = new Xoshiro128(3);
    const below = (n: number): number => Math.floor(random.nextOpen() * n);
    for (let round = 0; round < 500; round += 1) {
      const broken = Buffer.from(whole.subarray(0, round % 5 === 0 ? below(whole.length) : whole.length));
      for (let change = 0; change < 8 && broken.length > 0; change += 1)
        broken[round % 2 === 0 ? below(Math.min(64, broken.length)) : below(broken.length)] = below(256);
      expect(() => codeDigest(broken)).not.toThrow();
    }
  });
});

const nvcc = await findCompiler('cuda', process.env);

describe.skipIf(nvcc.status === 'missing')(
  'the digest of a CUDA library (skipped where there is no nvcc)',
  () => {
    const CUDA = [
      'nvcc',
      '-O3',
      '-lineinfo',
      '-Xcompiler',
      '-fPIC',
      '-gencode',
      'arch=compute_90,code=sm_90',
      '--shared',
    ];
    const KERNEL = `__global__ void k(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * 2.5f + 1.0f;
}
extern "C" void run(float *x, int n) { k<<<(n + 255) / 256, 256>>>(x, n); }
`;
    const cuda = async (source: string): Promise<string | undefined> =>
      codeDigest(await library(source, 'kernel.cu', CUDA));

    it(
      'leaves out which line an instruction is from, and nothing that is run',
      { timeout: 120_000 },
      async () => {
        const plain = await cuda(KERNEL);
        expect(plain).toBeDefined();
        expect(await cuda(KERNEL.replace('  if', '\n\n  // in range\n  if'))).toBe(plain);
        expect(await cuda(KERNEL.replace('2.5f', '2.25f'))).not.toBe(plain);
        // The launch configuration is host code.
        expect(await cuda(KERNEL.replace(', 256>>>', ', 128>>>'))).not.toBe(plain);
        expect(
          await cuda(KERNEL.replace('__global__ void', '__global__ void __launch_bounds__(64)')),
        ).not.toBe(plain);
      },
    );
  },
);
