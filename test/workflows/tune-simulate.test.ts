import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { generatedSpace } from '../../bench/samplers/generated-space.ts';
import { simulationSchema } from '../../src/model/tune/simulation.ts';
import { SAMPLER_NAMES } from '../../src/tune/search/create-sampler.ts';
import { tuneSimulate } from '../../src/workflows/tune-simulate.ts';

async function written(configs?: unknown): Promise<string> {
  const { name, tunables, constraints, rows } = generatedSpace(2);
  const file = join(await mkdtemp(join(tmpdir(), 'pawl-simulate-')), 'space.json');
  const document = {
    schema: 'pawl.space/1',
    name,
    tunables: Object.fromEntries(tunables.map((tunable) => [tunable.name, tunable.values])),
    constraints,
    configs: configs ?? rows.map(({ indices, time_ms, status }) => [indices, time_ms ?? null, status]),
  };
  await writeFile(file, JSON.stringify(document));
  return file;
}

describe('tuneSimulate', () => {
  it.each(SAMPLER_NAMES)(
    'prints a falling trajectory for every trial of %s, the same for a seed',
    async (sampler) => {
      const file = await written();
      const options = { file, sampler, trials: 30, seed: 7 };
      const simulation = await tuneSimulate(options);
      expect(simulationSchema.parse(simulation)).toEqual(simulation);
      expect(simulation.trajectory.map(([trial]) => trial)).toEqual(
        Array.from({ length: 30 }, (_, n) => n + 1),
      );
      const best = simulation.trajectory.map(([, time]) => time ?? Infinity);
      expect(best.every((time, n) => n === 0 || time <= best[n - 1]!)).toBe(true);
      expect(simulation.best_ms).toBe(best.at(-1));
      expect(simulation.best_ms).toBeGreaterThanOrEqual(simulation.optimum_ms);
      expect(await tuneSimulate(options)).toEqual(simulation);
    },
  );

  it('stops at the last variant of a space, with the optimum', async () => {
    const rows = generatedSpace(2).rows.slice(0, 12);
    const file = await written(
      rows.map(({ indices }, n) => [indices, n === 0 ? null : n, n === 0 ? 'run_failed' : 'ok']),
    );
    const simulation = await tuneSimulate({ file, trials: 50 });
    expect(simulation).toMatchObject({ trials: 12, failed: 1, best_ms: 1, optimum_ms: 1 });
  });

  it('refuses a space in which nothing ran', async () => {
    const [row] = generatedSpace(2).rows;
    const file = await written([[row!.indices, null, 'run_failed']]);
    await expect(tuneSimulate({ file })).rejects.toThrow(expect.objectContaining({ kind: 'bad-data' }));
  });

  it('finds better variants with the model than random search does, over three seeds', async () => {
    const ratios = await Promise.all(
      ['model', 'random'].map(async (sampler) => {
        let sum = 0;
        for (const seed of [1, 2, 3]) {
          const { best_ms, optimum_ms } = await tuneSimulate({
            file: await written(),
            sampler,
            trials: 60,
            seed,
          });
          sum += best_ms! / optimum_ms;
        }
        return sum;
      }),
    );
    expect(ratios[0]).toBeLessThan(ratios[1]!);
  });
});
