import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { RawClient } from '../contract/raw-client.ts';
import { openRequest, prepareRequest, sampleRequest, tensor } from '../contract/runner-conformance.ts';
import { hasTorch } from '../services/has-torch.ts';
import { judgesForPython } from './judges-for-python.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/python-kernels');
const GENERATED = join(FIXTURES, 'generated.py');
const MODULE = join(FIXTURES, 'torch_module.py');
const SUMS = { module: GENERATED, function: 'segment_sums' };
const WRONG = { atol: 1e-4, rtol: 1e-4 };

const start = judgesForPython();

async function opened(kernel: object = SUMS): Promise<RawClient> {
  const client = start();
  await client.result(openRequest(client, kernel as typeof SUMS));
  return client;
}

function segments(generator: string, more: object = {}) {
  return {
    ...prepareRequest({ ROWS: 20, SIZE: 400 }, [
      tensor('ends', 'input', [20], { dtype: 'i32', fill: { kind: 'integers', low: 0, high: 9 } }),
      tensor('values', 'input', [400]),
      tensor('sums', 'output', [20]),
    ]),
    generator: { module: GENERATED, function: generator },
    ...more,
  } as const;
}

const checked = { op: 'check', oracle: SUMS, ...WRONG, seed: '5' } as const;

describe('inputs that a function makes', () => {
  test.each(['make', 'make_unseeded'])(
    '%s: they fit together, in checks and in timed calls',
    async (name) => {
      const client = await opened();
      await client.result(segments(name));
      expect(await client.result(checked)).toMatchObject({ passed: true, tampering: [] });
      for (const mode of ['cold', 'hot'] as const) {
        const request = { ...sampleRequest(mode, 12), verify: { oracle: SUMS, ...WRONG } };
        // A verified repetition is computed again from contents that are made again from their seed.
        expect(await client.result(request)).toMatchObject({
          tampering: [],
          verified: { tensors: [{ mismatches: 0 }] },
        });
      }
    },
  );

  test('without it the same problem cannot be posed', async () => {
    const client = await opened();
    const { generator: _, ...filled } = segments('make');
    await client.result(filled);
    await expect(client.result(checked)).rejects.toThrow(/kernel-failed.*the ends do not fit/);
  });

  test.each([
    ['make_nothing', /generator-failed: .*ValueError: no inputs today/],
    ['make_too_few', /generator-failed: .*made 1 inputs where 2 are declared: ends, values/],
    ['make_other_shape', /generator-failed: .*values as f32\[401\]; the shape \[400\] is declared/],
    ['absent', /generator-failed: .*has no function absent/],
  ])('%s is the fault of what makes them', async (name, message) => {
    const client = await opened();
    await expect(client.result(segments(name))).rejects.toThrow(message);
  });

  test('a long import is no part of making them', async () => {
    const client = await opened();
    const generator = { module: join(FIXTURES, 'generated_slowly_imported.py'), function: 'make' };
    await client.result({ ...segments('make'), generator, timeout_ms: 1500 });
    expect(await client.result(checked)).toMatchObject({ passed: true, tampering: [] });
  });

  test('one that hangs ends the judge by a signal of its own', async () => {
    const client = await opened();
    const hanging = client.result(segments('make_slowly', { timeout_ms: 2000 }));
    await Promise.allSettled([hanging]);
    expect(await client.ended).toMatchObject({ signal: 'SIGXCPU' });
  });

  test('a kernel that knows contents again is refused', async () => {
    const client = await opened({ module: GENERATED, function: 'remembered' });
    await client.result(segments('make'));
    await client.result(checked);
    const { tampering } = await client.result(sampleRequest('cold', 100));
    expect(tampering).toMatchObject([{ detector: 'remembers' }]);
  });
});

describe.skipIf(!hasTorch)('an nn.Module in the place of a function', () => {
  const init = { module: MODULE, function: 'get_init_inputs' };
  const oracle = { module: MODULE, function: 'Model', init };
  const posed = {
    ...prepareRequest({}, [
      tensor('x', 'input', [8, 16]),
      tensor('layer_weight', 'input', [12, 16]),
      tensor('layer_bias', 'input', [12]),
      tensor('scale', 'input', [12]),
      tensor('out', 'output', [8, 12]),
    ]),
    generator: {
      module: MODULE,
      function: 'get_inputs',
      weights: { class: 'Model', init: 'get_init_inputs' },
    },
  } as const;
  const wanted = { op: 'check', oracle, ...WRONG, seed: '5' } as const;

  test('has its weights from the problem, and they are new in every repetition', async () => {
    const client = await opened(oracle);
    await client.result(posed);
    expect(await client.result(wanted)).toMatchObject({ passed: true, tampering: [] });
    const request = { ...sampleRequest('cold', 12), verify: { oracle, ...WRONG } };
    expect(await client.result(request)).toMatchObject({
      tampering: [],
      verified: { tensors: [{ mismatches: 0 }] },
    });
  });

  test('that leaves out a weight is wrong', async () => {
    const client = await opened({ ...oracle, function: 'Forgetful' });
    await client.result(posed);
    expect(await client.result(wanted)).toMatchObject({ passed: false });
  });

  test('that cannot be built says why', async () => {
    const client = start();
    const fussy = { module: MODULE, function: 'Fussy' };
    await expect(client.result(openRequest(client, fussy))).rejects.toThrow(
      /load-failed: Fussy could not be built.*not with me/,
    );
  });
});
