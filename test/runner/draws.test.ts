import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { RawClient } from '../contract/raw-client.ts';
import { openRequest, prepareRequest, sampleRequest, tensor } from '../contract/runner-conformance.ts';
import { judgesForPython } from './judges-for-python.ts';

const SAMPLED = join(import.meta.dirname, '../fixtures/python-kernels/sampled.py');
const named = (name: string) => ({ module: SAMPLED, function: name });
const rules = { oracle: named('probabilities'), atol: 0, rtol: 0 };

const start = judgesForPython();

/** Rows of weights between 0.1 and 1, of which the `TOP` heaviest count. */
async function drawing(kernel: string, { rows = 40, top = 12, more = {} } = {}): Promise<RawClient> {
  const client = start();
  await client.result(openRequest(client, named(kernel)));
  const isSeeded = kernel === 'sample_seeded';
  const seed = tensor('seed', 'input', [2], {
    dtype: 'i64',
    fill: { kind: 'integers', low: 0, high: 2 ** 40 },
  });
  await client.result(
    prepareRequest({ ROWS: rows, V: 32 }, [
      tensor('weights', 'input', [rows, 32], { fill: { kind: 'uniform', low: 0.1, high: 1 } }),
      tensor('top', 'input', [rows], { dtype: 'i32', fill: { kind: 'constant', value: top } }),
      ...(isSeeded ? [seed] : []),
      {
        ...tensor('drawn', 'output', [rows], { dtype: 'i64' }),
        distribution: { outcomes: 32, slack: 1e-3, ...(isSeeded ? { seed: 'seed' } : {}), ...more },
      },
    ]),
  );
  return client;
}

const check = { op: 'check', ...rules, seed: '5', blind: true } as const;

describe('an output whose elements are draws', () => {
  test.each(['sample', 'sample_seeded'])('%s is right, and guesses are not', async (kernel) => {
    const client = await drawing(kernel);
    const result = await client.result(check);
    expect(result).toMatchObject({
      passed: true,
      tampering: [],
      blind: [],
      sampled: [{ name: 'drawn', calls: 500, draws: 20_000, false_alarm: 1e-6 }],
    });
    const drawn = result.sampled?.[0];
    expect(drawn?.distance).toBeLessThan(drawn?.limit ?? 0);
    expect(drawn?.sees).toBeLessThan(0.05);
  });

  test('a draw of a timed call is looked at', async () => {
    const client = await drawing('sample_without_top', { rows: 200 });
    const { tampering } = await client.result({ ...sampleRequest('cold', 12), verify: rules });
    expect(tampering).toMatchObject([
      {
        detector: 'timed-result-wrong',
        message: expect.stringMatching(/draws of 'drawn' have no probability/),
      },
    ]);
    const right = await drawing('sample', { rows: 200 });
    expect(await right.result({ ...sampleRequest('cold', 12), verify: rules })).toMatchObject({
      tampering: [],
      verified: { sampled: [{ draws: 200 }] },
    });
  });

  test.each([
    ['sample_likeliest', /off by .* after 500 calls.*; all calls drew the same|off by .* after 1 call/],
    ['sample_without_top', /have no probability/],
    ['sample_too_sharp', /not as probable as stated/],
    ['sample_without_the_end', /not as probable as stated/],
    ['sample_wrong_in_last_row', /the draws of 1 of 40 elements of 'drawn' are not .* element 39 is off by/],
    ['sample_one_number_for_all', /not as probable as stated/],
    ['sample_once', /not as probable as stated.*all calls drew the same/],
    ['sample_out_of_range', /holds \d+, which is none of its 32 outcomes/],
  ])('%s is wrong', async (kernel, message) => {
    // What rows have in common shows in few calls of many rows.
    const client = await drawing(kernel, kernel === 'sample_one_number_for_all' ? { rows: 200 } : {});
    const { passed, tampering } = await client.result(check);
    expect(passed).toBe(false);
    expect(tampering).toContainEqual({
      detector: 'wrong-result',
      tensor: 'drawn',
      message: expect.stringMatching(message),
    });
  });

  test('an oracle whose probabilities sum to a half is at fault', async () => {
    const client = await drawing('sample');
    await expect(client.result({ ...check, oracle: named('half_of_it') })).rejects.toThrow(
      /load-failed: .*probabilities of element 0 of 'drawn' that sum to 0.5/,
    );
  });

  test('where few draws do not tell guesses from draws, the test is blind', async () => {
    const client = await drawing('sample', { rows: 1, top: 32, more: { slack: 0.1 } });
    const { blind = [] } = await client.result({ ...check, draws: 64 });
    expect(blind.map(({ answer, tensor: name, draws }) => [answer, name, draws])).toContainEqual([
      'all alike',
      'drawn',
      64,
    ]);
  });
});
