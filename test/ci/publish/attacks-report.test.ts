import { describe, expect, it } from 'vitest';

import { readZip } from '../../../src/ci/artifact/read-zip.ts';
import { supportedVerdict } from '../../../src/ci/artifact/supported-verdict.ts';
import type { CaseComparison } from '../../../src/model/judge/comparison.ts';
import type { CiRun } from '../../../src/model/reports/ci-run.ts';
import { measurementOf, samplesOf } from '../../judge/samples-of.ts';
import { caseLabel } from '../../../src/model/judge/case-key.ts';
import { compareSamples } from '../../../src/judge/compare-measurements.ts';
import { parseCiRun } from '../../../src/ci/artifact/parse-ci-run.ts';
import { ciRun, failedRun } from '../ci-runs.ts';
import { goodRun, plant, publish, reportZip, slowCheck } from './hostile-runs.ts';
import { makeZip } from './make-zip.ts';
import { Stage } from './stage.ts';

type EstimatedCase = Extract<CaseComparison, { state: 'estimated' }>;

/** A good run with its first estimated case changed. */
function withCase(changes: Partial<EstimatedCase>): CiRun {
  const run = goodRun();
  const [first, ...rest] = run.check!.comparison.cases;
  run.check!.comparison.cases = [{ ...first!, ...changes } as CaseComparison, ...rest];
  return run;
}

/** A good run as text, with a field of its first case written another way. */
function withText(field: string, text: string): string {
  const marked = withCase({ [field]: 'HERE' });
  return JSON.stringify(marked).replace('"HERE"', text);
}

