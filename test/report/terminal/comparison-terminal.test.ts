import { describe, expect, it } from 'vitest';

import type { CheckReport } from '../../../src/model/reports/check-report.ts';
import type { CaseComparison } from '../../../src/model/judge/comparison.ts';
import { checkReportSchema } from '../../../src/model/reports/check-report.ts';
import { renderComparisonMarkdown } from '../../../src/report/markdown/comparison-markdown.ts';
import { renderComparisonTerminal } from '../../../src/report/terminal/comparison-terminal.ts';
import { displayWidth } from '../../../src/report/text/plain-text.ts';
import { checkedRun, comparedReport, comparedRun, hostileReport, only } from '../comparison-run.ts';

function rendered(report: CheckReport, columns = 120, color = false): string {
  return renderComparisonTerminal(report, { columns, color });
}

describe('renderComparisonTerminal', () => {
  it('says the verdict and its count first', () => {
    const run = only(comparedRun(), 'slower', 'same');
    expect(rendered(comparedReport(run)).split('\n')[0]).toBe(
      '✗ regressed: attention is 5.9 % slower on slower (5 to 6.6 %), 1 of 2 cases',
    );
    expect(rendered(comparedReport(only(comparedRun(), 'same'))).split('\n')[0]).toBe(
      '✓ maintained: attention keeps its speed in same: a slowdown of 3 % is excluded',
    );
  });

  it('does not say that a speed was kept where a gain is not excluded', () => {
    const report = comparedReport(only(comparedRun(), 'same'));
    const [one] = report.comparison.cases;
    if (one?.state !== 'estimated') throw new Error('the case has an estimate');
    one.change_pct = 24.1;
    one.ci_pct = [-0.6, 50.2];
    expect(rendered(report).split('\n')[0]).toBe(
      '✓ maintained: attention is not slower in same; whether it is faster is not clear from this',
    );
  });

  it('says which level the times of new cases are', () => {
    const fresh = comparedReport(only(comparedRun(), 'added'));
    expect(rendered(fresh)).toContain('Times are medians of the processes’ medians.');
    const text = rendered(checkedRun()).replaceAll(/\s+/gu, ' ');
    expect(text).toContain('Times are the mean of the fastest tenth');
    expect(text).toContain('Times of cases without a change % are medians of the processes’ medians.');
    expect(rendered(comparedReport(only(comparedRun(), 'same')))).not.toContain('medians');
  });

  it('names the variants that are compared', () => {
    const variants = { base: { LANES: 1 }, head: { LANES: 16 } };
    const text = rendered({ ...checkedRun(), variants, base_commit: 'c162215', commit: 'c162215' });
    expect(text).toContain('c162215 · LANES=1 → LANES=16');
    expect(text).not.toContain('c162215 → c162215');
    expect(text).toContain('pawl compare --kernel attention --a LANES=1 --b LANES=16 --processes');
  });

  it('tells in full why a case needed no measuring, and once for all of them', () => {
    const report = comparedReport(only(comparedRun(), 'same'));
    const reason = 'the binaries are identical.';
    const unmeasured = (name: string): CaseComparison => ({
      state: 'not-estimated',
      case: name,
      verdict: 'maintained',
      reason,
      processes: [0, 0],
    });
    report.comparison = { ...report.comparison, cases: [unmeasured('a'), unmeasured('b')] };
    for (const columns of [60, 100, 130]) expect(rendered(report, columns)).toContain(reason);
    expect(rendered(report, 60)).toContain(`a, b: ${reason}`);
  });

  it('gives a baseline that stands alone its unit, and ends no line with a dot', () => {
    const report = checkedRun();
    const broken = report.comparison.cases.find((one) => one.case === 'broken')!;
    delete broken.candidate_ms;
    expect(rendered(report)).toMatch(/‼ broken +5\d\.\d\d µs/u);
    for (let columns = 60; columns < 130; columns++) expect(rendered(report, columns)).not.toMatch(/·$/mu);
  });

  it('does not count a waived slowdown as a failure', () => {
    const report = checkedRun(only(comparedRun(), 'accepted'));
    const text = rendered({ ...report, verdict: 'maintained' });
    expect(text.split('\n')[0]).toBe('✓ maintained: no case fails; 1 slowdown is waived');
  });

  it('shows a row a case, the most urgent first, each with its mark', () => {
    const rows = rendered(checkedRun())
      .split('\n')
      .filter((line) => /µs/u.test(line) && /\d\+\d/u.test(line));
    expect(rows.map((row) => row.split(/ +/u).slice(0, 2))).toEqual([
      ['‼', 'broken'],
      ['✗', 'slower'],
      ['?', 'loud'],
      ['▲', 'faster'],
      ['~', 'accepted'],
      ['+', 'added'],
      ['✓', 'same'],
    ]);
  });

  it('gives the change with its sign: positive is faster', () => {
    const text = rendered(checkedRun());
    expect(text).toMatch(/▲ faster +52\.\d\d +44\.\d\d µs +\+1[45]\.\d +\+1\d\.\d … \+1\d\.\d +\+1\.00/u);
    expect(text).toMatch(/✗ slower +52\.\d\d +55\.\d\d µs +−[56]\.\d +−\d\.\d … −\d\.\d +−1\.00/u);
  });

  it('says why for everything that is not maintained, and nothing more', () => {
    const report = checkedRun();
    const text = rendered(report, 1000).replaceAll(/\s+/gu, ' ');
    for (const one of report.comparison.cases) {
      expect(text.includes(one.reason), one.case).toBe(one.verdict !== 'maintained');
    }
  });

  it('says who waived what until when, and what the baseline became', () => {
    const text = rendered(checkedRun());
    expect(text).toContain('waived by Ada Example until 2026-12-31: masked rows are exact now');
    expect(text).toContain('baseline updated: 53.30 → 45.30 µs (+15.0 %, confirmed)');
  });

  it('ends with the commands that lead on', () => {
    const text = rendered(checkedRun());
    expect(text).toContain('pawl compare --base 3f9d2c1b7a60 --head 8c41d7e9aa0b5f10\n');
    expect(text).toMatch(/--processes \d+\n/u);
    expect(text).toContain('pawl ratchet waive attention/slower --slower ');
    expect(text).toContain('pawl claim PR.md');
    expect(rendered(comparedReport(only(comparedRun(), 'same')))).not.toContain('→');
  });

  it('names files that no commit holds, and blames no commit for them', () => {
    const report = { ...checkedRun(), dirty: true };
    const text = rendered(report);
    expect(text).toContain('3f9d2c1b7a60 → 8c41d7e9aa0b + changes');
    expect(text).toContain('pawl compare --base 3f9d2c1b7a60\n');
    expect(text).not.toContain('--head');
    expect(renderComparisonMarkdown(report)).toContain('**Commit**: `8c41d7e9aa0b + changes`');
  });

  it('does not advise the comparison that was just made', () => {
    const report = comparedReport(only(comparedRun(), 'slower'));
    Object.assign(report, { base_commit: '3f9d2c1b7a60', commit: '8c41d7e9aa0b', cost: { wall_s: 9 } });
    expect(rendered(report)).not.toContain('pawl compare --base');
    expect(rendered(report)).toContain('pawl profile attention --case slower --base 3f9d2c1b7a60\n');
  });

  it('says that there is no baseline yet, and what became of one that was written', () => {
    const report = checkedRun();
    report.baseline = { path: '/p/pawl-baseline.json', state: 'absent' };
    expect(rendered(report)).toMatch(
      /There is no baseline at \/p\/pawl-baseline\.json yet[^]*pawl check --update/u,
    );
    report.baseline.state = 'written';
    const text = rendered(report);
    expect(text).toContain('wrote /p/pawl-baseline.json: 1 first entry, 1 entry moved forward');
    expect(text).toContain('    git add /p/pawl-baseline.json && git commit');
  });

  it('names the hosts where the two sides were measured on different ones', () => {
    const { base, head } = only(comparedRun(), 'same');
    const samples = {
      base: { ...base, environment: { host: 'gpu1' } },
      head: { ...head, environment: { host: 'gpu2' } },
    };
    expect(rendered(comparedReport(samples))).toMatch(
      /different hosts: the baseline was measured on gpu1, and this on gpu2; they may be the cause of a change \(.*same/u,
    );
    expect(rendered(comparedReport({ base, head }))).not.toContain('different hosts');
  });

  it('sends to the doctor rather than ask for hundreds of processes', () => {
    const report = comparedReport(only(comparedRun(), 'loud'));
    const [one] = report.comparison.cases;
    if (one?.state !== 'estimated') throw new Error('the case has an estimate');
    one.needs = { processes: 240 };
    expect(rendered(report)).toContain('    pawl doctor\n');
    expect(rendered(report)).not.toContain('--processes');
  });

  it('tells what was not compared, what else was noted, and a device that was not steady', () => {
    const report = checkedRun();
    report.notes = ['attention/same is compared with its stored series'];
    report.control = comparedReport(only(comparedRun(), 'slower')).comparison;
    const text = rendered(report);
    expect(text).toContain('1 case of the baseline not measured: gone');
    expect(text).toContain('! attention/same is compared with its stored series');
    expect(text).toContain('the same binary differed from itself in slower');
  });

  it.each([130, 100, 80, 60])('keeps the table within %i columns', (columns) => {
    for (const report of [checkedRun(), hostileReport().report]) {
      const table = rendered(report, columns).split('\n\n')[1]!.split('\n');
      expect(table.length).toBeGreaterThan(2);
      for (const line of table) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
  });

  it('draws each interval on the side of the thresholds where it lies', () => {
    const lines = rendered(checkedRun()).split('\n');
    const barOf = (name: string): string => {
      const line = lines.find((each) => each.slice(2).startsWith(`${name} `))!;
      return line.slice(lines.find((each) => each.includes('p adj'))!.indexOf('runs') + 4);
    };
    expect(barOf('same')).toMatch(/┊ *├?─*●[─│]*┤? *│? *┊$/u);
    expect(barOf('faster')).toMatch(/┊ +│ +┊ +▸$/u);
    expect(barOf('accepted')).toMatch(/^ +◂ +┊ +│ +┊$/u);
  });

  it('names kernel, variant and mode in the rows only where cases differ in them', () => {
    const run = only(comparedRun(), 'slower', 'same');
    expect(rendered(comparedReport(run))).toMatch(/\nattention · cold\n/u);
    for (const side of [run.base, run.head])
      side.measurements.find((one) => one.case === 'same')!.mode = 'hot';
    expect(rendered(comparedReport(run))).toContain('✓ same (hot)');
  });

  it('lets no control, escape or bidirectional character through', () => {
    expect(rendered(hostileReport().report)).not.toMatch(/[^\P{C}\n]/u);
  });

  it('puts nothing hostile into a command', () => {
    const commands = rendered(hostileReport().report)
      .split('\n')
      .filter((line) => line.startsWith('    pawl'));
    expect(commands).toEqual([
      '    pawl compare --base main --head HEAD',
      "    pawl ratchet waive KERNEL/CASE --slower 22.3 --reason '…' --expires YYYY-MM-DD",
      '    pawl claim PR.md --comparison report.json',
    ]);
  });

  it('writes the same text with color and without', () => {
    const plain = rendered(checkedRun());
    const colored = rendered(checkedRun(), 120, true);
    expect(colored).not.toBe(plain);
    // oxlint-disable-next-line no-control-regex -- the sequences are what is looked for
    expect(colored.replaceAll(/\u001B\[\d+m/gu, '')).toBe(plain);
  });
});

describe('checkReportSchema', () => {
  it('reads what a report says after a way through JSON', () => {
    const report = checkedRun();
    expect(checkReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(
      JSON.parse(JSON.stringify(report)),
    );
  });
});
