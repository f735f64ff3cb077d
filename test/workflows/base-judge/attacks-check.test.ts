import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import type { CheckReport } from '../../../src/model/reports/check-report.ts';
import type { CiRun } from '../../../src/model/reports/ci-run.ts';
import { check } from '../../../src/workflows/check.ts';
import type { CheckOptions } from '../../../src/workflows/check/check-options.ts';
import { runCi } from '../../../src/workflows/ci.ts';
import { baselineLog, verifyBaselineFile } from '../../../src/workflows/ratchet.ts';
import { ATTACKS, JudgeProject, kernel } from './judge-project.ts';

describe('a change that alters its own judge, on a project with a baseline', () => {
  let project: JudgeProject;

  const common = { control: false, processes: 6, wait_s: 600, profile: 'never' } as const;
  /** Where no measurement can change the verdict. */
  const few = { processes: 2 } as const;

  async function checked(options: CheckOptions = {}): Promise<CheckReport> {
    return (await check({ config: project.folder, ...common, ...options })).report;
  }

  /** As on a pull request against main. */
  async function ci(
    options: { readonly acceptJudgeChange?: boolean; readonly processes?: number } = {},
  ): Promise<CiRun> {
    const out = join(project.folder, 'pawl-ci');
    return (await runCi({ config: project.folder, out, base: 'main', ...common, ...options })).run;
  }

  const verdicts = ({ comparison }: Pick<CheckReport, 'comparison'>) =>
    comparison.cases.map(({ case: name, verdict }) => `${name} ${verdict}`);

  beforeAll(async () => {
    project = await JudgeProject.create();
    expect((await checked({ update: true })).verdict).toBe('new');
    project.commit('a baseline');
    project.git('tag', 'with-baseline');
  });

  it.each(ATTACKS)('is not taken in by a wrong kernel: $name', async ({ kinds, alter }) => {
    project.reset();
    await alter(project);
    await project.write('src/right.cpp', kernel(0));
    const report = await checked(few);
    expect(verdicts(report).slice(0, 2)).toEqual(['small incorrect', 'large incorrect']);
    const changes = report.comparison.judge_changes?.map(({ kind }) => kind);
    expect(changes).toEqual(expect.arrayContaining([...kinds]));

    project.commit('an attack');
    const run = await ci(few);
    expect(run).toMatchObject({ verdict: 'incorrect', conclusion: 'failure' });
    expect(run.judge_changes.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...kinds]));
  });

  it.each(ATTACKS)('is undecided at best with a right kernel: $name', async ({ alter }) => {
    project.reset();
    await alter(project);
    const report = await checked(few);
    expect(report.verdict).toBe('undecided');
    expect(report.comparison.judge_changes).not.toHaveLength(0);

    project.commit('who knows');
    expect(await ci(few)).toMatchObject({ verdict: 'undecided', conclusion: 'neutral' });
  });

  it('is judged by its own judge in CI once a person accepts it', async () => {
    project.reset();
    await project.edit('pawl.yaml', ['atol: 0.001', 'atol: 0.01']);
    project.commit('a looser tolerance');
    expect(await ci({ acceptJudgeChange: true })).toMatchObject({
      verdict: 'maintained',
      conclusion: 'success',
      judge_accepted: { by: 'Ann <ann@example.org>' },
      judge_changes: [{ kind: 'tolerance' }],
    });
  });

  it('is judged by thresholds of the baseline, not by those of the files', async () => {
    project.reset();
    await project.edit('pawl.yaml', ['regression_pct: 25', 'regression_pct: 99']);
    await project.write('src/right.cpp', kernel(2, 60_000));
    const report = await checked({ cases: ['small'] });
    expect(report.verdict).toBe('regressed');
    expect(report.comparison).toMatchObject({
      thresholds: { regression_pct: 25 },
      judge_changes: [{ text: 'thresholds.regression_pct: 25 → 99' }],
    });
  });

  it('moves no baseline before a person accepts it, who is then in the log for good', async () => {
    project.reset();
    await project.edit(
      'pawl.yaml',
      ['large:', 'larger: { N: 9000 }\n      large:'],
      ['atol: 0.001', 'atol: 0.002'],
    );
    project.commit('a looser tolerance, and a new case');
    const held = await checked({ update: true });
    expect(held).toMatchObject({ verdict: 'undecided', advanced: [], baseline: { state: 'read' } });
    expect(held.notes.join('\n')).toMatch(/the baseline was not changed: .*--accept-judge-change/);
    expect(project.git('status', '--porcelain')).toBe('');

    const accepted = await checked({ update: true, acceptJudgeChange: true });
    expect(accepted).toMatchObject({
      verdict: 'maintained',
      new_cases: [{ case: 'larger' }],
      baseline: { state: 'written' },
      comparison: { judge_accepted: { by: 'Ann <ann@example.org>' } },
    });
    const { records } = await baselineLog({ config: project.folder });
    expect(records.find(({ type }) => type === 'judge')).toMatchObject({
      author: 'Ann <ann@example.org>',
      commit: project.git('rev-parse', 'HEAD'),
      changes: ['tolerance of doubled: atol: 0.001 → 0.002'],
    });
    expect((await verifyBaselineFile({ config: project.folder })).problems).toEqual([]);

    project.commit('the baseline');
    const later = await checked();
    expect(later.verdict).toBe('maintained');
    expect(later.comparison.judge_changes).toBeUndefined();
  });

  it('does not forget the judge of a kernel while another one moves on', async () => {
    project.reset();
    await project.edit('pawl.yaml', ['kernels:', OTHER], ['measure:', SECOND]);
    project.commit('a second kernel of a second problem');
    expect((await checked({ update: true })).verdict).toBe('maintained');
    project.commit('its entries');
    await project.edit('pawl.yaml', ['atol: 0.5', 'atol: 50']);
    await project.edit('pawl.yaml', ['large:', 'larger: { N: 9000 }\n      large:']);
    project.commit('a looser tolerance of the second, and a new case of the first');
    const only = await checked({ update: true, only: ['right'] });
    expect(only.comparison.judge_changes?.map(({ text }) => text)).toEqual([
      'tolerance of other: atol: 0.5 → 50',
    ]);
    expect(only.baseline?.state).toBe('read');
    expect((await checked({ only: ['right'] })).comparison.judge_changes).toBeUndefined();
  });

  it('compares a renamed case with the entry of its old name, once that was accepted', async () => {
    project.reset();
    await project.edit('pawl.yaml', ['small:', 'tiny:']);
    const held = await checked();
    expect(verdicts(held)).toEqual(['small undecided', 'large undecided']);
    expect(verdicts(await checked({ acceptJudgeChange: true }))).toEqual([
      'tiny maintained',
      'large maintained',
    ]);
  });

  it('says nothing of a change that only touches the kernel', async () => {
    project.reset();
    await project.edit('src/right.cpp', ['#include', '// a remark\n#include']);
    const report = await checked();
    expect(report.verdict).toBe('maintained');
    expect(report.comparison.judge_changes).toBeUndefined();
    project.commit('a remark');
    expect(await ci()).toMatchObject({ verdict: 'maintained', conclusion: 'success', judge_changes: [] });
  });

  it('knows the judge also where the commits of the baseline are gone, as after a squash', async () => {
    const clone = await JudgeProject.create();
    await clone.write('pawl-baseline.json', project.git('show', 'with-baseline:pawl-baseline.json') + '\n');
    clone.commit('with the baseline of another repository');
    await clone.edit('pawl.yaml', ['atol: 0.001', 'atol: 1e9']);
    const { report } = await check({ config: clone.folder, ...common });
    expect(report.verdict).toBe('undecided');
    expect(report.notes.join('\n')).toMatch(/this clone has no commit of the baseline/);
  });
});

const SECOND = `  second: { problem: other, device: cpu, language: c++, sources: [src/right.cpp], include_dirs: [include] }
measure:`;

const OTHER = `  other:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: src/oracle.cpp }
    tolerance: { atol: 0.5, rtol: 0 }
    cases: { one: { N: 10 } }
kernels:`;
