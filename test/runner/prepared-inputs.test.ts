import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RawClient } from '../contract/raw-client.ts';
import { openRequest, prepareRequest, sampleRequest, tensor } from '../contract/runner-conformance.ts';
import { hasTorch } from '../services/has-torch.ts';
import { judgesForPython } from './judges-for-python.ts';
import { compilePlain } from './native-build.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/python-kernels');
const PREPARED = join(FIXTURES, 'prepared.py');
const MODULE = join(FIXTURES, 'prepared_module.py');
const ORACLE = { module: PREPARED, function: 'oracle' };
const RULES = { atol: 1e-3, rtol: 1e-3 };
const [M, N, K] = [48, 96, 64];

const start = judgesForPython();

async function opened(name: string, prepare: object, module = PREPARED): Promise<RawClient> {
  const client = start();
  await client.result(openRequest(client, { module, function: name, prepare } as typeof ORACLE));
  return client;
}

const ofWeights = (name: string) => ({ function: name, of: ['w'] });

const linear = prepareRequest({ M, N, K }, [
  tensor('x', 'input', [M, K]),
  tensor('w', 'input', [N, K]),
  tensor('y', 'output', [M, N]),
]);
const generated = { ...linear, generator: { module: PREPARED, function: 'make' } } as const;
const checked = { op: 'check', oracle: ORACLE, ...RULES, seed: '5' } as const;
const verified = (mode: 'cold' | 'hot') =>
  ({ ...sampleRequest(mode, 24), verify: { oracle: ORACLE, ...RULES } }) as const;

describe('inputs that a kernel prepares', () => {
  test.each([
    ['filled', linear],
    ['made by a generator', generated],
  ])('are prepared for every contents, outside of the times: %s', async (_, problem) => {
    const client = await opened('linear', ofWeights('pack'));
    await client.result(problem);
    expect(await client.result({ ...checked, audit: true })).toMatchObject({ passed: true, tampering: [] });
    for (const mode of ['cold', 'hot'] as const) {
      expect(await client.result(verified(mode))).toMatchObject({
        tampering: [],
        verified: { tensors: [{ mismatches: 0 }] },
        prepare: { count: expect.any(Number), ms: expect.any(Number), bytes: expect.any(Number) },
      });
    }
  });

  test('what was kept of them is told, and is about as much as was made', async () => {
    const client = await opened('linear', ofWeights('pack'));
    await client.result(linear);
    const { prepare } = await client.result(sampleRequest('cold', 6));
    expect(prepare?.count).toBeGreaterThanOrEqual(1);
    expect(prepare?.ms).toBeGreaterThan(0);
    expect(prepare?.bytes).toBeGreaterThanOrEqual(4 * N * K);
    expect(prepare?.bytes).toBeLessThan(2 * 4 * N * K);
  });

  test('stay while the others change, and are prepared once for each set of buffers', async () => {
    const client = await opened('linear', ofWeights('pack'));
    const { sets } = await client.result(linear);
    const first = await client.result(sampleRequest('cold', 40));
    const second = await client.result(sampleRequest('cold', 40));
    expect(first.prepare?.count).toBe(sets);
    expect(second.prepare?.count).toBe(sets);
  });

  test.each([
    ['filled', linear],
    ['made by a generator', generated],
  ])('the other inputs are out of sight meanwhile: %s', async (_, problem) => {
    const client = await opened('peeking', ofWeights('peek'));
    await client.result(problem);
    expect(await client.result(checked)).toMatchObject({ passed: true });
    expect(await client.result(verified('cold'))).toMatchObject({ tampering: [] });
    const { prepare } = await client.result(checked).then(() => client.result(sampleRequest('cold', 6)));
    // A check has contents of its own, so what was prepared before it does not do after it.
    expect(prepare?.count).toBeGreaterThan(1);
  });

  test('what was prepared of other contents gives wrong results', async () => {
    const client = await opened('linear', ofWeights('pack_once'));
    await client.result(linear);
    await client.result({ op: 'call' });
    const { passed, tampering } = await client.result(checked);
    expect({ passed, tampering }).toMatchObject({ passed: false, tampering: [{ detector: 'wrong-result' }] });
  });

  test('are not changed by it', async () => {
    const client = await opened('linear', ofWeights('normalise'));
    await client.result(linear);
    const { tampering } = await client.result(checked);
    expect(tampering.map(({ detector, tensor: name }) => [detector, name])).toContainEqual([
      'input-changed',
      'w',
    ]);
  });

  test('a function that raises is named', async () => {
    const client = await opened('linear', ofWeights('fail'));
    await client.result(linear);
    await expect(client.result(checked)).rejects.toThrow(
      /kernel-failed: fail, .*ValueError: no packing today/,
    );
  });

  test.each([
    ['unprepared', { function: 'pack', of: ['w'] }, /load-failed: unprepared has no parameter `prepared`/],
    ['linear', { function: 'absent', of: ['w'] }, /load-failed: .*has no function absent/],
  ])('%s with %o is not loaded', async (name, prepare, message) => {
    await expect(opened(name, prepare)).rejects.toThrow(message);
  });

  test.each([
    [['x', 'w'], /bad-request: .*leaves out no input/],
    [['y'], /bad-request: .*'y' is not an input of the case/],
    [['v'], /bad-request: .*'v' is not an input of the case/],
  ])('cannot be %j', async (of, message) => {
    const client = await opened('linear', { function: 'pack', of });
    await expect(client.result(linear)).rejects.toThrow(message);
  });

  test.skipIf(!hasTorch)('are parameters of a class as well', async () => {
    const client = await opened('Linear', { function: 'pack', of: ['weight'] }, MODULE);
    await client.result(
      prepareRequest({ M }, [
        tensor('x', 'input', [M, K]),
        tensor('weight', 'input', [N, K]),
        tensor('y', 'output', [M, N]),
      ]),
    );
    const judge = { module: MODULE, function: 'oracle' };
    expect(await client.result({ ...checked, oracle: judge })).toMatchObject({ passed: true, tampering: [] });
    const request = { ...verified('cold'), verify: { oracle: judge, ...RULES } } as const;
    expect(await client.result(request)).toMatchObject({
      tampering: [],
      prepare: { bytes: expect.any(Number) },
    });
  });
});

