import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { checkReportSchema, type CheckReport } from '../../src/model/reports/check-report.ts';
import { comparisonSchema } from '../../src/model/judge/comparison.ts';
import { CiProject, kernel } from '../ci/ci-project.ts';
import { pawl } from './pawl-cli.ts';

const FAST = [
  '--wait',
  '600',
  '--mode',
  'hot',
  '--samples',
  '10',
  '--threshold',
  '25',
  '--improvement',
  '30',
];

describe('the gate, on a project in git', () => {
  let project: CiProject;
  let folder: string;

  beforeAll(async () => {
    project = await CiProject.create();
    folder = project.folder;
    await project.write('.gitignore', '.pawl/\nreport/\n');
    project.commit('without reports');
  });

  const setKernel = (repeats: number): Promise<void> => project.write('src/right.cpp', kernel(repeats));

  async function check(...args: string[]): Promise<{ code: number; report: CheckReport; stderr: string }> {
    const { code, stdout, stderr } = await pawl(folder, 'check', '--json', '--quiet', ...FAST, ...args);
    return { code, report: checkReportSchema.parse(JSON.parse(stdout)), stderr };
  }

  it('enters a case that it does not know, calls it new and passes', async () => {
    const { code, report } = await check('--update');
    expect(report.verdict).toBe('new');
    expect(report.new_cases).toMatchObject([{ kernel: 'right', case: 'small' }]);
    expect(code).toBe(0);
    project.commit('perf: ratchet baseline forward');
  });

  it('passes a commit that does not change the binary, without measuring it', async () => {
    await project.write('src/right.cpp', `${kernel(40)}// a remark\n`);
    const { code, report } = await check();
    expect(report.verdict).toBe('maintained');
    expect(report.comparison.cases[0]?.reason).toMatch(/identical/);
    expect(code).toBe(0);
  });

  it('fails a commit that takes four times as long, after a second look, and writes the evidence', async () => {
    await setKernel(160);
    const { code, report } = await check('--out', 'report');
    expect(report.verdict).toBe('regressed');
    expect(report.comparison.cases[0]?.reason).toMatch(/second, independent measurement/);
    expect(code).toBe(1);
    expect(await readFile(join(folder, 'report/report.md'), 'utf8')).toMatch(/Regressions/);
    expect(await readFile(join(folder, 'report/forest.svg'), 'utf8')).toMatch(/^<svg/);
  });

  it('lets a waived regression pass, and shows the waiver', async () => {
    const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const waive = ['ratchet', 'waive', 'right/small', '--reason', 'a fix of its results', '--expires', until];
    expect((await pawl(folder, ...waive)).code).toBe(64);
    expect((await pawl(folder, ...waive, '--comparison', 'report/report.json')).code).toBe(0);
    const { code, report } = await check();
    expect(report.waived).toMatchObject([{ waiver: { reason: 'a fix of its results' } }]);
    expect(code).toBe(0);
  });

  it('fails a regression that has grown beyond what was waived', async () => {
    // Few processes tell a size badly: it has to be many times what was waived.
    await setKernel(1600);
    const { code, report } = await check();
    expect(report.waived).toEqual([]);
    expect(report.notes).toContainEqual(expect.stringMatching(/right.*waives a slowdown of up to .*larger/));
    expect(code).toBe(1);
  });

  it('does not move the baseline while there are changes that no commit holds', async () => {
    const { code, stderr } = await pawl(folder, 'check', '--update', ...FAST);
    expect(stderr).toMatch(/uncommitted changes/);
    expect(code).toBe(64);
  });

  it('advances to a confirmed improvement, and the log says how', async () => {
    await setKernel(8);
    project.commit('five times as fast');
    const { code, report } = await check('--update');
    expect(report.verdict).toBe('improved');
    expect(report.advanced).toHaveLength(1);
    expect(code).toBe(0);
    const { stdout } = await pawl(folder, 'ratchet', 'log');
    expect(stdout.split('\n').map((line) => line.trim().split(/\s+/)[3])).toEqual([
      'first',
      'waive',
      'advance',
      undefined,
    ]);
    expect((await pawl(folder, 'ratchet', 'verify')).code).toBe(0);
  });

  it('refuses a baseline that was edited by hand', async () => {
    const path = join(folder, 'pawl-baseline.json');
    const text = await readFile(path, 'utf8');
    const edited = text.replace(/"samples_ms":\s*\[\s*[\d.e-]+/, '"samples_ms": [0.000001');
    expect(edited).not.toBe(text);
    await writeFile(path, edited);
    const { code, stderr } = await pawl(folder, 'check', ...FAST);
    await writeFile(path, text);
    expect(stderr).toMatch(/The baseline was changed outside Pawl/);
    expect(code).toBe(65);
  });

  it('compares two commits and two files with the same verdict words and exit codes', async () => {
    await setKernel(8);
    const args = [
      'compare',
      '--base',
      'HEAD~1',
      '--json',
      '--quiet',
      '--no-control',
      '--out',
      'report',
      ...FAST,
    ];
    const revisions = await pawl(folder, ...args);
    expect(comparisonSchema.parse(JSON.parse(revisions.stdout)).verdict).toBe('improved');
    expect(revisions.code).toBe(0);
    const swapped = await pawl(folder, 'compare', 'report/head.json', 'report/base.json', '--json');
    expect(comparisonSchema.parse(JSON.parse(swapped.stdout)).verdict).toBe('regressed');
    expect(swapped.code).toBe(1);
  });

  it('advances from files only where a comparison confirms it', async () => {
    const advance = ['ratchet', 'advance', 'report/head.json', '--baseline', 'other.json', '--json'];
    const first = JSON.parse((await pawl(folder, ...advance)).stdout) as { first: object[] };
    expect(first.first).toHaveLength(1);
    const again = JSON.parse((await pawl(folder, ...advance)).stdout) as { kept: { why: string }[] };
    expect(again.kept[0]?.why).toMatch(/no change was confirmed/);
    const confirmed = JSON.parse(
      (await pawl(folder, ...advance, '--comparison', 'report/report.json')).stdout,
    ) as { advanced: object[] };
    expect(confirmed.advanced).toHaveLength(1);
  });

  it('compares with the stored series where the commit of an entry is gone, and says so', async () => {
    const copy = await CiProject.create();
    await copyFile(join(folder, 'pawl-baseline.json'), join(copy.folder, 'pawl-baseline.json'));
    await copy.write('src/right.cpp', kernel(8));
    copy.commit('another history');
    const { stdout } = await pawl(copy.folder, 'check', '--json', '--quiet', '--profile', 'never', ...FAST);
    const report = checkReportSchema.parse(JSON.parse(stdout));
    expect(report.notes).toEqual([
      expect.stringMatching(/this clone has no commit of the baseline: the judge is that of/),
      expect.stringMatching(/right\/small is compared with its stored series/),
    ]);
    expect(report.comparison.cases).toMatchObject([
      { state: 'estimated', processes: [expect.any(Number), 10] },
    ]);
  });

  it('holds a claim against the comparison', async () => {
    await writeFile(
      join(folder, 'pr.md'),
      "**Target Shape(s):** small\n**Hypothesis (Bottleneck):** needless repeats\n**Nsight Evidence:** src/right.cpp\n**Result:**\n- Median Δ: +3000% faster\n- CI Overlap: No\n- Cliff's δ: 1.0\n- Verdict: Improvement\n",
    );
    const { code, stdout } = await pawl(folder, 'claim', 'pr.md', '--comparison', 'report/report.json');
    expect(stdout).toMatch(/✗ not proven[\s\S]*median-change/);
    expect(code).toBe(1);
  });

  it('says what is missing when there is nothing to compare', async () => {
    const { code, stderr } = await pawl(folder, 'compare');
    expect(code).toBe(64);
    expect(stderr).toMatch(/give two files, --base, --kernels, or --kernel/);
  });
});
