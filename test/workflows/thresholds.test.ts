import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import type { Progress } from '../../src/model/measure/progress.ts';
import type { Samples } from '../../src/model/measure/samples.ts';
import { RUN_SCHEMA } from '../../src/model/history/stored-run.ts';
import { thresholdsReportSchema, type ThresholdsReport } from '../../src/model/reports/thresholds-report.ts';
import { renderThresholdsTerminal } from '../../src/report/terminal/thresholds-terminal.ts';
import { thresholds, type ThresholdsOptions } from '../../src/workflows/thresholds.ts';
import { tempProject } from '../config/temp-project.ts';
import { measurementOf } from '../judge/samples-of.ts';

const CONFIG = `version: 1
problems:
  copy:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N] }
      y: { role: output, dtype: f32, shape: [N] }
    cases: { quiet: { N: 8 }, noisy: { N: 16 }, fresh: { N: 32 } }
kernels:
  copy-cpu: { problem: copy, device: cpu, language: c, sources: [copy.c] }
`;

let root: string;
let store: string;

function samplesAt(run: number): Samples {
  const of = (name: string, between: number) =>
    measurementOf(
      // Each commit has a speed of its own, which is not noise.
      { level_ms: 1 + 0.2 * run, processes: 6, between, within: 0.002, seed: 10 * run + name.length },
      { kernel: 'copy-cpu', case: name, mode: 'cold', variant: {} },
    );
  const measurements = [of('quiet', 0.001), of('noisy', 0.03), ...(run === 0 ? [of('fresh', 0.001)] : [])];
  return { schema: 'pawl.samples/1', device: { kind: 'cpu', name: 'Some CPU' }, measurements };
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pawl-thresholds-'));
  await writeFile(join(root, 'pawl.yaml'), CONFIG);
  await writeFile(join(root, 'copy.c'), '');
  store = join(root, 'history.db');
  const history = await openStore(store);
  for (let run = 0; run < 8; run += 1) {
    await history.put({
      schema: RUN_SCHEMA,
      kind: 'bench',
      started_at: `2026-07-0${run + 1}T00:00:00Z`,
      sides: { head: samplesAt(run) },
    });
  }
  await history.close();
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function look(options: ThresholdsOptions = {}): Promise<ThresholdsReport> {
  const report = await thresholds({ config: root, store, runs: 300, ...options });
  return thresholdsReportSchema.parse(JSON.parse(JSON.stringify(report)));
}

describe('thresholds', () => {
  it('proposes a threshold for each case, names the noisy one with what it needs, and the one too little is known of', async () => {
    const heard: Progress[] = [];
    const report = await look({ onProgress: (progress) => heard.push(progress) });
    expect(report.cases.map(({ case: name, state, processes }) => [name, state, processes])).toEqual([
      ['quiet', 'tighter', 48],
      ['noisy', 'too-noisy', 48],
      ['fresh', 'too-few', 6],
    ]);
    const [quiet, noisy] = report.cases;
    expect(quiet).toMatchObject({ smallest_pct: 1, threshold_pct: 3, measurements: 8 });
    expect(noisy!.smallest_pct).toBeGreaterThan(4);
    expect(noisy!.rates!.undecided).toBeGreaterThan(0.05);
    expect(report.proposed).toEqual({
      'copy-cpu/quiet': { regression_pct: 1 },
      'copy-cpu/noisy': { regression_pct: noisy!.smallest_pct },
    });
    expect(heard[0]).toMatchObject({ type: 'started', total: 3 });
    expect(heard.some((one) => one.type === 'step' && one.label === 'copy-cpu/noisy')).toBe(true);

    const text = renderThresholdsTerminal(report, { color: false, columns: 90 });
    expect(text).toMatch(/▲ copy-cpu\/quiet +48 +0\.\d\d +3 +1\n! copy-cpu\/noisy +48 +\d\.\d\d +3 +\d+\n/u);
    expect(text).toMatch(/copy-cpu\/noisy is too noisy for 3 % .*It\s+needs a\s+threshold of \d+ %/su);
    expect(text).toContain('copy-cpu/fresh (6)');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(90);

    // What it prints is what pawl.yaml takes, and then nothing is left to propose.
    const block = /thresholds:\n(?: {2,}.*\n)+/u.exec(text)![0];
    const settled = await tempProject({ 'pawl.yaml': CONFIG + block, 'copy.c': '' });
    const again = await look({ config: settled });
    expect(again.cases.map(({ state }) => state)).toEqual(['fits', 'fits', 'too-few']);
    expect(again.proposed).toEqual({});
  });

  it('takes samples files instead of the history, and only what is named', async () => {
    const file = join(root, 'samples.json');
    await writeFile(file, JSON.stringify(samplesAt(0)));
    const report = await look({ samples: [file], names: ['quiet'] });
    expect(report.cases).toMatchObject([{ case: 'quiet', state: 'too-few', processes: 6 }]);
    expect(report.source).toBe(file);
    const twice = await look({ samples: [file, file], names: ['quiet'] });
    expect(twice.cases[0]!.processes).toBe(6);
  });

  it('says what it does not know', async () => {
    await expect(look({ names: ['quite'] })).rejects.toThrow(/no kernel or case "quite".*quiet/u);
    const none = await look({ device: 'h200' });
    expect(none.cases.map(({ state, processes }) => [state, processes])).toEqual([
      ['too-few', 0],
      ['too-few', 0],
      ['too-few', 0],
    ]);
    await expect(look({ signal: AbortSignal.abort() })).rejects.toThrow();
  });
});
