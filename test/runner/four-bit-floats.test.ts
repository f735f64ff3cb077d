import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { TensorSpec } from '../../src/model/problem/tensor.ts';
import type { RawClient } from '../contract/raw-client.ts';
import { openRequest, prepareRequest, sampleRequest, tensor } from '../contract/runner-conformance.ts';
import { hasTorch } from '../services/has-torch.ts';
import { judgesForPython } from './judges-for-python.ts';
import { compile } from './native-build.ts';

/** OCP Microscaling Formats 1.0, table 5. */
const POSITIVE = [0, 0.5, 1, 1.5, 2, 3, 4, 6];
const NUMBERS = ['0.25', '0.26', '0.75', '1.25', '1.75', '2.5', '3.5', '5', '5.1', '7', '1e9', '-1e9'];
const ENCODED = [0, 1, 2, 2, 4, 4, 6, 6, 7, 7, 7, 15];

const MODULE = join(import.meta.dirname, '../fixtures/python-kernels/four_bit.py');
const named = (name: string) => ({ module: MODULE, function: name });

let folder: string;
const start = judgesForPython();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-four-bit-'));
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('f4e2m1', () => {
  it('has its numbers in both halves of a byte, rounds to nearest and stops at the largest', async () => {
    const program = await compile(['test/fixtures/elements/four-bit.cpp'], join(folder, 'four-bit'));
    const lines = (await promisify(execFile)(program, NUMBERS)).stdout.trim().split('\n');
    for (const [code, line] of lines.slice(0, 16).entries()) {
      const [low, high, byte, again] = line.split(' ').map(Number);
      const value = (of: number) => (of < 8 ? POSITIVE[of]! : -POSITIVE[of - 8]!);
      expect([code, low, high, again]).toEqual([code, value(code), value(15 - code), byte]);
    }
    expect(lines.slice(16).map(Number)).toEqual(ENCODED);
  }, 60_000);
});

async function opened(kernel: string, tensors: readonly TensorSpec[], more: object = {}): Promise<RawClient> {
  const client = start();
  await client.result(openRequest(client, named(kernel)));
  await client.result({ ...prepareRequest({ N: 32, K: 64 }, tensors), ...more });
  return client;
}

/** y = x·w, w in 4 bits with a scale for each block of 16. */
const product = (more: Partial<TensorSpec> = {}) => [
  tensor('x', 'input', [64]),
  tensor('w', 'input', [32, 64], { dtype: 'f4e2m1', ...more }),
  tensor('scales', 'input', [32, 4], {
    dtype: 'f8e4m3',
    fill: { kind: 'uniform', low: 0.5, high: 2 },
  }),
  tensor('y', 'output', [32]),
];
const rules = { oracle: named('product_oracle'), atol: 1e-3, rtol: 1e-3 };

describe('tensors of 4 bits', { timeout: 120_000 }, () => {
  it('are bytes of two for kernels, and numbers for oracles', async () => {
    const client = await opened('product', product());
    const check = { op: 'check', ...rules, seed: '5', blind: true } as const;
    expect(await client.result(check)).toMatchObject({ passed: true, tampering: [], blind: [] });
    const swapped = await opened('product_swapped', product());
    expect(await swapped.result(check)).toMatchObject({ passed: false });
  });

  it('change from call to call, and what was timed is computed again from them', async () => {
    const client = await opened('product', product());
    for (const mode of ['cold', 'hot'] as const)
      expect(await client.result({ ...sampleRequest(mode, 12), verify: rules })).toMatchObject({
        tampering: [],
        verified: { tensors: [{ mismatches: 0 }] },
      });
  });

  it('are made as bytes by a generator', async () => {
    const client = await opened('product', product(), { generator: named('make_packed') });
    expect(await client.result({ op: 'check', ...rules, seed: '5' })).toMatchObject({ passed: true });
  });

  /** q = x rounded to 4 bits. */
  const quantising = [
    tensor('x', 'input', [32, 64], { fill: { kind: 'normal', mean: 0, std: 2.5 } }),
    tensor('q', 'output', [32, 64], { dtype: 'f4e2m1' }),
  ];
  const quantised = { oracle: named('quantise_oracle'), atol: 0.3, rtol: 0.2 } as const;

  it('are outputs: numbers beyond the largest are right as the largest', async () => {
    const client = await opened('quantise', quantising);
    const result = await client.result({ op: 'check', ...quantised, seed: '5', blind: true });
    expect(result).toMatchObject({ passed: true, tampering: [], blind: [] });
    // Half of the largest step.
    expect(result.tensors[0]?.max_abs_err).toBeLessThanOrEqual(1);
    expect(result.tensors[0]).toMatchObject({ elements: 2048, spread: { exact: 2048 } });
  });

  it.each([
    ['quantise_swapped', /of 2048 elements of 'q' differ/],
    ['quantise_zeros', /of 2048 elements of 'q' differ/],
    ['quantise_half', /of 1024 bytes of 'q' were not written/],
  ])('%s is wrong', async (kernel, message) => {
    const client = await opened(kernel, quantising);
    const { passed, tampering } = await client.result({ op: 'check', ...quantised, seed: '5' });
    expect(passed).toBe(false);
    expect(JSON.stringify(tampering)).toMatch(message);
  });

  it.skipIf(!hasTorch)('are bytes of two for PyTorch, too', async () => {
    const module = join(import.meta.dirname, '../fixtures/python-kernels/four_bit_torch.py');
    const client = start();
    await client.result(openRequest(client, { module, function: 'copy' }));
    const tensors = [
      tensor('x', 'input', [32, 64], { dtype: 'f4e2m1' }),
      tensor('y', 'output', [32, 64], { dtype: 'f4e2m1' }),
    ];
    await client.result(prepareRequest({}, tensors));
    const oracle = { module, function: 'copy_oracle' };
    const result = await client.result({ op: 'check', oracle, atol: 0, rtol: 0, seed: '5' });
    expect(result).toMatchObject({ passed: true, tampering: [] });
  });

  it.each([
    [{ shape: [32, 63] }, /its last axis must be even/],
    [{ strides: [64, 1] }, /it cannot be a view/],
    [
      { fill: { kind: 'nonfinite' as const, values: ['nan' as const], share: 0.1 } },
      /has nothing but numbers/,
    ],
  ])('are refused as %j', async (more, message) => {
    await expect(opened('product', product(more))).rejects.toThrow(message);
  });
});
