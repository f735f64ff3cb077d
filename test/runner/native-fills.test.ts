import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { builtRunner, compileLibrary } from './native-build.ts';
import { RawRunner } from './raw-runner.ts';

const FIXTURES = 'test/fixtures/checks';

let folder: string;
let built: string;
let shown: string;
let runner: RawRunner | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-fills-'));
  built = await builtRunner();
  shown = await compileLibrary(join(FIXTURES, 'shown.cpp'), join(folder, 'shown.so'));
}, 400_000);

afterEach(() => runner?.kill());
afterAll(() => rm(folder, { recursive: true, force: true }));

/** IEEE 754 layouts: bits of the exponent and of the fraction. */
const LAYOUTS = { f64: [11, 52], f32: [8, 23], f16: [5, 10], bf16: [8, 7], f8e5m2: [5, 2] } as const;
type Floating = keyof typeof LAYOUTS;

function decode(bits: bigint, dtype: Floating): number {
  const [exponentBits, fractionBits] = LAYOUTS[dtype];
  const sign = bits >> BigInt(exponentBits + fractionBits) === 0n ? 1 : -1;
  const exponent = Number((bits >> BigInt(fractionBits)) & ((1n << BigInt(exponentBits)) - 1n));
  const fraction = Number(bits & ((1n << BigInt(fractionBits)) - 1n)) / 2 ** fractionBits;
  const bias = 2 ** (exponentBits - 1) - 1;
  if (exponent === 2 * bias + 1) return fraction === 0 ? sign * Infinity : Number.NaN;
  // In two steps: 2^-1074 is no power that `**` reaches from 2^-1022 in one.
  return exponent === 0 ? sign * fraction * 2 ** (1 - bias) : sign * (1 + fraction) * 2 ** (exponent - bias);
}

/** What the runner puts into a tensor of that shape. */
async function filled(
  dtype: Floating,
  shape: readonly number[],
  fill: object,
  seed = '5',
): Promise<number[]> {
  const started = new RawRunner(built);
  runner = started;
  await started.open(shown);
  const tensors = [
    { name: 'x', role: 'input', dtype, shape, fill },
    { name: 'y', role: 'output', dtype, shape, fill: { kind: 'normal' } },
  ];
  await started.result('prepare', { case: 'c', dims: [], tensors, variant: {}, seed, sets: 1 });
  await started.result('profile', { launches: 1 });
  const count = shape.reduce((product, extent) => product * extent, 1);
  const lines = () => started.printed.split('\n').slice(0, -1);
  // Two pipes have no order between them: the print may arrive after the answer.
  await vi.waitFor(() => expect(lines().length).toBeGreaterThanOrEqual(count), { timeout: 20_000 });
  started.kill();
  return lines()
    .slice(0, count)
    .map((line) => decode(BigInt(`0x${line.split(' ')[1]}`), dtype));
}

const rowsOf = (values: readonly number[], length: number) =>
  Array.from({ length: values.length / length }, (_, row) => values.slice(row * length, (row + 1) * length));
const rms = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

describe('a denormal fill', () => {
  it.each<[Floating, number, number]>([
    ['f64', 2 ** -1022, 2 ** -1074],
    ['f32', 2 ** -126, 2 ** -149],
    ['f16', 2 ** -14, 2 ** -24],
    ['bf16', 2 ** -126, 2 ** -133],
  ])('of %s holds subnormal numbers of either sign and never zero', async (dtype, limit, unit) => {
    const values = await filled(dtype, [999], { kind: 'denormal' });
    for (const value of values) {
      expect(Math.abs(value)).toBeLessThan(limit);
      expect(Math.abs(value)).toBeGreaterThanOrEqual(unit);
    }
    expect(values.some((value) => value < 0)).toBe(true);
    expect(values.some((value) => value > 0)).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(100);
  });
});

describe('a fill of an 8-bit float', () => {
  it('is rounded to its few numbers, and stays finite', async () => {
    const values = await filled('f8e5m2', [999], { kind: 'normal', mean: 0, std: 1 });
    expect(rms(values)).toBeGreaterThan(0.8);
    expect(rms(values)).toBeLessThan(1.2);
    expect(new Set(values).size).toBeLessThan(256);
    const large = await filled('f8e5m2', [99], { kind: 'normal', mean: 0, std: 1e9 });
    expect(Math.max(...large.map(Math.abs))).toBe(57_344);
  });
});

