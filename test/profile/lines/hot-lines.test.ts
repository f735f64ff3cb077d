import { describe, expect, it } from 'vitest';

import { hotLinesSchema } from '../../../src/model/profile/hot-lines.ts';
import { capturedLines } from '../../../src/profile/lines/captured-lines.ts';
import { hotLines } from '../../../src/profile/lines/hot-lines.ts';
import { readLineTable } from '../../../src/profile/lines/line-table.ts';
import { readSourcePage } from '../../../src/profile/lines/source-page.ts';
import { hotLinesLines } from '../../../src/report/terminal/hot-lines-terminal.ts';
import { chainText } from '../../../src/report/text/line-text.ts';
import { captured, hot, sourcesOf, unpacked } from './planted-lines.ts';

const PLAIN = { paint: (_: string, text: string) => text, columns: 120, verbose: false };

describe('hot lines of a real export', () => {
  it.each(['header-row-sum', 'long-division', 'barrier-inner', 'constant-divergent'])(
    'account for every sample of %s',
    (name) => {
      const lines = hotLinesSchema.parse(hot('faulty', name));
      const { table } = captured('faulty', name);
      const samples = table.instructions.reduce((sum, one) => sum + one.samples, 0);
      expect(lines.samples).toBe(samples);
      expect(lines.lines.reduce((sum, one) => sum + one.share_pct, 0)).toBeCloseTo(100, 6);
      expect(lines.lines.reduce((sum, one) => sum + one.samples, 0)).toBe(samples);
      expect(lines.located_pct).toBeGreaterThan(99.9);
    },
  );

  it('name the line of a header, with its source, the call it was inlined into and its bank conflicts', () => {
    const [first] = hot('faulty', 'header-row-sum').lines;
    expect(first).toMatchObject({
      file: 'row-sum.cuh',
      line: 10,
      source: '    sum += tile[row * 32 + (from + k) % 32];',
      inlined_into: [{ file: 'header-row-sum.cu', line: 15 }],
    });
    expect(first!.share_pct).toBeGreaterThan(95);
    expect(first!.excess_wavefronts! / first!.wavefronts!).toBeGreaterThan(0.9);
    expect(first!.registers).toBeGreaterThan(4);
    expect(first!.instructions.some(({ text }) => text.startsWith('LDS'))).toBe(true);
  });

  it('charge a wait for shared memory to the load, not to the sum that waits', () => {
    const first = hot('faulty', 'header-row-sum').lines[0]!;
    const loads = first.instructions.filter(({ text }) => text.startsWith('LDS'));
    const sums = first.instructions.filter(({ text }) => text.startsWith('FADD'));
    const short = (list: typeof loads) =>
      list.reduce((sum, { stalls }) => sum + (stalls['short-scoreboard'] ?? 0), 0);
    expect(short(loads)).toBeGreaterThan(20);
    expect(short(sums)).toBe(0);
    expect(
      sums.some(({ waits_for = [] }) => waits_for.some((at) => loads.some((load) => load.address === at))),
    ).toBe(true);
  });

  it('charge waiting at a barrier to the barrier, although warps are found at the instruction after it', () => {
    const [first] = hot('faulty', 'barrier-inner').lines;
    expect(first).toMatchObject({ line: 15, source: '    __syncthreads();' });
    expect(first!.stalls['barrier']).toBeGreaterThan(40);
    expect(first!.samples).toBeLessThan(first!.share_pct * 0.01 * hot('faulty', 'barrier-inner').samples);
  });

  it('give the code of a 64-bit division, which has no lines, to the line that divides', () => {
    const [first] = hot('faulty', 'long-division').lines;
    expect(first?.line).toBe(12);
    expect(first!.share_pct).toBeGreaterThan(80);
  });

  it('are lines of Python for Triton', () => {
    const page = unpacked('faulty', 'triton.source.csv').toString('utf8');
    const cubins = ['strided_load', 'inlined_helper'].map((name) => unpacked('faulty', `${name}.cubin`));
    const tables = capturedLines(page, cubins);
    const firsts = tables.map(({ table, lines }) => hotLines(table, lines, sourcesOf('faulty')).lines[0]);
    expect(firsts.map((line) => line?.source?.trim())).toEqual([
      'total += tl.load(x + (at * 16 + r) % n)',
      'return tl.sin(turned)',
    ]);
    expect(firsts[0]).toMatchObject({ file: 'planted.py', line: 15 });
  });

  it('are shown in a terminal with the source beside them and reasons in words', () => {
    const text = hotLinesLines(hot('faulty', 'header-row-sum'), PLAIN).join('\n');
    expect(text).toMatch(/98\.\d %\s+row-sum\.cuh:10 {2}sum \+= tile\[row \* 32/u);
    expect(text).toMatch(/waits for shared memory/u);
    expect(text).toMatch(/bank conflicts: 97 % of its passes/u);
    expect(text).toMatch(/inlined into header-row-sum\.cu:15/u);
    expect(text).toMatch(/0x[0-9a-f]{4}\s+LDS/u);
  });

  it('without a line table say so, and keep every sample', () => {
    const { table } = captured('faulty', 'header-row-sum');
    const without = hotLines(table, undefined, sourcesOf('faulty'));
    expect(without.located_pct).toBe(0);
    expect(without.lines).toHaveLength(1);
    expect(hotLinesLines(without, PLAIN).join('\n')).toMatch(/none with a line: build with -lineinfo/u);
  });
});

describe('the line table of compiled code', () => {
  it('has the whole chain of calls of nested templates', () => {
    const [, rows] = [...readLineTable(unpacked('faulty', 'tile-functor-slow.cubin'))].find(([name]) =>
      name.includes('planted'),
    )!;
    const deepest = rows.map(({ located }) => located).find(({ callers }) => callers.length === 2);
    expect(deepest?.place.file).toMatch(/smooth\.hpp$/u);
    expect(deepest?.callers.map(({ file, line }) => `${file.split('/').at(-1)}:${line}`)).toEqual([
      'tensor.hpp:74',
      'tile-functor-slow.cu:15',
    ]);
  });

  it('is empty for what is not compiled code, and never throws for a damaged file', () => {
    expect(readLineTable(Buffer.from('no ELF')).size).toBe(0);
    const whole = unpacked('faulty', 'header-row-sum.cubin');
    let seed = 12_345;
    const random = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % limit;
    };
    for (let round = 0; round < 300; round += 1) {
      const damaged = Buffer.from(whole.subarray(0, round % 3 === 0 ? random(whole.length) : whole.length));
      for (let hit = 0; hit < 20 && damaged.length > 0; hit += 1)
        damaged[random(damaged.length)] = random(256);
      expect(() => readLineTable(damaged)).not.toThrow();
    }
  });
});

