import { describe, expect, it } from 'vitest';

import type { CheckReport } from '../../src/model/reports/check-report.ts';
import type { CiRun } from '../../src/model/reports/ci-run.ts';
import type { JudgeChange } from '../../src/model/judge/judge-change.ts';
import { commentMarker, renderCiComment } from '../../src/report/markdown/ci-comment.ts';
import { checkedRun, hostileReport } from '../report/comparison-run.ts';
import { HOSTILE } from '../report/hostile.ts';
import { ciRun, failedRun } from './ci-runs.ts';

const LINKS = {
  run: 'https://github.com/acme/kernels/actions/runs/99',
  artifacts: 'https://github.com/acme/kernels/actions/runs/99#artifacts',
};
const KEY = { key: 'default' };

function changed(text: string): JudgeChange {
  return { kind: 'thresholds', subject: text, text };
}

/** Every table row has as many cells as its header, and every fold that opens closes. */
function brokenParts(markdown: string): string[] {
  const problems: string[] = [];
  let columns: number | undefined;
  for (const line of markdown.split('\n')) {
    if (!line.startsWith('|')) {
      columns = undefined;
      continue;
    }
    const cells = line.split('|').length;
    columns ??= cells;
    if (cells !== columns || !line.endsWith('|')) problems.push(line);
  }
  for (const tag of ['details', 'summary', 'pre', 'code', 'sub']) {
    const opened = markdown.split(`<${tag}>`).length;
    const closed = markdown.split(`</${tag}>`).length;
    if (opened !== closed) problems.push(`<${tag}> ${opened - 1} times, </${tag}> ${closed - 1} times`);
  }
  return problems;
}

/** So many cases, `changed` of them slower, with names as long as they may be. */
function manyCases(count: number, changed: number): CheckReport {
  const report = checkedRun();
  const [slower, same] = ['slower', 'same'].map((name) =>
    report.comparison.cases.find((one) => one.case === name)!,
  );
  const cases = Array.from({ length: count }, (_, index) =>
    Object.assign({}, index < changed ? slower! : same!, { case: `case_${index}_${'n'.repeat(60)}` }),
  );
  return { ...report, verdict: 'regressed', comparison: { ...report.comparison, cases } };
}