describe('attacks with the report', () => {
  const stage = new Stage();

  it('forged success: slower cases under a claim of success are shown as a regression', async () => {
    const run = ciRun({ verdict: 'improved', conclusion: 'success', check: slowCheck() });
    run.check!.verdict = 'improved';
    run.check!.comparison.verdict = 'improved';
    const { comment, conclusion, outcome } = await stage.shown(run);
    expect(conclusion).toBe('failure');
    expect(outcome.run.verdict).toBe('regressed');
    expect(comment).toMatch(/^❌ \*\*.* slower (?:in|on) /u);
  });

  it('forged case: numbers of a slowdown under the word maintained are shown as a regression', async () => {
    const check = slowCheck();
    for (const one of check.comparison.cases) one.verdict = 'maintained';
    check.verdict = 'maintained';
    const { conclusion, comment } = await stage.shown(
      ciRun({ verdict: 'maintained', conclusion: 'success', check }),
    );
    expect(conclusion).toBe('failure');
    expect(comment).toContain('which its own numbers do not support');
  });

  it('forged improvement: a case that is not faster is not shown as improved', async () => {
    const check = slowCheck();
    check.comparison.cases = check.comparison.cases.filter((one) => one.case === 'same');
    for (const one of check.comparison.cases) one.verdict = 'improved';
    const { outcome } = await stage.shown(ciRun({ verdict: 'improved', conclusion: 'success', check }));
    expect(outcome.run.check?.verdict).toBe('maintained');
  });

  it('policy loosened: a report judged by 50 % is held to the threshold of the publishing workflow', async () => {
    const check = slowCheck();
    for (const one of check.comparison.cases) one.verdict = 'maintained';
    check.comparison.thresholds = { regression_pct: 50, improvement_pct: 5 };
    const policy = { ...ciRun().policy!, regression_pct: 50 };
    const run = ciRun({ verdict: 'maintained', conclusion: 'success', check, policy });
    const { conclusion, comment, outcome } = await stage.shown(run, { thresholds: { regression_pct: 3 } });
    expect(conclusion).toBe('failure');
    expect(outcome.run.policy?.regression_pct).toBe(3);
    expect(comment).toContain('looser rules');
  });

  it('policy loosened in one place only: the stricter threshold counts', async () => {
    const check = slowCheck();
    for (const one of check.comparison.cases) one.verdict = 'maintained';
    check.comparison.thresholds = { regression_pct: 50, improvement_pct: 5 };
    const { conclusion } = await stage.shown(ciRun({ verdict: 'maintained', conclusion: 'success', check }));
    expect(conclusion).toBe('failure');
  });

  it('threshold of a case loosened: the stricter of what the report says of it counts', async () => {
    const check = slowCheck();
    for (const one of check.comparison.cases)
      Object.assign(one, { verdict: 'maintained', threshold_pct: 50 });
    const run = ciRun({ verdict: 'maintained', conclusion: 'success', check });
    const { conclusion, comment } = await stage.shown(run);
    expect(conclusion).toBe('failure');
    expect(comment).toContain('looser rules');
  });

  it('threshold of a case loosened everywhere: one that the publishing workflow names holds for every case', async () => {
    const check = slowCheck();
    for (const one of check.comparison.cases)
      Object.assign(one, { verdict: 'maintained', threshold_pct: 50 });
    const named = Object.fromEntries(check.comparison.cases.map((one) => [caseLabel(one), 50]));
    const policy = { ...ciRun().policy!, case_regression_pct: named };
    const run = ciRun({ verdict: 'maintained', conclusion: 'success', check, policy });
    const { conclusion, outcome } = await stage.shown(run, { thresholds: { regression_pct: 3 } });
    expect(conclusion).toBe('failure');
    expect(outcome.run.policy?.case_regression_pct).toBeUndefined();
    expect(outcome.run.check?.comparison.cases.every((one) => one.threshold_pct === undefined)).toBe(true);
  });

  it('undecided let through: the publishing workflow’s policy decides', async () => {
    const check = slowCheck();
    for (const one of check.comparison.cases) one.verdict = 'undecided';
    const run = ciRun({ verdict: 'maintained', conclusion: 'success', check });
    const { conclusion } = await stage.shown(run, { undecided: 'fail' });
    expect(conclusion).toBe('failure');
  });

  it('forged waiver: a fork’s own waivers do not make it green', async () => {
    const check = slowCheck();
    const waiver = { reason: 'trust me', author: 'maintainer', expires: '2099-01-01' };
    check.waived = check.comparison.cases.map((key) => ({ key, waiver }));
    check.verdict = 'maintained';
    const { conclusion, comment } = await stage.shown(
      ciRun({ verdict: 'maintained', conclusion: 'success', check }),
    );
    expect(conclusion).toBe('neutral');
    expect(comment).toContain('were not checked against the baseline');
  });

  it('waived wrong result: no waiver covers one', async () => {
    const check = slowCheck();
    const [first] = check.comparison.cases;
    first!.verdict = 'incorrect';
    const waiver = { reason: 'fine', author: 'x', expires: '2099-01-01' };
    check.waived = [{ key: first!, waiver }];
    const { conclusion } = await stage.shown(ciRun({ verdict: 'maintained', conclusion: 'success', check }));
    expect(conclusion).toBe('failure');
  });

  it('claim to have moved the baseline is not repeated', async () => {
    const run = goodRun({
      steps: [{ name: 'baseline', status: 'passed', detail: 'pushed 4 entries to main' }],
    });
    run.check!.advanced = [{ key: run.check!.comparison.cases[1]!, old_ms: 1, new_ms: 0.5, change_pct: 50 }];
    const { comment } = await stage.shown(run);
    expect(comment).not.toMatch(/pushed 4 entries|now the baseline|baseline updated/u);
  });

  it('success without a single case is not success', async () => {
    const run = goodRun();
    run.check!.comparison.cases = [];
    const { conclusion } = await stage.shown(run);
    expect(conclusion).toBe('neutral');
  });

  it('success without any check is a failure to run', async () => {
    const { check: _, ...run } = goodRun();
    const { conclusion, outcome } = await stage.shown(run);
    expect(conclusion).toBe('failure');
    expect(outcome.run.verdict).toBe('failed');
  });

  it('red workflow with a green report is not shown as success', async () => {
    const { conclusion, comment } = await stage.shown(goodRun(), {}, { run: { conclusion: 'failure' } });
    expect(conclusion).toBe('neutral');
    expect(comment).toContain('The workflow itself failed');
  });

  it('a failure to run is shown as one, not as a regression', async () => {
    const { comment, conclusion } = await stage.shown(failedRun());
    expect(comment).toContain('could not run');
    expect(conclusion).toBe('failure');
  });

  it('honest report of a fork is shown as it is, with its label', async () => {
    const { comment, conclusion } = await stage.shown(goodRun());
    expect(conclusion).toBe('neutral');
    expect(comment).toContain('Measured by code of this pull request; not used for the baseline.');
    expect(comment).not.toMatch(/run claims|own numbers/u);
  });

  it('no report of a fork gives a check of success, whatever it claims', async () => {
    const verdicts = ['improved', 'maintained', 'new', 'undecided', 'regressed', 'incorrect'] as const;
    const checks: Record<string, string> = {};
    for (const verdict of verdicts) {
      const { conclusion, outcome } = await stage.shown(goodRun({ verdict }));
      expect(outcome.run.conclusion).toBe(conclusion);
      checks[verdict] = conclusion;
      stage.standIn.reset();
    }
    expect(checks).toEqual({
      improved: 'neutral',
      maintained: 'neutral',
      new: 'neutral',
      undecided: 'neutral',
      regressed: 'failure',
      incorrect: 'failure',
    });
  });

  it('NaN is refused', () => stage.expectReportRefused(withText('change_pct', 'NaN'), /malformed/u));

  it('Infinity is refused', () =>
    stage.expectReportRefused(withText('change_pct', 'Infinity'), /malformed/u));

  it('1e999, which JSON.parse reads as Infinity, is refused', () =>
    stage.expectReportRefused(withText('change_pct', '1e999'), /number is too large/u));

  it('negative time is refused', () =>
    stage.expectReportRefused(
      withCase({ candidate_ms: -1 }),
      /does not match its schema at check\.comparison/u,
    ));

  it('zero time is refused', () =>
    stage.expectReportRefused(withCase({ baseline_ms: 0 }), /does not match/u));

  it('time of an age is refused', () =>
    stage.expectReportRefused(withCase({ candidate_ms: 1e300, baseline_ms: 1e300 }), /longer than a month/u));

  it('change that is not that of its times is refused', () =>
    stage.expectReportRefused(
      withCase({ change_pct: 40, ci_pct: [39, 41] }),
      /does not match its two times/u,
    ));

  it('change outside of its interval is refused', () =>
    stage.expectReportRefused(withCase({ ci_pct: [50, 60] }), /outside its own interval/u));

  it('case that comes twice is refused', () => {
    const run = goodRun();
    run.check!.comparison.cases.push(run.check!.comparison.cases[0]!);
    return stage.expectReportRefused(run, /case appears twice/u);
  });

  it('step that comes twice is refused', () =>
    stage.expectReportRefused(
      goodRun({
        steps: [
          { name: 'build', status: 'failed' },
          { name: 'build', status: 'passed' },
        ],
      }),
      /schema at steps/u,
    ));

  it('deep JSON is refused without overflowing a stack', () =>
    stage.expectReportRefused(
      `{"schema":"pawl.ci/1","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      /nested more than/u,
    ));

  it('JSON of too many values is refused', () => {
    const list = `[${'1,'.repeat(19_999)}1]`;
    return stage.expectReportRefused(`[${`${list},`.repeat(150)}${list}]`, /more than 2000000 values/u);
  });

  it('list of too many members is refused', () =>
    stage.expectReportRefused(`[${'1,'.repeat(50_000)}1]`, /more than 20000 members/u));

  it('__proto__ as a name is refused', () =>
    stage.expectReportRefused(
      `{"schema":"pawl.ci/1","__proto__":{"conclusion":"success"}}`,
      /forbidden name/u,
    ));

  it('__proto__ in disguise of escapes is refused', () =>
    stage.expectReportRefused(`{"schema":"pawl.ci/1","\\u005f_proto__":{}}`, /forbidden name/u));

  it('duplicate keys are refused', () =>
    stage.expectReportRefused(
      JSON.stringify(goodRun()).replace('{', '{"conclusion":"failure",'),
      /name appears twice/u,
    ));

  it('invalid UTF-8 is refused', async () => {
    const data = Buffer.concat([
      Buffer.from('{"schema":"pawl.ci/1","x":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    await stage.expectZipRefused(makeZip([{ name: 'ci.json', data }]), /not UTF-8/u);
  });

  it('unknown schema version is refused with its number', () =>
    stage.expectReportRefused(
      { ...goodRun(), schema: 'pawl.ci/2' },
      /pawl\.ci\/2; this version of Pawl reads pawl\.ci\/1/u,
    ));

  it('schema that is hostile text is refused without repeating it', () =>
    stage.expectReportRefused({ ...goodRun(), schema: 'pawl.ci/1\n::error::x' }, /not have the format/u));

  it('something behind the JSON is refused', () =>
    stage.expectReportRefused(`${JSON.stringify(goodRun())}{}`, /something follows/u));

  it('hostile field names are not repeated in the refusal', () => {
    const run = goodRun();
    run.check!.files = { '::set-env name=X::': 7 as never };
    return stage.expectReportRefused(run, /schema at check\.files\.…/u);
  });

  it('wrong types are refused', () =>
    stage.expectReportRefused({ ...goodRun(), judge_changes: { length: 1e9 } }, /schema at judge_changes/u));

  it('thousands of cases fit into one comment', async () => {
    const run = goodRun();
    const [first] = run.check!.comparison.cases;
    run.check!.comparison.cases = Array.from({ length: 5000 }, (_, index) => ({
      ...first!,
      case: `case-${index}`,
    }));
    const packed = makeZip([{ name: 'ci.json', data: JSON.stringify(run) }]);
    expect(readZip(packed, ['ci.json']).size).toBe(1);
    const { comment } = await stage.shown(run);
    expect(comment.length).toBeLessThan(65_536);
  });

  it('megabytes of text in one field are cut', async () => {
    const { comment } = await stage.shown(failedRun(`${'word '.repeat(400_000)}end`));
    expect(comment.length).toBeLessThan(65_536);
  });

  it('numbers of real comparisons never contradict what they are called', () => {
    const levels = [0.8, 0.94, 0.97, 0.99, 1, 1.01, 1.02, 1.03, 1.05, 1.2];
    for (let seed = 0; seed < 60; seed += 1) {
      const level_ms = levels[seed % levels.length]!;
      const processes = [2, 3, 5, 10][seed % 4]!;
      const behaviour = { processes, between: [0.001, 0.005, 0.02][seed % 3]! };
      const side = (level: number, offset: number) =>
        samplesOf(
          measurementOf({ ...behaviour, level_ms: level, seed: 1000 * offset + seed }, { case: 'one' }),
        );
      const comparison = compareSamples(side(1, 1), side(level_ms, 2));
      for (const one of comparison.cases) {
        expect(supportedVerdict(one, comparison.thresholds)).toBe(one.verdict);
      }
      const check = { ...slowCheck(), comparison };
      expect(parseCiRun(Buffer.from(JSON.stringify(ciRun({ check })))).check?.comparison).toEqual(comparison);
    }
  });

  it('no report of a random kind crashes the publisher', async () => {
    const text = JSON.stringify(goodRun());
    let state = 12345;
    const random = (below: number): number => (state = (state * 1103515245 + 12345) % 2 ** 31) % below;
    for (let attempt = 0; attempt < 3000; attempt += 1) {
      const at = random(text.length);
      const pieces = [
        '',
        '"',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '-',
        '1e308',
        'null',
        '\\',
        '\u0000',
        '0',
        'true',
      ];
      const mutated = `${text.slice(0, at)}${pieces[random(pieces.length)]}${text.slice(at + random(6))}`;
      try {
        parseCiRun(Buffer.from(mutated));
      } catch (error) {
        expect((error as Error).name, String(error)).toBe('PawlError');
      }
    }
    plant(stage.standIn, reportZip(text));
    expect(await publish(stage.standIn)).toMatchObject({ state: 'published' });
  });
});
