import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { RawClient } from '../contract/raw-client.ts';
import { openRequest, prepareRequest, sampleRequest, tensor } from '../contract/runner-conformance.ts';
import { hasTorch } from '../services/has-torch.ts';
import { judgesForPython } from './judges-for-python.ts';

const MODULE = join(import.meta.dirname, '../fixtures/python-kernels/complex_numbers.py');
const IN_TORCH = join(import.meta.dirname, '../fixtures/python-kernels/complex_torch.py');
const oracle = { module: MODULE, function: 'product' };

const start = judgesForPython();

async function prepared(name: string, dtype: 'c64' | 'c128' = 'c64', module = MODULE): Promise<RawClient> {
  const client = start();
  await client.result(openRequest(client, { module, function: name }));
  const tensors = [
    tensor('x', 'input', [4, 25], { dtype }),
    tensor('w', 'input', [4, 25], { dtype }),
    tensor('y', 'output', [4, 25], { dtype }),
  ];
  await client.result(prepareRequest({}, tensors));
  await client.result({ op: 'oracle', oracle });
  return client;
}

const check = (client: RawClient, atol = 1e-5) =>
  client.result({ op: 'check', oracle, atol, rtol: 1e-5, seed: '5', blind: true });

describe('complex tensors', () => {
  test.each(['c64', 'c128'] as const)(
    'of %s are multiplied rightly, in checks and in timed calls',
    async (dtype) => {
      const client = await prepared('product', dtype);
      expect(await check(client)).toMatchObject({ passed: true, tampering: [], blind: [] });
      const request = { ...sampleRequest('cold', 8), verify: { oracle, atol: 1e-5, rtol: 1e-5 } };
      expect(await client.result(request)).toMatchObject({
        tampering: [],
        verified: { tensors: [{ mismatches: 0 }] },
      });
    },
  );

  test.each(['conjugated', 'without_imaginary'])(
    '%s ones are wrong, and both parts are told',
    async (name) => {
      const { passed, tensors } = await check(await prepared(name));
      expect(passed).toBe(false);
      expect(tensors[0]?.worst).toMatchObject({
        got: expect.stringMatching(/^-?[\d.e-]+[+-][\d.e-]+i$/) as string,
        want: expect.stringMatching(/^-?[\d.e-]+[+-][\d.e-]+i$/) as string,
      });
    },
  );

  test('an error is the absolute value of the difference', async () => {
    const client = await prepared('a_little_off');
    const { passed, tensors } = await check(client, 4.9e-3);
    expect(passed).toBe(false);
    expect(tensors[0]?.max_abs_err).toBeCloseTo(5e-3, 5);
    // 3e-3 + 4e-3i is 5e-3 away, although neither part is.
    expect((await check(client, 5.1e-3)).tensors).toMatchObject([{ mismatches: 0 }]);
  });

  test('an imaginary part that was not written is found', async () => {
    const { passed } = await check(await prepared('only_half'));
    expect(passed).toBe(false);
  });

  test('another type than the declared one is refused', async () => {
    const client = await prepared('double');
    await expect(check(client)).rejects.toThrow(/returned y as c128\[4, 25\]; c64\[4, 25\] is declared/);
  });

  test('a tolerance that zeros pass is blind', async () => {
    const { blind } = await check(await prepared('product'), 1e3);
    expect(blind?.map(({ answer }) => answer)).toEqual(expect.arrayContaining(['zeros', 'constant']));
  });
});

test.skipIf(!hasTorch)('PyTorch has them as complex64', async () => {
  const client = await prepared('product', 'c64', IN_TORCH);
  expect(await check(client)).toMatchObject({ passed: true, tampering: [] });
});
