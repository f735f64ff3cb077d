import { describe, expect, it } from 'vitest';

import type { Diagnosis, Finding } from '../../../src/model/profile/diagnosis.ts';
import type { RuleId } from '../../../src/model/profile/diagnosis-words.ts';
import type { HotLines } from '../../../src/model/profile/hot-lines.ts';
import { withLines } from '../../../src/profile/lines/findings-at-lines.ts';
import { renderDiagnosis } from '../../../src/report/terminal/diagnosis-terminal.ts';
import { hot } from './planted-lines.ts';

function diagnosis(...rules: readonly RuleId[]): Diagnosis {
  const findings = rules.map((rule): Finding => ({
    rule,
    priority: 1,
    evidence: {},
    diagnosis: 'D.',
    fix: 'F.',
    expected_gain_pct: 10,
  }));
  return {
    schema: 'pawl.diagnosis/1',
    kernels: [{ name: 'planted', limiter: 'l1-shared', findings, not_collected: [] }],
  };
}

describe('findings', () => {
  it('of bank conflicts name the line that has them, and its share of the time', () => {
    const found = withLines(diagnosis('bank-conflicts'), [hot('faulty', 'header-row-sum')]);
    const [line] = found.kernels[0]!.findings[0]!.lines ?? [];
    expect(line).toMatchObject({ file: 'row-sum.cuh', line: 10 });
    expect(line!.share_pct).toBeGreaterThan(90);
    expect(line!.of_finding_pct).toBeGreaterThan(99);
    expect(renderDiagnosis(found)).toMatch(
      /at row-sum\.cuh:10, inlined into header-row-sum\.cu:15 \(99 % of the time/u,
    );
  });

  it('of barriers name the barrier', () => {
    const found = withLines(diagnosis('barrier-stall'), [hot('faulty', 'barrier-inner')]);
    expect(found.kernels[0]!.findings[0]!.lines?.[0]).toMatchObject({ file: 'barrier-inner.cu', line: 15 });
  });

  it('that no line has a part in stay without one', () => {
    const found = withLines(diagnosis('stray-fp64', 'tail-wave'), [hot('faulty', 'header-row-sum')]);
    expect(found.kernels[0]!.findings.map(({ lines }) => lines)).toEqual([undefined, undefined]);
  });

  it('of another number of launches are left alone', () => {
    const asked = diagnosis('bank-conflicts');
    expect(withLines(asked, [])).toBe(asked);
  });
});

/** A line of a profile: instructions with how often they were executed and what they cost. */
function lineOf(
  ...code: readonly (readonly [text: string, executed: number, share_pct: number])[]
): HotLines {
  const instructions = code.map(([text, executed, share_pct], index) => ({
    address: `0x${(16 * index).toString(16).padStart(4, '0')}`,
    text,
    executed,
    share_pct,
    samples: share_pct,
    stalls: {},
  }));
  const share_pct = code.reduce((sum, [, , each]) => sum + each, 0);
  const line = { file: 'a.cu', line: 7, share_pct, samples: share_pct, stalls: {}, instructions };
  return { kernel: 'a', basis: 'hardware-samples', samples: 100, located_pct: 100, lines: [line] };
}

/** As nvcc 13 writes a division of unsigned integers, with what each instruction costs. */
const division = (times: number, each_pct: number): (readonly [string, number, number])[] =>
  [
    'I2F.U32.RP R4, R3',
    'MUFU.RCP R4, R4',
    'IADD3 R4, R4, 0xffffffe, RZ',
    'F2I.FTZ.U32.TRUNC.NTZ R5, R4',
    'IMAD.MOV R6, RZ, RZ, -R5',
    'IMAD R6, R6, R3, RZ',
    'IMAD.HI.U32 R5, R5, R6, R4',
    'IMAD.MOV R6, RZ, RZ, -R5',
    'IMAD R6, R3, R6, R2',
    'ISETP.GE.U32.AND P0, PT, R6, R3, PT',
    '@P0 IMAD.IADD R6, R6, 0x1, -R3',
    '@P0 IADD3 R5, R5, 0x1, RZ',
    'ISETP.GE.U32.AND P1, PT, R6, R3, PT',
    '@P1 IADD3 R5, R5, 0x1, RZ',
  ].map((text) => [text, times, each_pct] as const);

describe('slow arithmetic', () => {
  const slowIn = (asked: Diagnosis, lines: HotLines): Finding | undefined =>
    withLines(asked, [lines]).kernels[0]!.findings.find(({ rule }) => rule === 'slow-arithmetic');
  const limitedBy = (limiter: Diagnosis['kernels'][number]['limiter'], ...rules: RuleId[]): Diagnosis => {
    const asked = diagnosis(...rules);
    return { ...asked, kernels: asked.kernels.map((kernel) => Object.assign(kernel, { limiter })) };
  };

  it('of a division of 64-bit integers names its line and its share', () => {
    const found = slowIn(limitedBy('compute', 'compute-bound'), hot('faulty', 'long-division'));
    expect(found?.lines?.[0]).toMatchObject({ file: 'long-division.cu', line: 12 });
    expect(found?.evidence['integer_divisions_pct']).toBeGreaterThan(90);
    expect(found?.diagnosis).toMatch(
      /^About 9\d % of the samples are in slow arithmetic: integer divisions/u,
    );
  });

  it('stands where its gain puts it, and nothing is at its limit beside it', () => {
    const asked = limitedBy('compute', 'at-limit');
    const told = withLines(asked, [hot('faulty', 'long-division')]).kernels[0]!.findings;
    expect(told.map(({ rule }) => rule)).toEqual(['slow-arithmetic']);
  });

  it('is not what limits a kernel that memory limits, nor found where there is none', () => {
    expect(slowIn(limitedBy('dram'), hot('faulty', 'long-division'))).toBeUndefined();
    expect(slowIn(limitedBy('compute'), hot('faulty', 'header-row-sum'))).toBeUndefined();
    expect(slowIn(limitedBy('compute'), hot('faulty', 'barrier-inner'))).toBeUndefined();
  });

  it('is only what its own instructions cost: a load beside a division is none of it', () => {
    const load = ['LDG.E R8, desc[UR4][R8.64]', 1000, 80] as const;
    expect(slowIn(limitedBy('latency'), lineOf(...division(1000, 0.5), load))).toBeUndefined();
    const [found] = [slowIn(limitedBy('latency'), lineOf(...division(1000, 2), load))];
    expect(found?.evidence['integer_divisions_pct']).toBeCloseTo(28, 0);
  });

  it('is not found where nobody counted, or where the instructions were never executed', () => {
    expect(slowIn(limitedBy('compute'), lineOf(...division(0, 5)))).toBeUndefined();
  });

  it('of doubles is said once', () => {
    const doubles = lineOf(
      ['F2F.F64.F32 R2, R2', 1000, 30],
      ['DFMA R2, R2, R4, R6', 1000, 20],
      ['F2F.F32.F64 R2, R2', 1000, 30],
    );
    expect(slowIn(limitedBy('compute'), doubles)?.evidence).toEqual({ doubles_pct: 80 });
    expect(slowIn(limitedBy('compute', 'stray-fp64'), doubles)).toBeUndefined();
  });
});