describe('a source page', () => {
  it('that is cut off or damaged says which line, and keeps the rest', () => {
    const text = unpacked('faulty', 'barrier-inner.source.csv').toString('utf8');
    const rows = text.split('\n');
    const whole = readSourcePage(text).tables[0]!.instructions.length;
    const broken = [...rows.slice(0, 10), rows[10]!.slice(0, -30), ...rows.slice(11)].join('\n');
    const { tables, problems } = readSourcePage(broken);
    expect(tables[0]?.instructions.length).toBeGreaterThanOrEqual(whole - 1);
    expect(readSourcePage('').tables).toEqual([]);
    expect(readSourcePage(rows[2]!.replace('"0"', '"-5"')).tables).toEqual([]);
    const negative = readSourcePage([rows[0], rows[1], rows[2]!.replace(/"\d+"/u, '"-5"')].join('\n'));
    expect([...problems, ...negative.problems].join('\n')).toMatch(/line 3 of the source page/u);
  });
});

it('names the file of a call once where the calls of an inlined line are all in it', () => {
  const inlined_into = [
    { file: 'a.cu', line: 12 },
    { file: 'a.cu', line: 30 },
    { file: 'main.cu', line: 4 },
  ];
  expect(chainText({ file: 'a.cu', inlined_into })).toBe('line 12 ← line 30 ← main.cu:4');
  expect(chainText({ file: 'a.cu' })).toBe('');
});
