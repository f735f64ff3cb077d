import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { judgeClaim } from '../../src/judge/judge-claim.ts';
import { compareSamples } from '../../src/judge/compare-measurements.ts';
import { parseClaim } from '../../src/judge/parse-claim.ts';
import type { ClaimField } from '../../src/model/judge/claim.ts';
import { claimReportSchema } from '../../src/model/judge/claim.ts';
import type { Measurement } from '../../src/model/measure/samples.ts';
import { measurementOf, samplesOf } from './samples-of.ts';

/** The form of the pull-request template. */
const TEMPLATE = `
### ⚡ Performance Checks (if touching \`csrc/\`)

- [x] Correctness fuzzing passes
- [ ] If claiming improvement: ≥10% speedup with non-overlapping 95% CIs

## ⚡ Performance Intent & Hypothesis

**Target Shape(s):** B=32, H=8, S=512, D=64
**Hypothesis (Bottleneck):** Warp occupancy (48% → 70% target)
**Nsight Evidence:** artifacts/ncu/before_after.ncu-rep
**Result:**
- Median Δ: +15.2% faster
- CI Overlap: No
- Cliff's δ: 0.42 (medium effect)
- Verdict: ✅ Improvement
`;

const PASSED = { passed: true, oracle: 'oracle.cpp', tensors: [], tampering: [] };
const BLIND = { answer: 'zeros', tensor: 'y', max_abs_err: 4e-4, atol: 1.2e-7, rtol: 1e-3 };
const DIMS = { B: 32, H: 8, S: 512, D: 64 };

function measured(level_ms: number, rest: Partial<Measurement> = {}) {
  const common = { kernel: 'attention', mode: 'cold', variant: {}, dims: DIMS, check: PASSED } as const;
  const baseline = samplesOf(measurementOf({ processes: 10, level_ms: 1, seed: 1 }, common));
  const candidate = samplesOf(measurementOf({ processes: 10, level_ms, seed: 2 }, { ...common, ...rest }));
  return { comparison: compareSamples(baseline, candidate), candidate };
}

const CLAIMED = measured(0.848);
const POLICY = { claimPct: 10 };

function check(text: string, against: Parameters<typeof judgeClaim>[1] = CLAIMED, policy = {}) {
  const report = judgeClaim(parseClaim(text), against, { ...POLICY, ...policy });
  return claimReportSchema.parse(JSON.parse(JSON.stringify(report)));
}

function findingOf(text: string, field: ClaimField, against = CLAIMED) {
  return check(text, against).findings.find((each) => each.field === field)!;
}

const replaced = (line: RegExp, by: string) => TEMPLATE.replace(line, by);

