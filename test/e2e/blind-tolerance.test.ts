import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { benchReportSchema } from '../../src/model/reports/bench-report.ts';
import { checkReportSchema } from '../../src/model/reports/check-report.ts';
import { fixtureProject, pawl } from './pawl-cli.ts';

const run = promisify(execFile);
const FAST = ['--quiet', '--wait', '600', '--mode', 'hot', '--samples', '5', '--processes', '2'];
/** In one line, however wide the terminal is. */
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

let folder: string;
const inFolder = (...args: string[]) => pawl(folder, ...args);
const git = (...args: string[]) =>
  run('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], { cwd: folder });

async function edit(from: string, to: string): Promise<void> {
  const path = join(folder, 'pawl.yaml');
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
  await git('commit', '-qam', `${from} becomes ${to}`);
}

beforeAll(async () => {
  folder = await fixtureProject(['right', 'zeros']);
  await writeFile(join(folder, '.gitignore'), '.pawl\n');
  await git('init', '-q', '.');
  await git('add', '-A');
  await git('commit', '-qm', 'first');
  // Twice numbers of a ten-thousandth, each below the default atol of 2e-3.
  await edit('fill: normal', 'fill: { kind: normal, std: 1e-4 }');
  await edit('sources: [src/right.cpp]', 'sources: [src/right.cpp], tunables: { PAD: [0, 1] }');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a tolerance that zeros would pass', { timeout: 600_000 }, () => {
  let remedy: string | undefined;

  it('is what pawl bench warns of first, and leaves the run undecided', async () => {
    const { code, stdout } = await inFolder('bench', ...FAST);
    expect(flat(stdout)).toMatch(/the tolerance is blind: zeros, .* would pass as 'y'/);
    expect(flat(stdout)).toMatch(/tolerance: \{ atol: \d(\.\d+)?e-9, rtol: \d(\.\d+)?e-5 \}/);
    expect(code).toBe(2);
    const report = benchReportSchema.parse(JSON.parse((await inFolder('bench', '--json', ...FAST)).stdout));
    remedy = report.measurements[0]?.warnings[0]?.remedy;
    expect(report.measurements.map(({ warnings }) => warnings[0]?.kind)).toEqual([
      'blind-tolerance',
      'blind-tolerance',
    ]);
  });

  it('makes no entry of a baseline, in pawl check --update', async () => {
    const { code, stdout } = await inFolder('check', '--update', '--json', ...FAST);
    const report = checkReportSchema.parse(JSON.parse(stdout));
    expect(report.verdict).toBe('undecided');
    for (const { verdict, reason, blind } of report.comparison.cases) {
      expect(verdict).toBe('undecided');
      expect(reason).toMatch(
        /^the tolerance is blind: .*so its time does not count\. Write a tighter tolerance/,
      );
      expect(blind).toMatchObject([{ answer: 'zeros', tensor: 'y' }, {}, {}, {}, {}, {}]);
    }
    expect(code).toBe(2);
    const path = join(folder, 'pawl-baseline.json');
    const entries = existsSync(path) ? JSON.parse(await readFile(path, 'utf8')).entries : [];
    expect(entries).toEqual([]);
  });

  it('makes none of a samples file, in pawl ratchet advance', async () => {
    await inFolder('bench', '--only', 'zeros', '--out', 'samples.json', ...FAST);
    const { code, stdout } = await inFolder('ratchet', 'advance', 'samples.json', '--baseline', 'other.json');
    expect(flat(stdout)).toMatch(/unproven zeros\/small the tolerance is blind/);
    expect(code).toBe(2);
    await Promise.all(['samples.json', 'other.json'].map((name) => rm(join(folder, name), { force: true })));
  });

  it('leaves a comparison undecided, though nothing changed', async () => {
    const args = ['compare', '--base', 'HEAD', '--head', 'worktree', ...FAST];
    const { code, stdout } = await inFolder(...args, '--only', 'right');
    expect(flat(stdout)).toMatch(/the tolerance is blind: .*so it was not timed/);
    expect(code).toBe(2);
  });

  it('is refused by pawl tune before anything is searched', async () => {
    const { code, stderr } = await inFolder('tune', 'right', '--case', 'small', '--quiet', '--wait', '600');
    expect(flat(stderr)).toMatch(/No variant can be checked for correctness: the tolerance is blind/);
    expect(flat(stderr)).toMatch(/→ Write a tighter tolerance for the problem in pawl\.yaml/);
    expect(code).toBe(78);
  });

  it('sees when it is as was suggested: what is right counts, and zeros are wrong', async () => {
    const [, tolerance] = /pawl\.yaml: (tolerance: \{.*\})/.exec(remedy ?? '') ?? [];
    expect(tolerance).toBeDefined();
    // Once, also where this is tried again.
    const isThere = (await readFile(join(folder, 'pawl.yaml'), 'utf8')).includes(tolerance!);
    if (!isThere) await edit('    cases:', `    ${tolerance}\n    cases:`);
    const right = await inFolder('bench', '--only', 'right', ...FAST);
    expect(right.stdout).not.toContain('blind');
    expect(right.code).toBe(0);
    const zeros = await inFolder('bench', '--only', 'zeros', ...FAST);
    // Not those whose right value happens to be as near to 0 as the tolerance.
    expect(flat(zeros.stdout)).toMatch(/wrong result: (?:1000|99\d) of 1000 elements of 'y' differ/);
    expect(zeros.code).toBe(1);
  });
});
