import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { RawClient } from '../contract/raw-client.ts';
import { openRequest, prepareRequest, sampleRequest, tensor } from '../contract/runner-conformance.ts';
import { judgesForPython } from './judges-for-python.ts';

const COUNTED = join(import.meta.dirname, '../fixtures/python-kernels/counted.py');
const named = (name: string) => ({ module: COUNTED, function: name });
const rules = { oracle: named('compact'), atol: 1e-6, rtol: 0 };
const check = { op: 'check', ...rules, seed: '5', blind: true } as const;

const start = judgesForPython();

async function compacting(kernel: string, high = 1): Promise<RawClient> {
  const client = start();
  await client.result(openRequest(client, named(kernel)));
  await client.result(
    prepareRequest({ N: 400 }, [
      tensor('x', 'input', [400], { fill: { kind: 'uniform', low: 0, high } }),
      { ...tensor('rows', 'output', [400]), counted_by: 'count' },
      tensor('count', 'output', [1], { dtype: 'i64' }),
    ]),
  );
  return client;
}

test.each(['compact', 'compact_padded'])('%s is right, in a check and in timed calls', async (kernel) => {
  const client = await compacting(kernel);
  const { tensors, ...result } = await client.result(check);
  expect(result).toMatchObject({ passed: true, tampering: [], blind: [] });
  expect(tensors).toMatchObject([
    { name: 'rows', mismatches: 0 },
    { name: 'count', mismatches: 0 },
  ]);
  expect(tensors[0]?.elements).toBeLessThan(300);
  for (const mode of ['cold', 'hot'] as const)
    expect(await client.result({ ...sampleRequest(mode, 8), verify: rules })).toMatchObject({
      tampering: [],
    });
});

test('no rows at all are right where there are none', async () => {
  const client = await compacting('compact', 0.4);
  expect(await client.result(check)).toMatchObject({ passed: true, tensors: [{ name: 'count' }] });
});

test.each([
  ['compact_one_too_few', 'count'],
  ['compact_wrong_count', 'count'],
  ['compact_other_values', 'rows'],
  ['compact_unwritten', 'rows'],
])('%s is wrong in %s', async (kernel, output) => {
  const client = await compacting(kernel);
  const { passed, tampering } = await client.result(check);
  expect(passed).toBe(false);
  expect(tampering).toContainEqual(expect.objectContaining({ detector: 'wrong-result', tensor: output }));
});

test('more rows than declared are the fault of who returns or counts them', async () => {
  const long = await compacting('compact_too_long');
  await expect(long.result(check)).rejects.toThrow(
    /kernel-failed: .*rows as f32\[800\]; f32\[400\] is declared/,
  );
  const client = await compacting('compact');
  await expect(client.result({ ...check, oracle: named('count_too_many') })).rejects.toThrow(
    /load-failed: .* counts 401 rows of 'rows', which has 400 at most/,
  );
});