describe('judgeClaim', () => {
  it('proves nothing that only a blind tolerance calls right', () => {
    const { comparison } = measured(0.848);
    const { candidate } = measured(0.848, { check: { ...PASSED, blind: [BLIND] } });
    const report = check(TEMPLATE, { comparison, candidate });
    expect(report.verdict).toBe('not-proven');
    expect(report.findings.find(({ field }) => field === 'correctness')).toMatchObject({
      state: 'wrong',
      message: expect.stringContaining("the tolerance is blind: zeros would pass as 'y'"),
    });
  });

  it('proves a claim that the measurement bears out', () => {
    const report = check(TEMPLATE);
    expect(report.findings.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(report.verdict).toBe('proven');
    expect(report.cases).toMatchObject([{ kernel: 'attention', case: 'training_512' }]);
  });

  it.each([
    ['median-change', /\+15\.2% faster/, '+25.0% faster', /claimed \+25\.0 %; measured \+15/],
    ['median-change', /\+15\.2% faster/, '-15.2% slower', /claimed −15\.2 %/],
    ['ci-overlap', /Overlap: No/, 'Overlap: Yes', /claimed yes, but the intervals do not overlap/],
    ['cliffs-delta', /0\.42/, '-0.42', /means slower/],
    ['cliffs-delta', /0\.42/, '0.12', /needs 0\.3/],
    ['verdict', /✅ Improvement/, 'maintained', /claimed maintained, measured improved/],
    ['target-shapes', /S=512/, 'S=1024', /was not measured; measured: attention\/training_512/],
    ['target-shapes', /B=32.*$/m, 'training_1024', /"training_1024" was not measured/],
  ] as const)('finds %s wrong: %s → %s', (field, line, by, message) => {
    const report = check(replaced(line, by));
    expect(report.verdict).toBe('not-proven');
    const finding = report.findings.find((each) => each.field === field)!;
    expect(finding.state).toBe('wrong');
    expect(finding.message).toMatch(message);
  });

  it.each([
    ['target-shapes', /B=32.*$/m],
    ['hypothesis', /Warp.*$/m],
    ['evidence', /artifacts.*$/m],
    ['median-change', /\+15.*$/m],
    ['ci-overlap', /No$/m],
    ['cliffs-delta', /0\.42.*$/m],
    ['verdict', /✅.*$/m],
  ] as const)('is incomplete without %s', (field, value) => {
    for (const empty of ['', '<!-- fill in -->', 'TBD', '_..._']) {
      if (field === 'ci-overlap' && empty !== '') continue;
      const report = check(replaced(value, empty));
      expect(report.findings.find((each) => each.field === field)).toMatchObject({ state: 'missing' });
      expect(report.verdict).toBe('incomplete');
    }
  });

  it('does not prove a true gain below what may be claimed', () => {
    const finding = findingOf(replaced(/\+15\.2%/, '+7.0%'), 'median-change', measured(0.93));
    expect(finding).toMatchObject({
      state: 'wrong',
      message: expect.stringContaining('below the 10 %') as string,
    });
  });

  it('does not prove anything of an unchanged kernel', () => {
    const report = check(TEMPLATE, measured(1));
    const wrong = report.findings.filter(({ state }) => state === 'wrong').map(({ field }) => field);
    expect(wrong).toEqual(expect.arrayContaining(['median-change', 'verdict']));
    expect(report.verdict).toBe('not-proven');
  });

  it('does not prove a fast wrong result', () => {
    const report = check(TEMPLATE, measured(0.848, { check: { ...PASSED, passed: false } }));
    expect(report.findings).toContainEqual(expect.objectContaining({ field: 'correctness', state: 'wrong' }));
  });

  it('is incomplete where nobody looked whether the result is right', () => {
    const { candidate, comparison } = CLAIMED;
    const [{ check: _, ...unchecked }] = candidate.measurements as [Measurement];
    const report = check(TEMPLATE, { comparison, candidate: samplesOf(unchecked) });
    expect(report.verdict).toBe('incomplete');
    expect(check(replaced(/B=32.*$/m, 'training_512'), { comparison }).verdict).toBe('incomplete');
  });

  describe('at the limits of what was measured,', () => {
    const [measuredCase] = CLAIMED.comparison.cases;
    if (measuredCase?.state !== 'estimated') throw new Error('not estimated');
    const one: Extract<typeof measuredCase, { state: 'estimated' }> = {
      ...measuredCase,
      change_pct: 15,
      ci_pct: [14, 16],
      median: { change_pct: 13, ci_pct: [12, 13.5] },
      cliffs_delta: 0.5,
      ci_overlap: false,
    };
    function stateOf(field: ClaimField, text: string, rest: Partial<typeof one>): string {
      const comparison = { ...CLAIMED.comparison, cases: [{ ...one, ...rest }] };
      return findingOf(text, field, { ...CLAIMED, comparison }).state;
    }
    const change = (claimed: string, rest: Partial<typeof one> = {}) =>
      stateOf('median-change', replaced(/\+15\.2%/, claimed), rest);
    const delta = (claimed: string, cliffs_delta: number) =>
      stateOf('cliffs-delta', replaced(/0\.42/, claimed), { cliffs_delta });

    it('a change may be that of the level or of the median, to the digits that are given', () => {
      expect(['+15%', '+12.5%', '+16.4%', '+13.9%', '+11.6%'].map((each) => change(each))).toEqual([
        'ok',
        'ok',
        'wrong',
        'wrong',
        'wrong',
      ]);
      // A claim without digits stands for all that is rounded to it: 16.4 to 16, and 11.6 to 12.
      expect(change('+16%', { ci_pct: [14, 15.6] })).toBe('ok');
      expect(change('+16%', { ci_pct: [14, 15.4] })).toBe('wrong');
      expect(change('+12%', { median: { change_pct: 13, ci_pct: [12.4, 13.5] } })).toBe('ok');
      expect(change('+12%', { median: { change_pct: 13, ci_pct: [12.6, 13.5] } })).toBe('wrong');
    });

    it('a change needs an interval that is clear of zero, and as much as may be claimed', () => {
      expect(change('+15%', { ci_pct: [0, 30] })).toBe('wrong');
      expect(change('+15%', { ci_pct: [0.1, 30] })).toBe('ok');
      expect(change('+10%', { change_pct: 10, ci_pct: [9, 11] })).toBe('ok');
      expect(change('+10%', { change_pct: 9.9, ci_pct: [9, 11] })).toBe('wrong');
    });

    it('an effect may be understated and not overstated, and is at least 0.3', () => {
      expect([delta('0.42', 0.5), delta('0.50', 0.5), delta('0.5', 0.46)]).toEqual(['ok', 'ok', 'ok']);
      expect([delta('0.52', 0.5), delta('0.5', 0.44), delta('0.42', 0.29)]).toEqual([
        'wrong',
        'wrong',
        'wrong',
      ]);
      expect([delta('0.3', 0.3), delta('0.29', 0.5)]).toEqual(['ok', 'wrong']);
    });

    it('intervals that overlap prove nothing, even where the claim admits it', () => {
      const yes = replaced(/Overlap: No/, 'Overlap: Yes');
      expect(stateOf('ci-overlap', yes, { ci_overlap: true })).toBe('wrong');
      expect(stateOf('ci-overlap', TEMPLATE, { ci_overlap: true })).toBe('wrong');
    });

    it('a case that is incorrect is wrong, whatever its samples say', () => {
      expect(stateOf('correctness', TEMPLATE, { verdict: 'incorrect' })).toBe('wrong');
    });
  });

  it('needs the samples to know dimensions, and says so', () => {
    const { comparison } = CLAIMED;
    expect(check(TEMPLATE, { comparison }).findings[0]).toMatchObject({
      state: 'missing',
      message: expect.stringContaining('give the candidate’s samples') as string,
    });
  });

  it('looks for the evidence where it can', () => {
    const evidence = (isThere: () => boolean) =>
      check(TEMPLATE, CLAIMED, { isThere }).findings.find(({ field }) => field === 'evidence')?.state;
    expect(evidence(() => true)).toBe('ok');
    expect(evidence(() => false)).toBe('wrong');
  });

  it('holds a claim about several cases against each of them', () => {
    const cases = [
      { case: 'a', level_ms: 0.848 },
      { case: 'b', level_ms: 0.99 },
    ];
    const side = (faster: boolean) =>
      samplesOf(
        ...cases.map((one, seed) =>
          measurementOf(
            { processes: 10, level_ms: faster ? one.level_ms : 1, seed: seed + (faster ? 10 : 1) },
            { case: one.case, check: PASSED },
          ),
        ),
      );
    const both = { comparison: compareSamples(side(false), side(true)), candidate: side(true) };
    expect(check(replaced(/B=32.*$/m, 'a'), both).verdict).toBe('proven');
    const report = check(replaced(/B=32.*$/m, 'a, b'), both);
    expect(report.cases).toHaveLength(2);
    expect(report.findings.find(({ field }) => field === 'median-change')!.message).toMatch(/^b: /);
  });
});

describe('parseClaim', () => {
  it.each([
    ['+15.2% faster', 15.2],
    ['15.2 %', 15.2],
    ['15,2 % faster', 15.2],
    ['**+15.2 %** (95 % interval 14 % to 16 %)', 15.2],
    ['−4 %', -4],
    ['4% slower', -4],
    ['1.25× faster', 20],
    ['1.25x speedup', 20],
  ])('reads the change "%s"', (text, value) => {
    const { change } = parseClaim(`Median Δ: ${text}`);
    expect(change).toMatchObject({ state: 'read' });
    if (change?.state === 'read') expect(change.value.value).toBeCloseTo(value, 9);
  });

  it.each(['-15% faster', '+5% slower', '48% → 70%', 'a lot', '0.32 ms', '-1.2x faster'])(
    'does not guess at the change "%s"',
    (text) => {
      expect(parseClaim(`Median Δ: ${text}`).change).toMatchObject({ state: 'unreadable' });
    },
  );

  it.each([
    'Median Δ: +15.2 %',
    '* __Median ∆__ : +15.2 %',
    '> - **Median delta**: `+15.2 %`',
    '| Median Δ | +15.2 % |',
    '### Median change\n\n+15.2 %\n',
    '- [x] **Median Δ:**   +15.2 %\r\n',
  ])('finds the field in %j', (text) => {
    expect(parseClaim(text).change).toMatchObject({ state: 'read', value: { value: 15.2 } });
  });

  it('reads shapes by name and by dimensions, several at once', () => {
    const { shapes } = parseClaim(
      'Target Shape(s): B=32, H=8 and B = 16, H=8; `attention/training_512`, x fp16',
    );
    expect(shapes).toMatchObject({
      value: [
        { kind: 'dims', dims: { B: 32, H: 8 } },
        { kind: 'dims', dims: { B: 16, H: 8 } },
        { kind: 'name', name: 'attention/training_512' },
        { kind: 'name', name: 'x' },
      ],
    });
  });

  it('reads evidence as paths and links, not as prose', () => {
    const { evidence } = parseClaim(
      'Nsight Evidence: see [this](out/a.ncu-rep), b.ncu-rep. https://ci/run/1',
    );
    expect(evidence).toMatchObject({ value: ['out/a.ncu-rep', 'b.ncu-rep', 'https://ci/run/1'] });
    expect(parseClaim('Evidence: trust me').evidence).toMatchObject({ state: 'unreadable' });
  });

  it('refuses a field that is stated twice, differently', () => {
    const { verdict } = parseClaim('Verdict: improved\nVerdict: regressed');
    expect(verdict).toMatchObject({
      state: 'unreadable',
      why: expect.stringContaining('more than once') as string,
    });
    expect(parseClaim('Verdict: not an improvement').verdict).toMatchObject({ state: 'unreadable' });
  });

  it('reads neither comments nor quoted output', () => {
    const text = '<!-- Verdict: improved -->\n```\nMedian Δ: +50%\n```\n~~~\nCI Overlap: No\n~~~';
    expect(Object.values(parseClaim(text)).filter((each) => each !== undefined)).toEqual([]);
  });

  it('takes any text as data, in bounded time', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseClaim(`Median Δ: ${text}`)));
    for (const unit of ['(', ' ', '|', '**', '[', '.', '+', 'Verdict:', '<!--', '`', '= ', 'a=1 ']) {
      const flood = unit.repeat(200_000 / unit.length);
      for (const label of ['Target Shapes', 'Evidence', 'Median Δ', 'CI Overlap', 'Cliff’s δ', 'Verdict']) {
        check(`${label}: ${flood}`);
      }
    }
    expect(() => parseClaim('x'.repeat(1_000_001))).toThrow(/too long/);
  });

  it('shows hostile text harmless', () => {
    const { message } = findingOf(replaced(/B=32.*$/m, `\u001b[2J\u202e${'x'.repeat(500)}`), 'target-shapes');
    expect(message).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(message.length).toBeLessThan(300);
  });
});
