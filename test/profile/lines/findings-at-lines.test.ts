import { describe, expect, it } from 'vitest';

import type { Diagnosis, Finding } from '../../../src/model/diagnosis.ts';
import type { RuleId } from '../../../src/model/diagnosis-words.ts';
import { withLines } from '../../../src/profile/lines/findings-at-lines.ts';
import { renderDiagnosis } from '../../../src/report/diagnosis-terminal.ts';
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
