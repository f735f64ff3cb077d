import { describe, expect, it } from 'vitest';

import { renderComparisonMarkdown } from '../../../src/report/markdown/comparison-markdown.ts';
import { checkedRun, comparedReport, comparedRun, hostileReport, only } from '../comparison-run.ts';

const samples = comparedRun();
const text = renderComparisonMarkdown(checkedRun(), { samples });

function sectionOf(heading: string): string {
  return text.split(/^### /mu).find((section) => section.startsWith(heading)) ?? '';
}

describe('renderComparisonMarkdown', () => {
  it('counts each case once', () => {
    expect(sectionOf('Summary').match(/\*\*[\w ]+\*\*: \d+/gu)).toEqual([
      '**Total cases**: 7',
      '**Regressions**: 1',
      '**Improvements**: 1',
      '**Unchanged**: 1',
      '**Incorrect**: 1',
      '**Undecided**: 1',
      '**Waived**: 1',
      '**New**: 1',
    ]);
  });

  it.each([
    ['⛔ Incorrect', 'broken'],
    ['❌ Regressions', 'slower'],
    ['✅ Improvements (baseline updated)', 'faster'],
    ['❔ Undecided', 'loud'],
    ['🆕 New', 'added'],
    ['⚠️ Waived', 'accepted'],
  ])('has %s with the cases that belong there, and why', (heading, name) => {
    const section = sectionOf(heading).split('<details>')[0]!;
    expect([...section.matchAll(/^\| `(\w+)`/gmu)].map(([, found]) => found)).toEqual([name]);
    expect(section).toContain(`- \`${name}\`: `);
  });

  it('folds away what is unchanged', () => {
    const [, folded] = /<summary>✔️ Unchanged \(1\)<\/summary>([\s\S]*?)<\/details>/u.exec(text)!;
    expect(folded).toContain('| `same` |');
  });

  it('does not say that a baseline was updated which was not', () => {
    const run = only(comparedRun(), 'faster');
    expect(renderComparisonMarkdown(comparedReport(run))).toMatch(/^### ✅ Improvements$/mu);
    const checked = { ...checkedRun(run), advanced: [] };
    expect(renderComparisonMarkdown(checked)).toMatch(/^### ✅ Improvements \(baseline not updated\)$/mu);
  });

  it('gives every row as many cells as its header', () => {
    const tables = text.split('\n\n').filter((block) => block.startsWith('| case'));
    expect(tables).toHaveLength(7);
    for (const table of tables) {
      const widths = new Set(table.split('\n').map((line) => line.split('|').length));
      expect(widths.size).toBe(1);
    }
  });

  it('draws both distributions over one scale where pictures cannot go', () => {
    const [, base, head] = /`([▁-█\u00A0]+)` → `([▁-█\u00A0]+)`/u.exec(sectionOf('❌ Regressions'))!;
    expect(base!.indexOf('█')).toBeLessThan(head!.indexOf('█'));
    expect(base).toHaveLength(head!.length);
  });

  it('links pictures by paths and web addresses only, and leaves no way out of a link', () => {
    const pictures = [
      { title: 'all', url: 'pictures/forest.svg' },
      { title: 'bad', url: 'javascript:alert(1)' },
      { title: 'odd', url: 'https://example.org/a b>)<c' },
    ];
    const linked = renderComparisonMarkdown(checkedRun(), { pictures });
    expect(linked.match(/!\[[^\]]*\]\(<[^>]*>\)/gu)).toEqual([
      '![all](<pictures/forest.svg>)',
      '![odd](<https://example.org/a%20b%3E%29%3Cc>)',
    ]);
    expect(linked).not.toContain('javascript');
  });

  it('keeps hostile text inert: no tag, link, mention, code or new cell of its making', () => {
    const { report, samples } = hostileReport();
    const hostile = renderComparisonMarkdown(report, { samples });
    const tags = new Set(hostile.match(/<[^>]*>/gu));
    expect([...tags].sort()).toEqual([
      '</code>',
      '</details>',
      '</summary>',
      '<br>',
      '<code>',
      '<details>',
      '<summary>',
    ]);
    expect(hostile).not.toMatch(/\]\(|@octocat|#1 |:\/\/|www\.|[^\P{C}\n]/u);
  });

  it('cuts a table too long for a comment, and says how much', () => {
    const report = checkedRun(only(samples, 'same'));
    const one = report.comparison.cases[0]!;
    report.comparison.cases = Array.from({ length: 130 }, (_, index) => ({ ...one, case: `case_${index}` }));
    const long = renderComparisonMarkdown(report);
    expect(long.match(/^\| `case_/gmu)).toHaveLength(100);
    expect(long).toContain('and 30 more');
  });
});