describe('a fill by rows', () => {
  it('is one number for each row with constant-rows', async () => {
    const rows = rowsOf(await filled('f32', [3, 50, 7], { kind: 'constant-rows', std: 100 }), 7);
    for (const row of rows) expect(new Set(row).size).toBe(1);
    expect(new Set(rows.map((row) => row[0])).size).toBe(150);
    expect(rms(rows.flat())).toBeGreaterThan(50);
    expect(rms(rows.flat())).toBeLessThan(200);
  });

  it('has one high element in each row with spikes, not always at the same place', async () => {
    const rows = rowsOf(await filled('f16', [60, 9], { kind: 'spikes', low: -2, high: 30 }), 9);
    for (const row of rows) expect(row.toSorted((a, b) => a - b)).toEqual([...Array(8).fill(-2), 30]);
    expect(new Set(rows.map((row) => row.indexOf(30))).size).toBeGreaterThan(3);
  });

  it('has rows of three scales with mixed, a third of each', async () => {
    const rows = rowsOf(await filled('f32', [99, 128], { kind: 'mixed', scale: 100 }), 128);
    const scales = rows.map((row) =>
      [0.1, 1, 100].find((scale) => rms(row) > scale / 2 && rms(row) < scale * 2),
    );
    for (const scale of [0.1, 1, 100]) expect(scales.filter((own) => own === scale)).toHaveLength(33);
  });
});

describe('a nonfinite fill', () => {
  it('has its share of the values it names, and finite numbers elsewhere', async () => {
    const fill = { kind: 'nonfinite', values: ['nan', '-inf'], share: 0.1 };
    const values = await filled('bf16', [4000], fill);
    const nans = values.filter(Number.isNaN).length;
    const infinities = values.filter((value) => value === -Infinity).length;
    expect(values).not.toContain(Infinity);
    expect(nans + infinities).toBeGreaterThan(300);
    expect(nans + infinities).toBeLessThan(500);
    expect(nans).toBeGreaterThan(100);
    expect(infinities).toBeGreaterThan(100);
    expect(rms(values.filter(Number.isFinite))).toBeCloseTo(1, 1);
  });

  it('has none with a share of 0, and nothing else with a share of 1', async () => {
    const none = await filled('f32', [100], { kind: 'nonfinite', values: ['inf'], share: 0 });
    expect(none.every(Number.isFinite)).toBe(true);
    const all = await filled('f32', [100], { kind: 'nonfinite', values: ['inf'], share: 1 });
    expect(all.every((value) => value === Infinity)).toBe(true);
  });
});

describe('any other fill', () => {
  it.each<[Floating, object, number]>([
    ['f16', { kind: 'normal', std: 1e6 }, 65_504],
    ['f16', { kind: 'mixed', scale: 1e30 }, 65_504],
    ['f32', { kind: 'uniform', low: -1e300, high: 1e300 }, (2 - 2 ** -23) * 2 ** 127],
    ['bf16', { kind: 'constant-rows', std: 1e60 }, 255 * 2 ** 120],
    ['f64', { kind: 'normal', mean: 1.7e308, std: 1.7e308 }, Number.MAX_VALUE],
  ])('of %s (%j) ends at the largest number of the type', async (dtype, fill, largest) => {
    const values = await filled(dtype, [40, 5], fill);
    expect(Math.max(...values.map(Math.abs))).toBe(largest);
  });

  it('depends on its seed, and on nothing else', async () => {
    const fill = { kind: 'mixed' };
    const first = await filled('f16', [4, 9], fill, '18446744073709551615');
    expect(await filled('f16', [4, 9], fill, '18446744073709551615')).toEqual(first);
    expect(await filled('f16', [4, 9], fill, '18446744073709551614')).not.toEqual(first);
  });
});

describe('a fill that a type cannot hold', () => {
  it.each([
    ['i32', { kind: 'denormal' }],
    ['u8', { kind: 'nonfinite', values: ['nan'] }],
    ['f32', { kind: 'nonfinite', values: [] }],
    ['f32', { kind: 'nonfinite', values: ['nan'], share: 2 }],
    ['f64', { kind: 'uniform', low: -1.7e308, high: 1.7e308 }],
  ])('is refused: %s, %j', async (dtype, fill) => {
    runner = new RawRunner(built);
    await runner.open(shown);
    const tensors = [{ name: 'x', role: 'input', dtype, shape: [3], fill }];
    const request = { op: 'prepare', case: 'c', dims: [], tensors, variant: {}, seed: '5' };
    expect(await runner.ask(request)).toMatchObject({ ok: false, error: { code: 'bad-request' } });
  });
});
