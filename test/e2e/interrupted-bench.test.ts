import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, it } from 'vitest';

import { samplesSchema, type Samples } from '../../src/model/measure/samples.ts';
import { fixtureProject, PAWL, pawl, runProgram, startPawl } from './pawl-cli.ts';

const run = promisify(execFile);

async function readSamples(path: string): Promise<Samples> {
  return samplesSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

/** Waits until a run under way has written this many series to its journal. */
async function seriesTaken(folder: string, count: number, part = ''): Promise<string> {
  const runs = join(folder, '.pawl/runs');
  for (;;) {
    for (const name of await readdir(runs).catch(() => [])) {
      if (!name.endsWith(part)) continue;
      const journal = await readFile(join(runs, name, 'journal.jsonl'), 'utf8').catch(() => '');
      if (journal.split('"type":"series"').length > count) return join(runs, name);
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

  it('gives back both sides of a comparison that was killed', async () => {
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: folder });
    await git('init', '-q', '.');
    await git('add', 'pawl.yaml', 'src');
    await git('commit', '-qm', 'slow');
    const source = join(folder, 'src/slow.cpp');
    await writeFile(source, `${await readFile(source, 'utf8')}\nextern "C" int other_binary = 1;\n`);
    const compare = startPawl(
      folder,
      'compare',
      '--no-verify',
      '--base',
      'HEAD',
      ...MANY.slice(1, -4),
      '--mode',
      'hot',
    );
    const runs = await Promise.all([seriesTaken(folder, 1, '-base'), seriesTaken(folder, 1, '-head')]);
    compare.kill('SIGKILL');
    await once(compare, 'exit');
    const next = await pawl(folder, 'bench', '--wait', '300', '--processes', '1', '--samples', '10');
    expect(next.stderr.match(/an earlier run was killed/g)?.length).toBeGreaterThanOrEqual(2);
    for (const directory of runs) {
      const { measurements } = await readSamples(join(directory, 'samples.json'));
      expect(measurements[0]?.series.length).toBeGreaterThanOrEqual(1);
    }
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

describe('a bench whose disk fills', () => {
  it('ends, names the file, and the next run gives back what was measured', async () => {
    const folder = await fixtureProject(['right']);
    expect((await pawl(folder, 'build')).code).toBe(0);
    // A limit of file sizes stands for the disk: the journal outgrows it. Libraries do not, which take 64 KiB on Arm.
    const limited = ['-c', 'ulimit -f 128; exec "$@"', 'bash', PAWL];
    const many = ['bench', '--wait', '300', '--processes', '100', '--samples', '1000', '--mode', 'hot'];
    const full = await runProgram('bash', [...limited, ...many], folder);
    expect(full.code).toBe(69);
    const [, path = ''] = /pawl: (\S+journal\.jsonl) cannot be written: /u.exec(full.stderr) ?? [];
    const next = await pawl(folder, 'bench', '--wait', '300', '--processes', '1', '--samples', '10');
    expect(next.stderr).toContain('an earlier run was killed; its samples:');
    const samples = await readSamples(join(dirname(path), 'samples.json'));
    expect(samples.measurements[0]?.series.length).toBeGreaterThanOrEqual(2);
  });
});
