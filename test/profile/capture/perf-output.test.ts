import { describe, expect, it } from 'vitest';

import { parsePerfOutput, perCall } from '../../../src/profile/capture/perf-output.ts';
import { compareCounters } from '../../../src/profile/compare-counters.ts';

const COUNTED = `some program's own line, with commas, in it
1200000,,cycles:u,5000000,100.00,,
2400000,,instructions:u,5000000,66.67,2.00,insn per cycle
<not supported>,,stalled-cycles-backend:u,0,100.00,,
<not counted>,,cache-misses:u,0,0.00,,
`;

describe("perf's CSV", () => {
  it('gives counts by event, and events that were not counted are missing, not zero', () => {
    const output = parsePerfOutput(COUNTED);
    expect([...output.counts.keys()]).toEqual(['cycles', 'instructions']);
    expect(output.missing).toEqual(['stalled-cycles-backend', 'cache-misses']);
  });

  it('is told for one call, and says where counters took turns', () => {
    expect(perCall(parsePerfOutput(COUNTED), 100)).toEqual([
      { name: 'cycles', per_call: 12_000 },
      { name: 'instructions', per_call: 24_000, counted_pct: 66.67 },
    ]);
  });
});

describe('two countings of one kernel', () => {
  const counters = (cycles: number, instructions: number, misses: number) => [
    { name: 'cycles', per_call: cycles },
    { name: 'instructions', per_call: instructions },
    { name: 'cache-misses', per_call: misses },
  ];

  it('name more instructions as the cause before anything else', () => {
    expect(compareCounters(counters(1000, 2000, 10), counters(1500, 3000, 40))).toBe(
      '50 % more cycles: instructions went from 2,000 to 3,000 per call.',
    );
  });

  it('name cache misses where the work is the same', () => {
    expect(compareCounters(counters(1000, 2000, 10), counters(1500, 2001, 40))).toMatch(
      /^50 % more cycles: cache misses went from 10 to 40/,
    );
  });

  it('do not blame what moved the other way', () => {
    expect(compareCounters(counters(1000, 2000, 40), counters(1500, 2000, 10))).toMatch(/no other counter/);
  });

  it('say nothing of noise', () => {
    expect(compareCounters(counters(1000, 2000, 40), counters(1005, 3000, 10))).toMatch(/No change/);
  });
});
