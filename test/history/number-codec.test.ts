import { array, assert, double, float, integer, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ByteReader, ByteWriter, readNumbers, writeNumbers } from '../../src/history/number-codec.ts';

function bytesOf(values: readonly number[]): Uint8Array {
  const writer = new ByteWriter();
  writeNumbers(writer, values);
  return writer.written();
}

function roundTrip(values: readonly number[]): number[] {
  return readNumbers(new ByteReader(bytesOf(values)));
}

describe('numbers', () => {
  test('any doubles come back bit for bit', () => {
    assert(
      property(array(double({ noNaN: true })), (values) => {
        expect(roundTrip(values)).toEqual(values);
        expect(roundTrip(values).every((value, i) => Object.is(value, values[i]))).toBe(true);
      }),
    );
  });

  test('decimals of any number of digits come back bit for bit', () => {
    const decimal = tuple(integer(), integer({ min: 0, max: 20 })).map(([a, b]) => Number(`${a}e-${b}`));
    assert(
      property(array(decimal), (values) => {
        expect(roundTrip(values)).toEqual(values);
      }),
    );
  });

  test('singles come back bit for bit', () => {
    assert(
      property(array(float({ noNaN: true, min: 0 })), (values) => {
        expect(roundTrip(values)).toEqual(values);
      }),
    );
  });

  test('timings of whole nanoseconds take less than two and a half bytes each', () => {
    const values = Array.from({ length: 1000 }, (_, i) => (53_000 + ((i * 7919) % 1500)) / 1e6);
    expect(bytesOf(values).length).toBeLessThan(2500);
    expect(roundTrip(values)).toEqual(values);
  });

  test('single-precision timings take less than half of what they are', () => {
    const values = Array.from({ length: 1000 }, (_, i) =>
      Math.fround(0.0531 * (1 + ((i * 7919) % 997) / 1e5)),
    );
    expect(bytesOf(values).length).toBeLessThan(4000);
    expect(roundTrip(values)).toEqual(values);
  });

  test('bytes that end too early are refused, at every length', () => {
    const bytes = bytesOf([0.1, 0.25, 3, 1e300]);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => readNumbers(new ByteReader(bytes.subarray(0, length)))).toThrow(RangeError);
    }
  });
});
