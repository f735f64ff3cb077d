import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, describe, expect, it } from 'vitest';

import { samplesSchema, type Samples } from '../../src/model/samples.ts';
import { fixtureProject, pawl, startPawl } from './pawl-cli.ts';

async function readSamples(path: string): Promise<Samples> {
  return samplesSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

/** Waits until a run under way has written this many series to its journal. */
async function seriesTaken(folder: string, count: number): Promise<string> {
  const runs = join(folder, '.pawl/runs');
  for (;;) {
    for (const run of await readdir(runs).catch(() => [])) {
      const journal = await readFile(join(runs, run, 'journal.jsonl'), 'utf8').catch(() => '');
      if (journal.split('"type":"series"').length > count) return join(runs, run);
    }
    await sleep(50);
  }
}

const MANY = [
  'bench',
  '--wait',
  '300',
  '--processes',
  '200',
  '--samples',
  '10',
  '--warmup',
  '1',
  '--mode',
  'hot',
];

describe('a bench that is interrupted', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await fixtureProject(['slow']);
    expect((await pawl(folder, 'build')).code).toBe(0);
  });

  it('ends on Ctrl-C with what it had measured, and says that it is incomplete', async () => {
    const bench = startPawl(folder, ...MANY, '--out', 'interrupted.json');
    await seriesTaken(folder, 2);
    bench.kill('SIGINT');
    const [code] = (await once(bench, 'exit')) as [number];
    const samples = await readSamples(join(folder, 'interrupted.json'));
    expect(code).toBe(2);
    expect(samples.incomplete).toMatch(/interrupted/);
    expect(samples.measurements[0]?.series.length).toBeGreaterThanOrEqual(2);
  });

  it('loses nothing that it had written down when it is killed, and the next run gives it back', async () => {
    const bench = startPawl(folder, ...MANY);
    const run = await seriesTaken(folder, 2);
    bench.kill('SIGKILL');
    await once(bench, 'exit');
    const next = await pawl(
      folder,
      'bench',
      '--wait',
      '300',
      '--processes',
      '1',
      '--samples',
      '10',
      '--mode',
      'hot',
    );
    expect(next.stderr).toContain('an earlier run was killed; its samples:');
    const samples = await readSamples(join(run, 'samples.json'));
    expect(samples.incomplete).toMatch(/died/);
    expect(samples.measurements[0]?.series.length).toBeGreaterThanOrEqual(2);
  });

  it('refuses a second bench on the same device and says who holds it', async () => {
    const bench = startPawl(folder, ...MANY);
    await seriesTaken(folder, 1);
    const second = await pawl(folder, 'bench', '--quiet');
    bench.kill('SIGINT');
    await once(bench, 'exit');
    expect(second.code).toBe(75);
    expect(second.stderr).toMatch(new RegExp(`process ${bench.pid} \\(pawl bench of slow\\)`));
  });
});
