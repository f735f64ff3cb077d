import { appendFile, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { orphanedRuns, RunJournal } from '../../src/measure/run-journal.ts';

const NOW = new Date('2026-01-02T03:04:05Z');

async function startRun() {
  const runs = await mkdtemp(join(tmpdir(), 'pawl-runs-'));
  const journal = await RunJournal.start(runs, { host: 'here' }, NOW);
  journal.add({ type: 'measurement', key: 1, measurement: { kernel: 'k', case: 'c', mode: 'cold' } });
  journal.add({ type: 'series', key: 1, series: { process: 1, samples_ms: [1, 2, 3] } });
  return { runs, journal };
}

/** Makes the journal look like that of a process that is gone. */
async function forgetOwner(directory: string): Promise<void> {
  const path = join(directory, 'journal.jsonl');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/"start_ticks":"\d+"/, '"start_ticks":"1"'));
}

describe('RunJournal', () => {
  it('adds its records up to the samples file', async () => {
    const { journal } = await startRun();
    journal.add({ type: 'lost', key: 1, lost: { process: 2, reason: 'hung', message: 'no answer' } });
    expect(journal.build().measurements).toEqual([
      {
        kernel: 'k',
        case: 'c',
        mode: 'cold',
        series: [{ process: 1, samples_ms: [1, 2, 3] }],
        lost: [{ process: 2, reason: 'hung', message: 'no answer' }],
      },
    ]);
  });

  it('has a folder of its own, also for the second run that a process begins within a second', async () => {
    const { runs, journal } = await startRun();
    await writeFile(join(journal.directory, 'samples.json'), '{}');
    await journal.finish();
    const next = await RunJournal.start(runs, { host: 'here' }, NOW);
    expect(next.directory).not.toBe(journal.directory);
    expect(await readdir(next.directory)).toEqual(['journal.jsonl']);
    expect((await readdir(runs)).sort()[0]).toBe(basename(journal.directory));
  });

  it('is gone once the run is finished', async () => {
    const { journal } = await startRun();
    await journal.finish();
    expect(await readdir(journal.directory)).toEqual([]);
  });

  it('gives back what a killed run had measured, also when its last line is cut short', async () => {
    const { runs, journal } = await startRun();
    await appendFile(join(journal.directory, 'journal.jsonl'), '{"type":"series","key":1,"series":{"samp');
    await forgetOwner(journal.directory);
    const [orphan, ...others] = await orphanedRuns(runs);
    expect(others).toEqual([]);
    expect(orphan?.samples.incomplete).toMatch(/died/);
    expect(orphan?.samples.measurements[0]?.series).toEqual([{ process: 1, samples_ms: [1, 2, 3] }]);
    await orphan?.discard();
    expect(await orphanedRuns(runs)).toEqual([]);
  });

  it('leaves the journal of a run that is still under way alone', async () => {
    const { runs } = await startRun();
    expect(await orphanedRuns(runs)).toEqual([]);
  });
});
