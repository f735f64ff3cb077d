import { beforeAll, describe, expect, it } from 'vitest';

import type { FuzzSpace } from '../../src/config/fuzz-space.ts';
import { generateCase } from '../../src/correctness/generate-case.ts';
import type { FuzzCase } from '../../src/model/problem/fuzz-case.ts';
import { fuzzCaseSchema, VALUE_KINDS } from '../../src/model/problem/fuzz-case.ts';
import { DIMS, spaceOf } from './fuzz-project.ts';

function draw(space: FuzzSpace, count: number, seed = 1n): FuzzCase[] {
  return Array.from({ length: count }, (_, index) => {
    const drawn = generateCase(space, seed, index);
    if (drawn === undefined) throw new Error(`nothing fits in case ${index}`);
    return drawn;
  });
}

const share = (cases: readonly FuzzCase[], is: (each: FuzzCase) => boolean) =>
  cases.filter(is).length / cases.length;
const sizeOf = ({ dims }: FuzzCase, name: string) => dims[name] ?? 0;

describe('generated cases', () => {
  let space: FuzzSpace;
  let cases: FuzzCase[];
  beforeAll(() => {
    space = spaceOf(`{ ${DIMS}, where: B * H * S * S <= 4000000 }`, '    dtypes: [f16, f32]\n');
    cases = draw(space, 2000);
  });

  it('are the same for the same seed and number, and others for another', () => {
    expect(draw(space, 50)).toEqual(cases.slice(0, 50));
    expect(generateCase(space, 1n, 40)).toEqual(cases[40]);
    expect(draw(space, 50, 2n)).not.toEqual(cases.slice(0, 50));
    expect(new Set(cases.map((each) => JSON.stringify(each))).size).toBe(cases.length);
  });

  it('are among those that pawl.yaml allows, and fit', () => {
    for (const each of cases) {
      expect(fuzzCaseSchema.parse(each)).toEqual(each);
      expect(space.contains(each.dims)).toBe(true);
      const plan = space.plan('generated', each.dims, each.dtype);
      expect(plan === undefined ? false : space.fits(plan)).toBe(true);
    }
  });

  it('hold 1, primes, powers of two, their neighbours, and neighbours of tunables', () => {
    const lengths = new Set(cases.map((each) => sizeOf(each, 'S')));
    for (const size of [1, 2, 3, 13, 31, 32, 33, 47, 48, 49, 64, 65, 95, 97, 127])
      expect(lengths).toContain(size);
    expect(lengths.size).toBeGreaterThan(150);
  });

  it('have several batches and heads in most cases', () => {
    expect(share(cases, (each) => sizeOf(each, 'B') > 1 && sizeOf(each, 'H') > 1)).toBeGreaterThan(0.6);
    expect(share(cases, (each) => sizeOf(each, 'B') === 1)).toBeGreaterThan(0.02);
  });

  it('are as large as the limits allow now and then', () => {
    const nearly = share(cases, ({ dims, dtype }) => {
      const plan = space.plan('generated', dims, dtype);
      return plan !== undefined && !space.fits(plan, 0.4);
    });
    expect(nearly).toBeGreaterThan(0.005);
    expect(nearly).toBeLessThan(0.3);
  });

  it('take every type and every kind of values, the same for all inputs in about half of the cases', () => {
    expect(new Set(cases.map(({ dtype }) => dtype))).toEqual(new Set(['f16', 'f32']));
    expect(new Set(cases.flatMap(({ values }) => Object.values(values)))).toEqual(new Set(VALUE_KINDS));
    const same = share(cases, ({ values }) => values['q'] === values['k']);
    expect(same).toBeGreaterThan(0.5);
    expect(same).toBeLessThan(0.65);
  });

  it('leave integers to pawl.yaml: they may be indices', () => {
    expect(cases.every(({ values }) => values['lengths'] === undefined)).toBe(true);
  });

  it('hold no NaN or infinity unless pawl.yaml says how they travel', () => {
    const declared = spaceOf(`{ ${DIMS}, nonfinite: { q: [nan, -inf] } }`);
    const kinds = (name: string) => new Set(draw(declared, 400).map(({ values }) => values[name]));
    expect([...kinds('q')]).toEqual(expect.arrayContaining(['nan', '-inf', 'nan+-inf']));
    expect([...kinds('k')].some((kind) => kind?.includes('nan'))).toBe(false);
    const special = draw(declared, 400).filter(({ values }) => /nan|inf/.test(values['q'] ?? ''));
    expect(new Set(special.map(({ values }) => values['k']))).toEqual(new Set(['normal']));
  });

  it('leave out values that a type cannot hold', () => {
    const enormous = spaceOf(`{ ${DIMS}, huge: 30000 }`, '    dtypes: [f16, f32]\n');
    const huge = draw(enormous, 400).filter(({ values }) => Object.values(values).includes('huge'));
    expect(new Set(huge.map(({ dtype }) => dtype))).toEqual(new Set(['f32']));
  });

  it('are none where nothing can fit', () => {
    const impossible = spaceOf(`{ ${DIMS}, where: B > 8 }`);
    expect(generateCase(impossible, 1n, 0)).toBeUndefined();
  });

  it('respect multiples', () => {
    const tiled = spaceOf('{ dims: { S: { min: 10, max: 500, multiple: 16 } } }');
    for (const each of draw(tiled, 200)) expect(sizeOf(each, 'S') % 16).toBe(0);
  });
});
