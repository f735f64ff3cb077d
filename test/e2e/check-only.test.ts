import { rm } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { BenchReport } from '../../src/model/reports/bench-report.ts';
import { fixtureProject, pawl } from './pawl-cli.ts';

const CHECK = ['bench', '--wait', '300', '--check-only'];

let folder: string;
beforeAll(async () => {
  folder = await fixtureProject(['right', 'zeros']);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('pawl bench --check-only', () => {
  it('says which kernels are right and measures none', async () => {
    const { code, stdout } = await pawl(folder, ...CHECK, '--json');
    expect(code).toBe(1);
    const { measurements } = JSON.parse(stdout) as BenchReport;
    const found = measurements.map(({ kernel, check, processes }) => ({ kernel, check, processes }));
    expect(found).toContainEqual({ kernel: 'right', check: 'passed', processes: 0 });
    expect(found).toContainEqual({ kernel: 'zeros', check: 'failed', processes: 0 });
  });

  it('is good where all are right, shows it so, and leaves no run in history', async () => {
    const { code, stdout } = await pawl(folder, ...CHECK, 'right');
    expect(stdout).toMatch(/✓ \S+ +right, not timed/u);
    expect(code).toBe(0);
    const history = await pawl(folder, 'history', 'list', '--json');
    expect(history.code).toBe(0);
    expect(history.stdout).not.toContain('"right"');
  });

  it.each([['--no-check'], ['--engine', 'slurm']])('does not go with %s', async (...flags) => {
    const { code, stderr } = await pawl(folder, ...CHECK, ...flags);
    expect(code).toBe(64);
    expect(stderr).toContain('--check-only cannot be combined with');
  });
});
