import { beforeAll, expect, it } from 'vitest';

import { check } from '../../../src/workflows/check.ts';
import { SessionProject } from '../session/session-project.ts';

let project: SessionProject;

beforeAll(async () => {
  project = await SessionProject.create();
});

const QUICK = { wait_s: 600, processes: 4 };

/** Makes the kernel faster, and says of which sides a check compared the timed results. */
async function comparedAfter(turns: number, update: boolean) {
  await project.kernel({ turns });
  project.git('commit', '--all', '--quiet', '--message', `${turns} turns`);
  const { samples } = await check({ config: project.config, update, ...QUICK });
  const isCompared = (side: keyof typeof samples) =>
    samples[side]!.measurements.map(({ series }) => series.every(({ verified }) => verified === true));
  return { base: isCompared('base'), head: isCompared('head') };
}

it('compares timed results of the base only where its entry does not say that they were compared', async () => {
  await check({ config: project.config, update: true, verified: false, ...QUICK });
  project.git('add', '--all');
  project.git('commit', '--quiet', '--message', 'baseline');

  expect(await comparedAfter(20_000, true)).toEqual({ base: [true], head: [true] });
  project.git('commit', '--all', '--quiet', '--message', 'a better baseline');
  expect(await comparedAfter(5_000, false)).toEqual({ base: [false], head: [true] });
});
