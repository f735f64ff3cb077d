import { describe, expect, it } from 'vitest';

import { parseSamples } from '../../src/model/measure/parse-samples.ts';
import { samplesSchema } from '../../src/model/measure/samples.ts';

function file(...series: object[]): object {
  return {
    schema: 'pawl.samples/1',
    measurements: [
      { case: 'a', series },
      { case: 'b', series: [] },
    ],
  };
}

const GOOD = [
  file({ samples_ms: [1, 2, 3], clock_mhz: [5, 6, 7], process: 1 }, { samples_ms: [4], note: 'dropped' }),
  file({ samples_ms: [0.5] }),
];

const BAD: unknown[] = [
  file({ samples_ms: [] }),
  file({ samples_ms: [1, -2] }),
  file({ samples_ms: [1, 0] }),
  file({ samples_ms: ['1'] }),
  file({ samples_ms: [1, null] }),
  file({ samples_ms: { 0: 1 } }),
  file({ samples_ms: [1, 1e308] }),
  file({ samples_ms: [5e-324] }),
  file({ clock_mhz: [1] }),
  file({ samples_ms: [1], clock_mhz: [Number.NaN] }),
  { schema: 'pawl.samples/1', measurements: [{ series: [{ samples_ms: [1] }] }] },
  { schema: 'pawl.samples/1', measurements: 'none' },
  null,
  [],
];

describe('parseSamples', () => {
  it.each(GOOD)('reads file %# as the schema does, and leaves it as it was', (value) => {
    const before = JSON.stringify(value);
    expect(parseSamples(value)).toEqual(samplesSchema.safeParse(value));
    expect(JSON.stringify(value)).toBe(before);
  });

  it.each(BAD)('refuses %j with the words of the schema', (value) => {
    const expected = samplesSchema.safeParse(value);
    const actual = parseSamples(value);
    expect(expected.success).toBe(false);
    expect(actual.error?.issues).toEqual(expected.error?.issues);
  });
});
