import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import type { CostEntry } from '../../src/model/device/cost.ts';
import { renderBenchTerminal } from '../../src/report/terminal/bench-terminal.ts';
import { renderComparisonHtml } from '../../src/report/html/comparison-html.tsx';
import { renderComparisonMarkdown } from '../../src/report/markdown/comparison-markdown.ts';
import { renderComparisonTerminal } from '../../src/report/terminal/comparison-terminal.ts';
import { bench } from '../../src/workflows/runs/bench.ts';
import { check } from '../../src/workflows/check.ts';
import { compare } from '../../src/workflows/runs/compare.ts';
import { readLedger } from '../../src/rig/cost-ledger.ts';
import { fuzz } from '../../src/workflows/runs/fuzz.ts';
import { CompareProject, config } from './compare-project.ts';

/** So dear that a second on the device shows. */
const PRICED = `${config()}cost: { currency: EUR, default: 3600 }\n`;

describe('runs that hold a device', () => {
  let project: CompareProject;
  let settings: { config: string; wait_s: number; samples: number };

  beforeAll(async () => {
    project = await CompareProject.create();
    await project.write('pawl.yaml', PRICED);
    project.commit('priced');
    settings = { config: project.folder, wait_s: 600, samples: 5 };
  });

  async function entries(): Promise<readonly CostEntry[]> {
    return (await readLedger(join(project.folder, '.pawl/costs.jsonl'))).entries;
  }

  it('write one line each, whatever they are made of', async () => {
    const measured = await bench({ ...settings, only: ['busy'], processes: 1 });
    const checked = await check({ ...settings, only: ['busy'], profile: 'never' });
    const request = { what: 'variants', kernel: 'tuned', a: {}, b: { WORK: 160_000 } } as const;
    const compared = await compare({ ...settings, ...request, processes: 4 });
    const fuzzed = await fuzz({ ...settings, only: ['busy'], count: 3 });

    const lines = await entries();
    expect(lines.map(({ what, kernels }) => [what, ...kernels])).toEqual([
      ['bench', 'busy'],
      ['check', 'busy'],
      ['compare', 'tuned'],
      ['fuzz', 'busy'],
    ]);
    const costs = [measured.report.cost, checked.report.cost, compared.report.cost, fuzzed.report.cost];
    expect(costs).toEqual(lines.map(({ wall_s, device_s, money }) => ({ wall_s, device_s, money })));
    for (const { device_s, wall_s, money, commit } of lines) {
      expect(device_s).toBeGreaterThan(0);
      expect(wall_s).toBeGreaterThanOrEqual(device_s);
      // An hour for 3600 is a second for 1.
      expect(money?.amount).toBeCloseTo(device_s, 5);
      expect(commit).toBe(project.git('rev-parse', 'HEAD').trim());
    }
  });

  it('say it where they say how long they took', async () => {
    const { report, samples } = await check({ ...settings, only: ['busy'], profile: 'never' });
    const money = /\d+\.\d{2,4} EUR/;
    expect(renderComparisonTerminal(report, { color: false, columns: 100 })).toMatch(money);
    expect(renderComparisonMarkdown(report, { samples })).toMatch(
      /\*\*Took\*\*: .* of device time, [\d.]+ EUR/,
    );
    expect(renderComparisonHtml(report, samples)).toMatch(/cost <b>[\d.]+ EUR<\/b>/);
    const measured = await bench({ ...settings, only: ['busy'], processes: 1 });
    expect(renderBenchTerminal(measured.report, { color: false, columns: 100 })).toMatch(/took .* EUR/);
    expect(await readFile(measured.files.markdown, 'utf8')).toMatch(/took .* EUR/);
    expect(await readFile(measured.files.html, 'utf8')).toMatch(/took <b>.* EUR<\/b>/);
  });
});
