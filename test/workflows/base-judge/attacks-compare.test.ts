import { beforeAll, describe, expect, it } from 'vitest';

import type { Comparison } from '../../../src/model/judge/comparison.ts';
import {
  compareRevisions,
  type CompareRevisionsOptions,
} from '../../../src/workflows/runs/compare/compare-builds.ts';
import { ATTACKS, JudgeProject, kernel } from './judge-project.ts';

describe('compare, of a change that alters its own judge', () => {
  let project: JudgeProject;

  beforeAll(async () => {
    project = await JudgeProject.create();
  });

  async function compare(options: Partial<CompareRevisionsOptions> = {}): Promise<Comparison> {
    const { comparison } = await compareRevisions({
      config: project.folder,
      base: 'main',
      head: 'worktree',
      control: false,
      processes: 6,
      wait_s: 600,
      ...options,
    });
    return comparison;
  }

  const verdicts = ({ cases }: Comparison) => cases.map(({ case: name, verdict }) => `${name} ${verdict}`);

  it.each(ATTACKS)('a wrong kernel stays wrong: $name', async ({ kinds, text, alter }) => {
    project.reset();
    await alter(project);
    await project.write('src/right.cpp', kernel(0));
    const comparison = await compare();
    expect(comparison.verdict).toBe('incorrect');
    expect(verdicts(comparison).slice(0, 2)).toEqual(['small incorrect', 'large incorrect']);
    const changes = comparison.judge_changes ?? [];
    expect(changes.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...kinds]));
    expect(changes.map((one) => one.text)).toContainEqual(expect.stringMatching(text));
  });

  it.each(ATTACKS)('a right kernel is undecided at best: $name', async ({ alter }) => {
    project.reset();
    await alter(project);
    const comparison = await compare();
    expect(comparison.verdict).toBe('undecided');
    expect(verdicts(comparison).slice(0, 2)).toEqual(['small undecided', 'large undecided']);
    expect(comparison.cases[0]?.reason).toMatch(/^maintained by the base's judge: .*until a person accepts/u);
  });

  it('is judged by thresholds of the base', async () => {
    project.reset();
    await project.edit('pawl.yaml', ['regression_pct: 25', 'regression_pct: 99']);
    await project.write('src/right.cpp', kernel(2, 40_000));
    const comparison = await compare({ cases: ['small'] });
    expect(comparison).toMatchObject({ verdict: 'regressed', thresholds: { regression_pct: 25 } });
    expect(comparison.judge_changes).toEqual([
      {
        kind: 'thresholds',
        subject: 'thresholds.regression_pct',
        base: '25',
        change: '99',
        text: 'thresholds.regression_pct: 25 → 99',
      },
    ]);
  });

  it('is judged by its own judge once a person accepts that, who is named', async () => {
    project.reset();
    await project.write('include/factor.h', '#define FACTOR 3\n');
    await project.write('src/right.cpp', kernel(3));
    expect((await compare()).verdict).toBe('incorrect');
    const accepted = await compare({ acceptJudgeChange: true });
    expect(verdicts(accepted)).toEqual(['small new', 'large new']);
    expect(accepted.judge_accepted?.by).toBe('Ann <ann@example.org>');
    expect(accepted.judge_changes).toHaveLength(1);
  });

  it('knows a renamed case by its dimensions, also under its new name', async () => {
    project.reset();
    await project.edit('pawl.yaml', ['small:', 'tiny:']);
    expect(verdicts(await compare({ cases: ['tiny'] }))).toEqual(['small undecided']);
    const accepted = await compare({ acceptJudgeChange: true });
    expect(verdicts(accepted)).toEqual(['tiny maintained', 'large maintained']);
    expect(accepted.missing).toEqual([]);
  });

  it('says nothing of a change that only touches the kernel', async () => {
    project.reset();
    await project.edit('src/right.cpp', ['#include', '// a remark\n#include']);
    await project.edit('src/doubled.hpp', ['/* The problem', '/* This is the problem']);
    const comparison = await compare();
    expect(comparison.verdict).toBe('maintained');
    expect(comparison.judge_changes).toBeUndefined();
  });

  it('calls a new case and a new kernel new', async () => {
    project.reset();
    await project.edit(
      'pawl.yaml',
      ['large:', 'larger: { N: 9000 }\n      large:'],
      ['measure:', NEW_KERNEL],
    );
    const comparison = await compare();
    expect(verdicts(comparison)).toEqual([
      'small maintained',
      'large maintained',
      'larger new',
      ...['small', 'large', 'larger'].map((name) => `${name} new`),
    ]);
    expect(comparison.judge_changes).toBeUndefined();
  });

  it('names a kernel that is gone, and lets the others wait for it', async () => {
    project.reset();
    await project.edit('pawl.yaml', [/ {2}right:(.*)/u, '  renamed:$1']);
    const comparison = await compare();
    expect(comparison.verdict).toBe('undecided');
    expect(comparison.judge_changes?.map(({ text }) => text)).toEqual(['the kernel right was removed']);
  });
});

const NEW_KERNEL =
  '  second: { problem: doubled, device: cpu, language: c++, sources: [src/right.cpp], include_dirs: [include] }\nmeasure:';
