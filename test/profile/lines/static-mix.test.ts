import { describe, expect, it } from 'vitest';

import { hotLinesSchema, mixBoundSchema } from '../../../src/model/profile/hot-lines.ts';
import { PipeTimes } from '../../../src/profile/lines/pipe-cycles.ts';
import { readSass } from '../../../src/profile/lines/sass.ts';
import { readDisassembly } from '../../../src/profile/lines/static-lines.ts';
import { mixBound, staticLoops, type CompiledFunction } from '../../../src/profile/lines/static-mix.ts';
import { loopTexts, mixBoundText } from '../../../src/report/text/line-text.ts';
import { captured, compiled, type Version } from './planted-lines.ts';

const place = { place: { file: 'a.cu', line: 7 }, callers: [] };

/** As nvdisasm prints it, a label before its instruction. */
function functionOf(code: readonly string[], capability = '9.0'): CompiledFunction {
  const rows = code.map((one, index) =>
    one.startsWith('.')
      ? one
      : `        /*${(16 * index).toString(16).padStart(4, '0')}*/                   ${one} ;`,
  );
  const [table] = readDisassembly(`\t.section\t.text.planted,"ax"\n${rows.join('\n')}\n`);
  return { table: table!, capability, lines: [{ address: 0, located: place }] };
}

const LOOP = [
  'S2R R0, SR_TID.X',
  '.L_x_0:',
  'LDS R4, [R0]',
  'LDS R5, [R0+0x4]',
  'FFMA R1, R4, R5, R1',
  'FFMA R2, R4, R5, R2',
  'FFMA R3, R4, R5, R3',
  'FFMA R6, R4, R5, R6',
  'IADD3 R0, R0, 0x8, RZ',
  'ISETP.NE.AND P0, PT, R0, R7, PT',
  '@P1 FADD R1, R1, R2',
  '@P0 BRA `(.L_x_0)',
  'STG.E [R8.64], R1',
  'EXIT',
  '.L_x_9:',
  'BRA `(.L_x_9)',
] as const;

describe('the mix of a loop', () => {
  it('takes as long as its busiest unit', () => {
    const [loop, ...others] = staticLoops(functionOf(LOOP), (file) => file);
    expect(others).toEqual([]);
    // Ten instructions through four schedulers, two accesses at one per clock, four of 32 threads at 128 per clock.
    expect(loop).toMatchObject({ instructions: 10, least_cycles: 2.5, bound_by: 'issue' });
    expect(loop?.cycles).toMatchObject({ issue: 2.5, memory: 2, fp32: 1, integer: 1 });
    // Four multiply-adds and an addition, 288 operations, of the 640 that 2.5 clocks have room for.
    expect(loop?.peak).toEqual({ unit: 'fp32', most_pct: 45 });
    const hot = hotLinesSchema.parse({ ...compiled(), loops: [loop] });
    expect(loopTexts(hot)[0]).toMatch(
      /^loop at a\.cu:7: each pass of a warp \(10 instructions\) takes at least 2\.5 clocks .* issuing instructions .*at most 45 % of the FP32 peak; how often it runs is not in the code$/u,
    );
  });

  it('is that of the chip it was compiled for, and of none that is not known', () => {
    // 64 threads per clock on an A100: two clocks for four multiply-adds.
    const [loop] = staticLoops(functionOf(LOOP, '8.0'), (file) => file);
    expect(loop?.cycles.fp32).toBe(2);
    expect(staticLoops(functionOf(LOOP, '5.2'), (file) => file)).toEqual([]);
  });

  it('leaves out what a branch may pass over', () => {
    const skipping = LOOP.flatMap((one) =>
      one.startsWith('IADD3')
        ? ['@P2 BRA `(.L_x_1)', 'MUFU.EX2 R9, R9', 'MUFU.EX2 R9, R9', 'MUFU.EX2 R9, R9', '.L_x_1:', one]
        : [one],
    );
    const [loop] = staticLoops(functionOf(skipping), (file) => file);
    expect(loop?.instructions).toBe(11);
    expect(loop?.cycles.special).toBeUndefined();
  });
});

const DEVICE = { capability: '9.0', sm_count: 132, clock_mhz: 1980 };

describe('the least time of a mix', () => {
  it('is that of the best stretch of code', () => {
    const bound = mixBoundSchema.parse(mixBound([functionOf(LOOP)], 288 * 132 * 1980, DEVICE));
    expect(bound).toMatchObject({ bound_by: 'issue', best: { file: 'a.cu', line: 7 } });
    expect(bound.least_us).toBeCloseTo(2.5, 6);
    expect(mixBoundText({ ...bound, measured_us: 10 })).toMatch(
      /^static: .* take at least 2\.5 µs, bound by issuing instructions, at best as in a\.cu:7; 25 % of the 10\.0 µs that were measured$/u,
    );
    expect(mixBoundText(bound)).toMatch(/was not measured$/u);
    expect(mixBoundText({ ...bound, measured_us: 1 })).toMatch(/fewer operations than pawl\.yaml counts$/u);
  });

  it('is not told where the code has what is not known', () => {
    const known = (code: readonly string[], capability?: string) =>
      mixBound([functionOf(code, capability)], 1e9, DEVICE);
    expect(known(['UTCHMMA gdesc[UR4], gdesc[UR6]', 'EXIT'])).toBeUndefined();
    expect(known(['FADD R1, R1, R2', 'BRX R4 -0x100', 'EXIT'])).toBeUndefined();
    expect(known(['IADD3 R1, R1, R2, RZ', 'EXIT'])).toBeUndefined();
    // Code for another generation does not run on this one.
    expect(known(LOOP, '8.0')).toBeUndefined();
  });

  it('of matrix products goes by their shape', () => {
    const one = functionOf(['HMMA.16816.F32 R4, R8, R12, R4', 'EXIT']);
    const group = functionOf(['HGMMA.64x128x16.F32 R24, gdesc[UR8], R24', 'EXIT']);
    expect(mixBound([one], 4096 * 132 * 1980, DEVICE)?.least_us).toBeCloseTo(1, 6);
    expect(mixBound([group], 64 * 128 * 16 * 2 * 132 * 1980, DEVICE)?.least_us).toBeCloseTo(64, 6);
  });
});

/** Kernels of bench/h200/lines that were profiled on an H200, with what they took (docs/results/lines.md). */
const MEASURED_US: readonly (readonly [Version, string, number])[] = [
  ['faulty', 'header-row-sum', 376.3],
  ['mended', 'header-row-sum', 26.1],
  ['faulty', 'constant-divergent', 1458.7],
  ['mended', 'constant-divergent', 12.4],
  ['faulty', 'long-division', 75.6],
  ['faulty', 'barrier-inner', 68.0],
];

describe('the units of an H200', () => {
  const times = PipeTimes.of(DEVICE.capability)!;

  it.each(MEASURED_US)('were never busy for longer than %s %s took', (version, name, measured_us) => {
    const total = new Map<string, number>();
    for (const { text, executed = 0 } of captured(version, name).table.instructions)
      for (const [pipe, cycles] of Object.entries(times.cyclesOf(readSass(text))))
        total.set(pipe, (total.get(pipe) ?? 0) + cycles * executed);
    const busiest_us = Math.max(...total.values()) / (DEVICE.sm_count * DEVICE.clock_mhz);
    expect(busiest_us).toBeGreaterThan(0);
    expect(busiest_us).toBeLessThan(measured_us);
  });
});