describe('the comment of a pull request', () => {
  it('says kernel, size and cases in its first line, and ends with its hidden marker', () => {
    const lines = renderCiComment(ciRun(), LINKS, { key: 'h200' }).split('\n');
    expect(lines[0]).toBe('⛔ **attention gives wrong results in 1 of 7 cases; 1 slowdown is waived**');
    expect(lines.at(-1)).toBe('<!-- pawl:comment h200 -->');
  });

  it('shows changed cases openly and unchanged ones folded, each once', () => {
    const text = renderCiComment(ciRun(), LINKS, KEY);
    const at = text.indexOf('<details>');
    const [open, folded] = [text.slice(0, at), text.slice(at)];
    for (const name of ['slower', 'faster', 'loud', 'accepted', 'broken', 'added'])
      expect(open).toMatch(new RegExp(`^\\| .*\`${name}\``, 'mu'));
    expect(open).not.toMatch(/`same`/);
    expect(folded).toMatch(/Unchanged \(1\)[\s\S]*`same`/);
    expect(brokenParts(text)).toEqual([]);
  });

  it('writes an interval in the words of its change, and with signs where it reaches to both sides', () => {
    const text = renderCiComment(ciRun(), LINKS, KEY).replaceAll('\u00A0', ' ');
    expect(text).toMatch(/`slower`.*\| \*\*5\.9 % slower\*\* \| 4\.9 to 6\.6 % \|$/mu);
    expect(text).toMatch(/`loud`.*\*\*undecided\*\* \| −5\.2 % to \+5\.6 % \|$/mu);
  });

  it('tells hardware, waivers, cost, gate changes, rules and links', () => {
    const text = renderCiComment(
      ciRun({ judge_changes: [changed('thresholds.regression_pct: 3 → 50')] }),
      { ...LINKS, dashboard: 'https://perf.example.org/d' },
      KEY,
    );
    expect(text).toMatch(/NVIDIA H200 · driver 580\.159\.04/);
    expect(text).toMatch(/waived by Ada Example until 2026-12-31/);
    expect(text).toMatch(/2 min 22 s, 1 min 01 s of device time/);
    expect(text).toMatch(/alters its own gate.*rules of its base[\s\S]*thresholds\.regression/);
    expect(text).toMatch(/Slower by 3 % fails, undecided passes/);
    expect(text).toMatch(/\[Dashboard\]\(<https:\/\/perf\.example\.org\/d>\)/);
    expect(text).toMatch(/\[Samples[^\]]*\]\(<https:[^>]*#artifacts>\)/);
  });

  it('says folded what each time means for the work of its case, and nothing of a wrong one', () => {
    const check = checkedRun();
    const find = (name: string) => check.comparison.cases.find((one) => one.case === name)!;
    const keyOf = (name: string) => {
      const { kernel, mode } = find(name);
      return { kernel, case: name, variant: { BLOCK: 128 }, mode };
    };
    const now_ms = find('slower').candidate_ms!;
    const work = [
      { key: keyOf('slower'), operations: 4e9 * now_ms, bytes: 2e6 * now_ms, ceiling_ms: now_ms / 4 },
      { key: keyOf('same'), bytes: 5e6 * find('same').candidate_ms! },
      { key: keyOf('broken'), bytes: 1e6 },
    ];
    const text = renderCiComment(ciRun({ check: { ...check, work } }), LINKS, KEY);
    const table = text.slice(text.indexOf('<summary>Rates'));
    const rows = table.slice(0, table.indexOf('</details>')).replaceAll('\u00A0', ' ');
    expect(rows).toContain('| case | operations | bytes | ceiling |');
    expect(rows).toMatch(/`slower`[^|]*\| 4(\.0*)? TFLOP\/s \| 2(\.0*)? GB\/s \| 25 % of ceiling \|/u);
    expect(rows).toMatch(/`same`[^|]*\| {2}\| 5(\.0*)? GB\/s \| {2}\|/u);
    expect(rows).not.toContain('broken');
    expect(brokenParts(text)).toEqual([]);
    expect(renderCiComment(ciRun(), LINKS, KEY)).not.toContain('Rates, and how close');
  });

  it('says what a profile found about a change', () => {
    const check = checkedRun();
    const key = check.comparison.cases.find((one) => one.case === 'slower')!;
    const finding = {
      rule: 'small-grid' as const,
      diagnosis: 'the grid is too small',
      fix: 'use more blocks',
    };
    const profiles = [
      {
        key: { kernel: key.kernel, case: key.case, mode: key.mode, variant: key.variant },
        change_pct: -6,
        head: { finding },
        seconds: 3,
      },
    ] as CheckReport['profiles'];
    const text = renderCiComment(ciRun({ check: { ...check, profiles } }), LINKS, KEY);
    expect(text).toMatch(/the grid is too small.*use more blocks/);
  });

  it('shows a failure as "could not run", with every line of its message', () => {
    const text = renderCiComment(failedRun('pawl.yaml is wrong\nat line 3', 'Mend it.'), LINKS, KEY);
    expect(text).toMatch(/^⚠️ \*\*Pawl could not run: pawl\.yaml is wrong\*\*\n/);
    expect(text).toMatch(/<pre>\npawl\.yaml is wrong\nat line 3\n<\/pre>[\s\S]*→ Mend it\./);
    expect(brokenParts(text)).toEqual([]);
  });

  it.each([
    [5000, 0],
    [5000, 5000],
    [5000, 2500],
    [20_000, 3],
  ])('of %i cases, %i slower, stays below the limit, drops whole rows and counts them', (count, changed) => {
    const text = renderCiComment(ciRun({ check: manyCases(count, changed) }), LINKS, KEY);
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toMatch(/and [\d,]+ more/);
    expect(brokenParts(text)).toEqual([]);
    expect(text.endsWith(commentMarker('default'))).toBe(true);
  });

  it.each([200, 1000, 3000, 8000, 20_000])(
    'fits into %i characters, whatever it has to leave out',
    (limit) => {
      const judge_changes = Array.from({ length: 500 }, (_, index) =>
        changed(`the case number ${index} is gone`),
      );
      const run = ciRun({ check: manyCases(300, 150), judge_changes });
      const text = renderCiComment(run, LINKS, { ...KEY, limit });
      expect(text.length).toBeLessThanOrEqual(Math.max(limit, 500));
      expect(brokenParts(text)).toEqual([]);
      expect(text.endsWith(commentMarker('default'))).toBe(true);
    },
  );

  it('lets no text from elsewhere become markup, a mention, a link or another marker', () => {
    const { report } = hostileReport();
    const hostile = `${HOSTILE} ${commentMarker('default')} </details></pre><!-- -->`;
    const run: CiRun = {
      ...ciRun({ check: report }),
      judge_changes: [changed(hostile)],
      failure: { kind: 'usage', message: `${hostile}\n${hostile}`, hint: hostile },
      steps: [{ name: 'build', status: 'failed', detail: hostile }],
      pawl_version: hostile,
    };
    const text = renderCiComment(
      run,
      { run: 'javascript:alert(1)', artifacts: 'https://e.example/>)[x](<y' },
      { ...KEY, notice: hostile },
    );
    expect(text.split('<!--')).toHaveLength(2);
    expect(text).not.toMatch(/<script|@octocat|javascript:|\]\(javascript/u);
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202E/u);
    expect(text).not.toMatch(/\[x\]\(<y/);
    expect(brokenParts(text)).toEqual([]);
  });
});
