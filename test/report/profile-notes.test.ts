import { describe, expect, it } from 'vitest';

import { checkReportSchema, type CheckReport } from '../../src/model/reports/check-report.ts';
import { caseKeySchema } from '../../src/model/judge/comparison.ts';
import { renderComparisonHtml } from '../../src/report/html/comparison-html.tsx';
import { renderComparisonMarkdown } from '../../src/report/markdown/comparison-markdown.ts';
import { renderComparisonTerminal } from '../../src/report/terminal/comparison-terminal.ts';
import { checkedRun } from './comparison-run.ts';

const SUMMARY = '32 % slower: bank conflicts rose from 0 to 31 % of wavefronts.';

/** A check whose regression was profiled. */
function profiled(): CheckReport {
  const report = checkedRun();
  const regressed = report.comparison.cases.find(({ verdict }) => verdict === 'regressed');
  if (regressed === undefined) throw new Error('the run has no regression');
  return {
    ...report,
    profiles: [
      {
        key: caseKeySchema.parse(regressed),
        change_pct: -32,
        summary: SUMMARY,
        head: {
          limiter: 'l1-shared',
          finding: {
            rule: 'bank-conflicts',
            diagnosis: 'Accesses queue for a bank.',
            fix: 'Swizzle <them>.',
          },
        },
        base: { limiter: 'dram', finding: { rule: 'at-limit', diagnosis: 'DRAM is full.', fix: 'Stop.' } },
        seconds: 12,
      },
    ],
  };
}

describe('a change that a profile explains', () => {
  const report = profiled();

  it('is a report of the same schema', () => {
    expect(checkReportSchema.safeParse(report).error).toBeUndefined();
  });

  it.each([
    ['the terminal', renderComparisonTerminal(report, { color: false, columns: 130 })],
    ['Markdown', renderComparisonMarkdown(report)],
    ['HTML', renderComparisonHtml(report)],
  ])('says in %s what happened, what is wrong now and how to mend it', (_, text) => {
    expect(text).toContain('bank conflicts rose from 0 to 31 % of wavefronts');
    expect(text).toMatch(/now: bank-conflicts: Accesses queue for a bank\. → Swizzle/);
    expect(text).toMatch(/before: at-limit: DRAM is full/);
  });

  it('cannot break out of its text in HTML', () => {
    expect(renderComparisonHtml(report)).toContain('Swizzle &lt;them>');
  });
});
