import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DTYPES } from '../../src/model/problem/tensor.ts';
import { compile } from './native-build.ts';

const NUMBERS = ['1.0625', '1.1875', '464', '465', '-1e9', '61439', '61440', '0x1p-10', '0x1.8p-10', '-0'];

let folder: string;
let lines: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-eight-bit-'));
  const program = await compile(['test/fixtures/elements/eight-bit.cpp'], join(folder, 'eight-bit'));
  lines = (await promisify(execFile)(program, NUMBERS)).stdout.trim().split('\n');
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** "FP8 Formats for Deep Learning" (Micikevicius and others 2022), table 1. */
describe.each([
  { dtype: 'f8e4m3', first: 0, bias: 7, fraction: 3, infinity: undefined, nans: [0x7f, 0xff] },
  {
    dtype: 'f8e5m2',
    first: 256 + NUMBERS.length,
    bias: 15,
    fraction: 2,
    infinity: 0x7c,
    nans: [0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff],
  },
] as const)('$dtype', ({ dtype, first, bias, fraction, infinity, nans }) => {
  const table = () => lines.slice(first, first + 256).map((line) => line.split(' ').map(Number));

  it('decodes every code to its number, and encodes that to the code', () => {
    const least = 2 ** (1 - bias - fraction);
    expect(table()[1]?.[0]).toBe(least);
    expect(table()[2 ** fraction]?.[0]).toBe(2 ** (1 - bias));
    expect(Math.max(...table().flatMap(([value = NaN]) => (Number.isFinite(value) ? value : [])))).toBe(
      DTYPES[dtype].largest,
    );
    for (const [code, [value, again]] of table().entries()) {
      if ((nans as readonly number[]).includes(code)) expect(value).toBeNaN();
      // What `printf` calls inf is no number for JavaScript either.
      else if (code % 128 === infinity) expect(lines[first + code]).toMatch(/^-?inf /);
      else
        expect({ code, again, number: Number.isFinite(value) }).toEqual({ code, again: code, number: true });
    }
  });

  it('rounds to the nearest, ties to even, and has one answer to what is too large', () => {
    const encoded = lines.slice(first + 256, first + 256 + NUMBERS.length).map(Number);
    const wanted = {
      f8e4m3: [0x38, 0x3a, 0x7e, 0x7f, 0xff, 0x7f, 0x7f, 0x00, 0x01, 0x80],
      f8e5m2: [0x3c, 0x3d, 0x5f, 0x5f, 0xfc, 0x7b, 0x7c, 0x14, 0x16, 0x80],
    };
    expect(encoded).toEqual(wanted[dtype]);
  });
});
