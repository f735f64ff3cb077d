import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { RecordedSpace } from '../../../src/model/tune/recorded-space.ts';
import { replayOf } from '../../../src/tune/simulate/listed-space.ts';
import { readRecordedSpace } from '../../../src/tune/simulate/read-recorded-space.ts';

async function read(content: unknown): Promise<RecordedSpace> {
  const file = join(await mkdtemp(join(tmpdir(), 'pawl-space-')), 'space.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readRecordedSpace(file);
}

const pawlSpace = {
  schema: 'pawl.space/1',
  name: 'made-up',
  tunables: { block: [64, 32, 128], mode: ['a', 'b'], fixed: [3] },
  constraints: ['block * fixed <= 384', 'some_function(block) > 2', 'block < unknown_name'],
  configs: [
    [[0, 0, 0], 2.5, 'ok', 10, 20],
    [[1, 0, 0], 1.5],
    [[2, 0, 0], null, 'build_failed', 10, 0],
    [[2, 1, 0], 7, 'timeout'],
  ],
};

const kernelTunerCache = {
  device_name: 'GPU',
  kernel_name: 'add',
  problem_size: 1000,
  tune_params_keys: ['block_size_x', 'flag'],
  tune_params: { block_size_x: [32, 64], flag: [true, false] },
  objective: 'time',
  cache: {
    '32,True': { block_size_x: 32, flag: true, time: 1.25, times: [1.2, 1.3], 'GFLOP/s': 3 },
    '64,True': { block_size_x: 64, flag: true, time: 'CompilationFailedConfig' },
    '64,False': { block_size_x: 64, flag: false, time: 1e20 },
    '32,False': { block_size_x: 32, flag: false, times: [2, 4] },
  },
};

const t4 = {
  schema_version: '1.0.0',
  results: [
    {
      configuration: { block_size_x: 32, flag: true },
      invalidity: 'correct',
      correctness: 1,
      measurements: [{ name: 'time', value: 1.25, unit: 'ms' }],
      objectives: ['time'],
    },
    {
      configuration: { block_size_x: 64, flag: true },
      invalidity: 'compile',
      correctness: 0,
      measurements: [],
    },
    { configuration: { block_size_x: 64, flag: false }, invalidity: 'constraints', measurements: [] },
    { configuration: { block_size_x: 32, flag: false }, times: { runtimes: [2, 4] }, invalidity: 'correct' },
    {
      configuration: { block_size_x: 128, flag: false },
      invalidity: 'correct',
      measurements: [{ name: 'time', value: 5, unit: 'us' }],
    },
  ],
};

describe('readRecordedSpace', () => {
  it('reads pawl.space/1, with statuses, times and rows that stop early', async () => {
    const space = await read(pawlSpace);
    expect(space.name).toBe('made-up');
    expect(space.rows.map(({ time_ms }) => time_ms)).toEqual([2.5, 1.5, undefined, undefined]);
    expect(space.rows.map(({ status }) => status)).toEqual(['ok', 'ok', 'build_failed', 'timeout']);
  });

  it('reads a cache of Kernel Tuner, where a failure is a word, a huge time or no time', async () => {
    const space = await read(kernelTunerCache);
    expect(space.tunables).toMatchObject([
      { name: 'block_size_x', values: [32, 64] },
      { name: 'flag', values: [true, false] },
    ]);
    expect(space.rows.map(({ time_ms, status }) => [time_ms, status])).toEqual([
      [1.25, 'ok'],
      [undefined, 'build_failed'],
      [undefined, 'run_failed'],
      [3, 'ok'],
    ]);
  });

  it('reads a cache with a schema version and without values of its tunables', async () => {
    const { tune_params: _, ...rest } = kernelTunerCache;
    const space = await read({ schema_version: '1.0.0', ...rest });
    expect(space.tunables).toMatchObject([{ values: [32, 64] }, { values: [true, false] }]);
  });

  it.each([
    ['a comma', (text: string) => `${text.slice(0, -2)},\n`],
    ['nothing', (text: string) => text.slice(0, -2)],
    ['half an entry', (text: string) => `${text.slice(0, -2)},"64,Fa`],
    ['an entry cut in its middle', (text: string) => `${text.slice(0, -2)},"9":{"block_size_x":9,"fl`],
    ['a newline and more text', (text: string) => `${text}\n}} garbage`],
  ])('reads a cache that ends in %s', async (_, damage) => {
    const space = await read(damage(JSON.stringify(kernelTunerCache)));
    expect(space.rows).toHaveLength(4);
  });

  it('reads NaN and Infinity, which Python writes, as no time', async () => {
    const text = JSON.stringify(kernelTunerCache).replace('"CompilationFailedConfig"', 'NaN');
    const space = await read(text.replace('1e+20', '-Infinity').replace('100000000000000000000', 'Infinity'));
    expect(space.rows.map(({ time_ms }) => time_ms)).toEqual([1.25, undefined, undefined, 3]);
  });

  it('reads T4 results, in whatever unit of time they are', async () => {
    const space = await read(t4);
    expect(space.rows.map(({ time_ms, status }) => [time_ms, status])).toEqual([
      [1.25, 'ok'],
      [undefined, 'build_failed'],
      [undefined, 'run_failed'],
      [3, 'ok'],
      [0.005, 'ok'],
    ]);
  });

  it.each([
    ['text that is no JSON', 'hello'],
    ['a list', []],
    ['an object of another kind', { hello: 1 }],
    ['an index beyond the values', { ...pawlSpace, configs: [[[0, 5, 0], 1, 'ok']] }],
    ['too few indices', { ...pawlSpace, configs: [[[0], 1, 'ok']] }],
    ['a time that is not positive', { ...pawlSpace, configs: [[[0, 0, 0], -1, 'ok']] }],
    ['another schema', { ...pawlSpace, schema: 'pawl.space/2' }],
    ['no configurations', { ...pawlSpace, configs: [] }],
    ['a cache entry without a tunable', { ...kernelTunerCache, cache: { x: { flag: true, time: 1 } } }],
    [
      'a unit that is no time',
      { results: [{ ...t4.results[0], measurements: [{ name: 'time', value: 1, unit: 'J' }] }] },
    ],
  ])('refuses %s as bad data', async (_, content) => {
    await expect(read(content)).rejects.toThrow(expect.objectContaining({ kind: 'bad-data' }));
  });
});

describe('replayOf', () => {
  it('puts numbers in rising order and keeps each variant with its time', async () => {
    const { space, times_ms } = replayOf(await read(pawlSpace));
    expect(space.parameters[0]).toEqual({ name: 'block', kind: 'ordered', values: [32, 64, 128] });
    const byVariant = space.all().map((point, index) => [space.variantOf(point), times_ms[index]]);
    expect(byVariant).toContainEqual([{ block: 32, mode: 'a', fixed: 3 }, 1.5]);
    expect(byVariant).toContainEqual([{ block: 64, mode: 'a', fixed: 3 }, 2.5]);
  });

  it('keeps the constraints that it can read and lists what is feasible, whatever the others say', async () => {
    const { space } = replayOf(await read(pawlSpace));
    expect(space.constraints.map(({ source }) => source)).toEqual(['block * fixed <= 384']);
    expect(space.size).toBe(4);
  });

  it('takes the first row of a variant that is listed twice', async () => {
    const { space, times_ms } = replayOf(
      await read({ ...pawlSpace, configs: [...pawlSpace.configs, [[1, 0, 0], 9, 'ok']] }),
    );
    expect([space.size, times_ms.filter((time) => time === 9)]).toEqual([4, []]);
  });
});
