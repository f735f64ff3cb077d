import { describe, expect, it } from 'vitest';

import type { CheckReport } from '../../../src/model/reports/check-report.ts';
import type { Fault } from '../../../src/model/measure/fault.ts';
import { comparisonSections } from '../../../src/report/text/comparison-sections.ts';
import { verdictSentence } from '../../../src/report/text/verdict-sentence.ts';
import { checkedRun } from '../comparison-run.ts';

const WRONG: Fault = { detector: 'wrong-result', message: 'the results are wrong', during: 'check' };
const REFUSED: Fault = { detector: 'nondeterministic', message: '12 elements differed', during: 'check' };
const UNWRITTEN: Fault = { detector: 'unwritten-output', message: 'nothing was written', during: 'timing' };
const BROKEN: Fault = { detector: 'build-failed', message: 'no such header', during: 'build' };

/** A report of nothing but incorrect cases, one for each fault. */
function incorrect(...faults: Fault[]): CheckReport {
  const report = checkedRun();
  const broken = report.comparison.cases.find(({ verdict }) => verdict === 'incorrect')!;
  const cases = faults.map((fault, index) => Object.assign({}, broken, { case: `case-${index}`, fault }));
  return { ...report, waived: [], comparison: { ...report.comparison, cases } };
}

const sentenceOf = (report: CheckReport) => verdictSentence(report, comparisonSections(report));

describe('the sentence on incorrect cases', () => {
  it.each([
    ['one that computes something else', [WRONG], 'attention gives wrong results in case-0'],
    ['one that stopped writing when it was timed', [UNWRITTEN], 'attention gives wrong results in case-0'],
    ['one that is refused though its results are right', [REFUSED], 'attention is refused in case-0'],
    ['several that are', [REFUSED, REFUSED], 'attention is refused in 2 of 2 cases'],
    ['one that does not build', [BROKEN], 'attention does not build'],
    ['a mixture', [WRONG, REFUSED], 'attention is incorrect in 2 of 2 cases'],
  ])('says of %s what is true', (_, faults, sentence) => {
    expect(sentenceOf(incorrect(...faults))).toBe(sentence);
  });
});
