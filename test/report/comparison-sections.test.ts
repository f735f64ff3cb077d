import { describe, expect, it } from 'vitest';

import type { CheckReport } from '../../src/model/check-report.ts';
import type { Fault } from '../../src/model/fault.ts';
import { comparisonSections, verdictSentence } from '../../src/report/comparison-sections.ts';
import { checkedRun } from './comparison-run.ts';

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
    ['one that computes something else', [WRONG], '1 of 1 case gives a wrong result'],
    ['one that stopped writing when it was timed', [UNWRITTEN], '1 of 1 case gives a wrong result'],
    ['one that is refused though its results are right', [REFUSED], '1 of 1 case is refused'],
    ['several that are', [REFUSED, REFUSED], '2 of 2 cases are refused'],
    ['one that does not build', [BROKEN], '1 of 1 case does not build'],
    ['a mixture', [WRONG, REFUSED], '2 of 2 cases are wrong, refused or do not build'],
  ])('says of %s what is true', (_, faults, sentence) => {
    expect(sentenceOf(incorrect(...faults))).toBe(sentence);
  });
});
