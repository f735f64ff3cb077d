import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, it } from 'vitest';

import { checkReportSchema } from '../../src/model/reports/check-report.ts';
import { fixtureProject, pawl } from './pawl-cli.ts';

const run = promisify(execFile);
const FAST = [
  '--quiet',
  '--wait',
  '600',
  '--mode',
  'hot',
  '--samples',
  '5',
  '--processes',
  '2',
  '--no-verify',
];

describe('a first pawl check', () => {
  let folder: string;
  const check = (...args: string[]) => pawl(folder, 'check', ...FAST, ...args);
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], { cwd: folder });

  beforeAll(async () => {
    folder = await fixtureProject(['right']);
  });

  it('refuses a baseline that was named and is not there', async () => {
    const { code, stderr } = await check('--baseline', 'pawl-basline.json');
    expect(stderr).toMatch(/There is no baseline at .*pawl-basline\.json\.\n {2}→ .*--update/);
    expect(code).toBe(64);
  });

  it('says that there is none yet and how to write one, and takes no more processes than asked for', async () => {
    const { code, stdout } = await check();
    expect(stdout).toMatch(/There is no baseline at \S+pawl-baseline\.json yet/);
    expect(stdout).toMatch(/→ .*\n {4}pawl check --update/);
    expect(code).toBe(0);
    const report = checkReportSchema.parse(JSON.parse((await check('--json')).stdout));
    expect(report.comparison.cases).toMatchObject([{ verdict: 'new', processes: [0, 2] }]);
    expect(report.baseline?.state).toBe('absent');
  });

  it('warns that entries outside of git are at no commit', async () => {
    const { code, stdout } = await check('--update', '--baseline', 'elsewhere.json');
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/not a git repository with a commit: .*git init/);
    expect(code).toBe(0);
  });

  it('is undecided without git, too, about a case that has other dimensions than its entry', async () => {
    const yaml = await readFile(join(folder, 'pawl.yaml'), 'utf8');
    await writeFile(join(folder, 'pawl.yaml'), yaml.replace('N: 1000', 'N: 2000'));
    const { code, stdout } = await check('--baseline', 'elsewhere.json');
    expect(stdout).toMatch(/right\/small.*: it has other dimensions than its entry: N=1000 → N=2000/);
    expect(code).toBe(2);
    await writeFile(join(folder, 'pawl.yaml'), yaml);
    await rm(join(folder, 'elsewhere.json'));
  });

  it('names the files that no commit holds, and not those that Pawl wrote', async () => {
    await writeFile(join(folder, '.gitignore'), '');
    await git('init', '-q', '.');
    await git('add', '-A', '--', ':!.pawl');
    await git('commit', '-q', '-m', 'first');
    await mkdir(join(folder, 'tuning'));
    await writeFile(join(folder, 'tuning/trials.json'), '{}');
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const { code, stderr } = await check('--update');
    expect(stderr).toMatch(/uncommitted changes: notes\.txt\.\n/);
    expect(code).toBe(64);
    await rm(join(folder, 'notes.txt'));
  });

  it('says what it wrote and that it is to be committed', async () => {
    const { code, stdout } = await check('--update');
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/wrote \S+pawl-baseline\.json: 1 first entry/);
    expect(text).toMatch(/git add \S+pawl-baseline\.json && git commit/);
    expect(text).toContain('this is its first entry');
    expect(text).not.toContain('does not have this case');
    expect(code).toBe(0);
    expect(existsSync(join(folder, 'pawl-baseline.json'))).toBe(true);
  });
});
