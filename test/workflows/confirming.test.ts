import { expect, it } from 'vitest';

import { check } from '../../src/workflows/check.ts';
import { CompareProject, busyKernel } from './compare-project.ts';

it('a check labels its second measurement', { timeout: 300_000 }, async () => {
  const project = await CompareProject.create();
  await project.write('.gitignore', '.pawl/\n');
  project.commit('first');
  const common = {
    config: project.folder,
    only: ['busy'],
    cases: ['small'],
    processes: 8,
    history: false,
    acceptLoad: true,
    profile: 'never' as const,
  };
  await check({ ...common, update: true });
  project.commit('baseline');
  await project.write('src/busy.cpp', busyKernel(160_000));
  const titles: string[] = [];
  const { report } = await check({
    ...common,
    onProgress: (progress) => {
      if (progress.type === 'started') titles.push(progress.title);
    },
  });
  expect(report.verdict).toBe('regressed');
  expect(titles).toContain('measuring');
  expect(titles.at(-1)).toBe('confirming a change: measuring');
});
