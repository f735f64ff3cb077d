import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { benchReportSchema } from '../../src/model/reports/bench-report.ts';
import { buildReportSchema } from '../../src/model/reports/build-report.ts';
import { doctorReportSchema } from '../../src/model/reports/doctor-report.ts';
import { samplesSchema } from '../../src/model/measure/samples.ts';
import { fixtureProject, pawl } from './pawl-cli.ts';

describe('the command line', () => {
  it.each(['init', 'doctor', 'build', 'bench', 'bundle'])('teaches in pawl %s --help', async (command) => {
    const { code, stdout } = await pawl('.', command, '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Exit codes: 0 good · 1 bad/);
    expect(stdout).toMatch(/--json/);
  });

  it.each([
    [['bensh'], /unknown command 'bensh'\n?\(Did you mean bench\?\)/],
    [['bench', '--processes', 'none'], /Expected a whole number, 1 or more/],
    [['bench', '--mode', 'warm'], /Allowed choices are cold, hot, graph/],
    [['bench', '--clocks', 'fast'], /Allowed choices are as-is, lock/],
    [['bench', 'rihgt'], /no kernel "?rihgt"? \(did you mean `right`\?\)/],
    [['bench', '--only', 'rihgt'], /no kernel "?rihgt"? \(did you mean `right`\?\)/],
    [['bench', '--case', 'smal'], /no kernel selected has a case "smal" \(did you mean `small`\?\)/i],
    [['bench', '--variant', 'BLOCK=4'], /no tunable/],
    [['bench', '--seed', 'dice'], /not an unsigned 64-bit number/],
    [['history', 'show', 'nosuch'], /→ `pawl history list` shows runs/],
    [['session', 'show', 'nosuch'], /There is no session nosuch\.\n {2}→ Start one: pawl session start/],
    [
      ['session', 'start', '--goal', '1.2x on smal'],
      /\(did you mean `small`\?\)\.\n {2}→ Its cases are small/,
    ],
    [['session', 'start', '--goal', '0.5x on small'], /asks for nothing faster/],
    [['history', 'list', '--since', '5'], /Expected a date such as 2026-07-01, or 12h, 30d, 8w/],
    [['trend', '--since', '5'], /Expected a date such as/],
    [['cost', '--since', '5'], /Expected a date such as/],
    [['report', '--html', 'page.html', '--since', '5'], /Expected a date such as/],
  ])('answers %j with 64 and a sentence', async (args, words) => {
    const { code, stderr } = await pawl(await fixtureProject(['right']), ...args);
    expect(stderr).toMatch(words);
    expect(code).toBe(64);
  });

  it('answers a folder without pawl.yaml with 78, also as JSON', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'pawl-empty-'));
    const { code, stdout, stderr } = await pawl(empty, 'bench', '--json');
    expect(code).toBe(78);
    expect(stderr).toMatch(/No pawl.yaml in .*\n {2}→ `pawl init`/);
    expect(JSON.parse(stdout)).toMatchObject({ error: { kind: 'configuration' } });
  });

  it('answers a misspelt option as JSON too, where JSON was asked for', async () => {
    const { code, stdout } = await pawl('.', 'bench', '--json', '--proceses', '3');
    expect(code).toBe(64);
    const { error } = JSON.parse(stdout) as { error: { kind: string; message: string } };
    expect(error.kind).toBe('usage');
    expect(error.message).toMatch(/^unknown option '--proceses'\n\(Did you mean --processes\?\)/);
  });
});

describe('a project from pawl init', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-new-'));
    expect((await pawl(folder, 'init', '--device', 'cpu')).code).toBe(0);
  });

  it('is found healthy by doctor', async () => {
    const { code, stdout } = await pawl(folder, 'doctor', '--json');
    const report = doctorReportSchema.parse(JSON.parse(stdout));
    expect(report.checks.find(({ id }) => id === 'config')?.state ?? 'ok').toBe('ok');
    expect(report.ready).toBe(true);
    expect(code).toBe(0);
  });

  it('builds, and the second time from the cache', async () => {
    expect((await pawl(folder, 'build')).code).toBe(0);
    const again = buildReportSchema.parse(JSON.parse((await pawl(folder, 'build', '--json')).stdout));
    expect(again.kernels.map(({ status }) => status)).toEqual(again.kernels.map(() => 'cached'));
  });

  it('shows its commands without running them', async () => {
    const { stdout } = await pawl(folder, 'build', '--dry-run');
    expect(stdout).toMatch(/planned[\s\S]*-shared/);
  });

  it('is measured, and leaves samples and reports that read as such', async () => {
    const { code, stdout } = await pawl(
      folder,
      'bench',
      '--wait',
      '300',
      '--json',
      '--processes',
      '2',
      '--out',
      'now.json',
    );
    const report = benchReportSchema.parse(JSON.parse(stdout));
    expect(code).toBe(0);
    expect(report.measurements.every(({ state }) => state === 'measured')).toBe(true);
    const samples = samplesSchema.parse(JSON.parse(await readFile(join(folder, 'now.json'), 'utf8')));
    expect(samples.environment).toMatchObject({ pawl: '0.1.0', clocks: { policy: 'as-is' } });
    expect(samples.measurements[0]?.binary?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await readFile(join(folder, 'now.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    expect(await readFile(join(folder, 'now.md'), 'utf8')).toContain('|');
  });

  it('repeats the order and the inputs of a run from its seed', async () => {
    const args = ['bench', '--wait', '300', '--quiet', '--processes', '1', '--seed', '7', '--out'];
    expect((await pawl(folder, ...args, 'first.json')).code).toBe(0);
    const samples = samplesSchema.parse(JSON.parse(await readFile(join(folder, 'first.json'), 'utf8')));
    expect(samples.environment?.seed).toBe('7');
  });
});