describe('inputs that a kernel of a library prepares', () => {
  let folder: string;
  let library: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-prepared-'));
    const source = join(import.meta.dirname, '../fixtures/kernels/prepared.cpp');
    library = await compilePlain(['-shared', '-fPIC', '-O2', source], join(folder, 'prepared.so'));
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function native(name: string): Promise<RawClient> {
    const client = start();
    await client.result(openRequest(client, { library, prepare: ofWeights(name) }));
    return client;
  }

  test.each([
    ['filled', linear],
    ['made by a generator', generated],
  ])('are left in memory of the judge, for every contents: %s', async (_, problem) => {
    const client = await native('pack');
    await client.result(problem);
    expect(await client.result({ ...checked, audit: true })).toMatchObject({ passed: true, tampering: [] });
    for (const mode of ['cold', 'hot'] as const) {
      expect(await client.result(verified(mode))).toMatchObject({
        tampering: [],
        verified: { tensors: [{ mismatches: 0 }] },
      });
    }
    const { prepare } = await client.result(sampleRequest('cold', 6));
    expect(prepare?.bytes).toBeGreaterThanOrEqual(4 * N * K);
    expect(prepare?.bytes).toBeLessThan(4 * N * K + 4096);
  });

  test('what an earlier preparation left is not there any more', async () => {
    const client = await native('pack_half');
    await client.result(linear);
    await client.result({ op: 'call' });
    expect(await client.result(checked)).toMatchObject({ passed: false });
  });

  test('are not written past the end', async () => {
    const client = await native('pack_too_much');
    await client.result(linear);
    const { tampering } = await client.result(checked);
    expect(tampering[0]).toMatchObject({ detector: 'out-of-bounds-write', tensor: 'prepared' });
  });

  test('may be refused, in words of the library', async () => {
    const client = await native('refuse');
    await client.result(linear);
    await expect(client.result(checked)).rejects.toThrow(
      'kernel-failed: refuse returned 7: no packing today',
    );
  });

  test('need a function that is there', async () => {
    await expect(native('absent')).rejects.toThrow(/load-failed: .*has no function absent/);
  });
});
