import { rm } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadConfig } from '../../../src/config/load-config.ts';
import { planFuzz } from '../../../src/config/plan-fuzz.ts';
import { fuzzCandidate } from '../../../src/judge/candidate/fuzz-candidate.ts';
import { prepareTargets } from '../../../src/rig/prepare-targets.ts';
import { selectKernels } from '../../../src/rig/select-kernels.ts';
import type { Target } from '../../../src/runner/target.ts';
import { fixtureProject } from '../../e2e/pawl-cli.ts';

let folder: string;
let targets: ReadonlyMap<string, Target>;

beforeAll(async () => {
  folder = await fixtureProject(['right', 'wrong-result', 'returned-error']);
  const loaded = await loadConfig(folder);
  const { signal } = new AbortController();
  const options = { loaded, gpuIndex: 0, onProgress: () => undefined, signal };
  const prepared = await prepareTargets(selectKernels(loaded, {}), options);
  targets = new Map(prepared.targets.map((target) => [target.plan.name, target]));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The clock goes on by so much whenever it is looked at: before each case. */
async function fuzzed(base: string, head: string, { count = 12, step_ms = 0 } = {}) {
  const space = planFuzz(await loadConfig(folder), head);
  let at_ms = 0;
  return fuzzCandidate(
    { base: targets.get(base)!, head: targets.get(head)! },
    {
      space: space.with({ edges: [] }),
      count,
      seed: '7',
      timeout_ms: 60_000,
      signal: new AbortController().signal,
      now_ms: () => (at_ms += step_ms),
    },
  );
}

describe('cases that a candidate has to be right in', () => {
  it('are all of them, where there is time', async () => {
    expect(await fuzzed('right', 'right')).toEqual({ right: 12, needed: 8 });
    expect(await fuzzed('right', 'right', { count: 3 })).toEqual({ right: 3, needed: 3 });
  });

  it('are at least eight, however long the first ones take', async () => {
    expect(await fuzzed('right', 'right', { step_ms: 6000 })).toEqual({ right: 8, needed: 8 });
  });

  it('are too few where a minute is not enough for eight, which proves nothing', async () => {
    expect(await fuzzed('right', 'right', { step_ms: 16_000 })).toEqual({ right: 3, needed: 8 });
    expect(await fuzzed('right', 'right', { step_ms: 61_000 })).toEqual({ right: 0, needed: 8 });
  });

  it('find what is wrong, with the case that shows it', async () => {
    for (const name of ['wrong-result', 'returned-error']) {
      const finding = { evidence: expect.stringMatching(/seed=\d+/u), case: 'generated-0' };
      expect(await fuzzed('right', name)).toMatchObject({ right: 0, finding });
    }
  });

  it('are not those that the reference gets wrong as well', async () => {
    expect(await fuzzed('wrong-result', 'wrong-result')).toEqual({ right: 0, needed: 0 });
  });
});
