import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { RawClient } from '../contract/raw-client.ts';
import { openRequest, prepareRequest, sampleRequest, tensor } from '../contract/runner-conformance.ts';
import { judgesForPython } from './judges-for-python.ts';

const CHECKED = join(import.meta.dirname, '../fixtures/python-kernels/checked.py');
const TOLERANCE = { atol: 1e-4, rtol: 0 };

const start = judgesForPython();

const named = (name: string) => ({ module: CHECKED, function: name });

async function opened(kernel: string): Promise<RawClient> {
  const client = start();
  await client.result(openRequest(client, named(kernel)));
  return client;
}

async function factoring(kernel: string): Promise<RawClient> {
  const client = await opened(kernel);
  await client.result(
    prepareRequest({ M: 24, N: 8 }, [
      tensor('a', 'input', [24, 8]),
      tensor('q', 'output', [24, 8]),
      tensor('r', 'output', [8, 8]),
    ]),
  );
  return client;
}

const check = (checker: string, more: object = {}) =>
  ({ op: 'check', checker: named(checker), ...TOLERANCE, seed: '5', ...more }) as const;

describe('outputs that a function judges', () => {
  test.each(['qr', 'qr_with_other_signs'])(
    '%s is right, and no answer that needs no work is',
    async (name) => {
      const client = await factoring(name);
      expect(await client.result(check('is_qr', { blind: true, audit: true }))).toMatchObject({
        passed: true,
        oracle: 'checked.py:is_qr',
        tensors: [],
        checked: { name: 'checked.py:is_qr', passed: true },
        tampering: [],
        blind: [],
      });
    },
  );

  test('what it refuses is wrong, in its own words', async () => {
    const client = await factoring('qr_not_orthogonal');
    expect(await client.result(check('is_qr'))).toMatchObject({
      passed: false,
      checked: {
        passed: false,
        message: expect.stringMatching(/^the columns of q are not orthonormal: off by/),
      },
      tampering: [
        {
          detector: 'wrong-result',
          message: expect.stringMatching(/^checked.py:is_qr refuses the outputs: the columns/),
        },
      ],
    });
  });

  test('results of timed calls are judged, too', async () => {
    const verify = { checker: named('is_qr'), ...TOLERANCE };
    const right = await factoring('qr');
    expect(await right.result({ ...sampleRequest('cold', 12), verify })).toMatchObject({
      tampering: [],
      verified: { tensors: [], checked: { passed: true } },
    });
    const stale = await factoring('qr_stale_later');
    expect(await stale.result(check('is_qr'))).toMatchObject({ passed: true });
    const { tampering } = await stale.result({ ...sampleRequest('cold', 30), verify });
    expect(tampering).toContainEqual(expect.objectContaining({ detector: 'timed-result-wrong' }));
  });

  test.each([
    ['raises', /checker-failed: the checker raises raised ValueError: not today/],
    ['forgets_to_return', /checker-failed: .*returned NoneType where True, or a sentence/],
    ['ends', /checker-failed: .*ended by itself with code 3/],
    ['wants_more', /checker-failed: .*has the parameter pivots, and there are a, q, r, M, N, atol, rtol/],
    ['absent', /checker-failed: .*has no function absent/],
  ])('one that %s is no fault of the kernel', async (name, message) => {
    const client = await factoring('qr');
    await expect(client.result(check(name))).rejects.toThrow(message);
    // The judge lives, and another request finds a checker that works.
    expect(await client.result(check('is_qr'))).toMatchObject({ passed: true });
  });

  test('one that hangs ends the judge by a signal of its own', async () => {
    const client = await factoring('qr');
    await Promise.allSettled([client.result(check('hangs', { timeout_ms: 1500 }))]);
    expect(await client.ended).toMatchObject({ signal: 'SIGVTALRM' });
  });

  test('a long sentence is cut between characters', async () => {
    const client = await factoring('qr');
    const { checked } = await client.result(check('says_much'));
    expect(checked?.message).toBe('é'.repeat(511));
  });

  test.each([
    ['accepts_all', ['q', 'r']],
    ['ignores_r', ['r']],
  ])('%s is blind for %s', async (name, tensors) => {
    const client = await factoring('qr');
    const { blind = [] } = await client.result(check(name, { blind: true }));
    for (const answer of ['poison', 'zeros']) {
      const found = blind.filter((one) => one.answer === answer).map((one) => one.tensor);
      expect([...new Set(found)].toSorted()).toEqual(tensors);
    }
    // Neither looks at the input.
    expect(blind).toContainEqual(expect.objectContaining({ answer: 'other inputs', tensor: 'q' }));
    expect(blind.every(({ checker }) => checker === `checked.py:${name}`)).toBe(true);
  });
});

describe('a checker beside an oracle', () => {
  const rules = {
    oracle: named('sorted_values'),
    checker: { ...named('are_places'), outputs: ['places'] },
    atol: 1e-6,
    rtol: 0,
  };
  const sorting = async (kernel: string) => {
    const client = await opened(kernel);
    const fill = { kind: 'integers', low: 0, high: 40 } as const;
    await client.result(
      prepareRequest({ SIZE: 100 }, [
        tensor('x', 'input', [100], { fill }),
        tensor('values', 'output', [100]),
        tensor('places', 'output', [100], { dtype: 'i32' }),
      ]),
    );
    return client.result({ op: 'check', ...rules, seed: '5', blind: true } as const);
  };

  test.each(['sort', 'sort_from_the_end'])('%s is right by both', async (kernel) => {
    expect(await sorting(kernel)).toMatchObject({
      passed: true,
      oracle: 'checked.py:sorted_values',
      tensors: [{ name: 'values', mismatches: 0 }],
      checked: { passed: true },
      blind: [],
    });
  });

  test.each([
    ['sort_with_wrong_places', 'places', /are_places refuses the outputs: the places do not sort x/],
    ['sort_with_wrong_values', 'values', /elements of 'values' differ from checked.py:sorted_values/],
  ])('%s is wrong by one of them', async (kernel, output, message) => {
    expect(await sorting(kernel)).toMatchObject({
      passed: false,
      tampering: [{ detector: 'wrong-result', tensor: output, message: expect.stringMatching(message) }],
    });
  });

  test('an output that neither judges is a mistake of the request', async () => {
    const client = await opened('sort');
    await client.result(
      prepareRequest({ SIZE: 10 }, [
        tensor('x', 'input', [10]),
        tensor('values', 'output', [10]),
        tensor('places', 'output', [10], { dtype: 'i32' }),
      ]),
    );
    const { oracle: _, ...alone } = rules;
    await expect(client.result({ op: 'check', ...alone, seed: '5' })).rejects.toThrow(
      /bad-request: nothing says whether 'values' is right/,
    );
  });
});

test.each([
  ['sort_in_place', true],
  ['leave_in_place', false],
])('an inout is judged with what it was before: %s', async (kernel, passed) => {
  const client = await opened(kernel);
  await client.result(prepareRequest({ SIZE: 50 }, [tensor('x', 'inout', [50])]));
  const result = await client.result(check('is_sorted', { blind: true }));
  expect(result).toMatchObject({ passed });
  if (passed) expect(result.blind).toEqual([]);
});
