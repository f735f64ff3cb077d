import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { check } from '../../../src/workflows/check.ts';
import { busyKernel, CompareProject, config } from '../compare-project.ts';

/** What was put before a device, in its order. */
async function checkedBy(project: CompareProject, options: { readonly acceptJudgeChange?: boolean } = {}) {
  const works: string[] = [];
  const { report } = await check({
    config: project.folder,
    processes: 4,
    history: false,
    acceptLoad: true,
    profile: 'never',
    ...options,
    onProgress: (progress) => {
      if (progress.type === 'started' && progress.work !== undefined) works.push(progress.work);
    },
  });
  return { report, works };
}

describe('a kernel whose machine code is that of its entry', { timeout: 300_000 }, () => {
  let project: CompareProject;
  beforeAll(async () => {
    project = await CompareProject.create();
    await check({
      config: project.folder,
      processes: 2,
      history: false,
      acceptLoad: true,
      update: true,
    });
    project.commit('baseline');
  }, 300_000);

  it('is neither checked nor measured, and needs no device', async () => {
    const header = await readFile(join(project.folder, 'src/doubled.hpp'), 'utf8');
    await project.write('src/doubled.hpp', `// A comment.\n${header}`);
    const { report, works } = await checkedBy(project);
    expect(works).toEqual([]);
    expect(report).toMatchObject({ verdict: 'maintained', cost: { device_s: 0 } });
    expect(report.comparison.cases).toHaveLength(2);
    for (const one of report.comparison.cases) {
      expect(one).toMatchObject({ verdict: 'maintained', processes: [0, 0] });
      expect(one.reason).toMatch(/^the (machine code is the same|binaries are identical)/u);
    }
    expect(report.commit).toBeDefined();
    expect(report.base_commit).toBeDefined();
  });

  it('costs nothing beside one that changed', async () => {
    await project.write('src/busy.cpp', busyKernel(160_000));
    const { report, works } = await checkedBy(project);
    const verdicts = report.comparison.cases.map(({ kernel, verdict }) => [kernel, verdict]);
    expect(Object.fromEntries(verdicts)).toEqual({ busy: 'regressed', tuned: 'maintained' });
    // Both sides of the one that changed, and both again where it is confirmed.
    expect(works).toEqual(['check', 'check', 'measure', 'check', 'check', 'measure']);
    await project.write('src/busy.cpp', busyKernel(20_000));
  });

  it('is checked by another judge than that of its entry', async () => {
    const yaml = config().replace('cases:', 'tolerance: { atol: 0.01, rtol: 0 }\n    cases:');
    await project.write('pawl.yaml', yaml);
    const { report, works } = await checkedBy(project, { acceptJudgeChange: true });
    expect(works).toContain('check');
    expect(report.verdict).toBe('maintained');
  });
});
