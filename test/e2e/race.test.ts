import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { comparisonSchema } from '../../src/model/judge/comparison.ts';
import { raceSchema, type Race } from '../../src/model/judge/race.ts';
import { race as startRace, type RaceOptions } from '../../src/workflows/race.ts';
import { compare } from '../../src/workflows/runs/compare.ts';
import { busyKernel, CompareProject } from '../workflows/compare-project.ts';
import { pawl } from './pawl-cli.ts';

const FAST = 50_000;

/** The slow one takes far more than twice as long, so that three processes show it on any machine. */
const SOURCES: Readonly<Record<string, string>> = {
  reference: busyKernel(FAST),
  twin: busyKernel(FAST, '// The same work in another file.\n'),
  slow: busyKernel(6 * FAST),
  wrong: busyKernel(FAST).replace('return doubled(call);', 'return 0;'),
  broken: busyKernel(FAST).replace('doubled(call)', 'nothing_of_that_name'),
};

const problem = `
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: src/oracle.cpp }`;

const kernel = (name: string, rest: string): string =>
  `  ${name}: { device: cpu, language: c++, sources: [src/${name}.cpp], ${rest} }\n`;

const YAML = `version: 1
problems:
  doubled:${problem}
    cases: { small: { N: 1000 } }
  twice:${problem}
    cases: { small: { N: 1000 } }
kernels:
${Object.keys(SOURCES)
  .map((name) => kernel(name, 'problem: doubled'))
  .join('')}${kernel('elsewhere', 'problem: doubled, dtype: f64')}${kernel('stranger', 'problem: twice')}
measure: { mode: hot, samples: 10, warmup: 2, stopping: fixed }
`;

const QUICK = ['--processes', '3', '--wait', '300', '--quiet'];

describe('kernels of one problem', () => {
  let project: CompareProject;
  let race: Race;
  let code: number;
  const run = (...args: readonly string[]) => pawl(project.folder, ...args);

  beforeAll(async () => {
    project = await CompareProject.create();
    for (const [name, source] of Object.entries(SOURCES)) await project.write(`src/${name}.cpp`, source);
    for (const name of ['elsewhere', 'stranger']) await project.write(`src/${name}.cpp`, busyKernel(FAST));
    await project.write('pawl.yaml', YAML);
    const raced = await run('race', '--problem', 'doubled', '--json', '--out', 'race', ...QUICK);
    race = raceSchema.parse(JSON.parse(raced.stdout));
    code = raced.code;
  });

  const racer = (name: string) => race.cases[0]!.kernels.find((one) => one.kernel === name)!;

  it('race, and the slow one is ranked behind the reference and its twin, which are not told apart', () => {
    expect(race).toMatchObject({ reference: 'reference', problem: 'doubled' });
    expect(racer('reference').rank).toEqual([1, 2]);
    expect(racer('twin').rank).toEqual([1, 2]);
    expect(racer('slow')).toMatchObject({ rank: [3, 3], verdict: 'regressed', processes: 3 });
    const { low, high } = racer('slow').speedup!;
    expect(low).toBeLessThanOrEqual(high);
    expect(high).toBeLessThan(1);
  });

  it('race, and what is wrong or does not build is in the table without a rank, and costs the exit code', () => {
    expect(racer('wrong')).toMatchObject({ state: 'wrong', fault: { detector: 'unwritten-output' } });
    expect(racer('broken')).toMatchObject({ state: 'broken', processes: 0 });
    for (const name of ['wrong', 'broken']) expect(racer(name)).not.toHaveProperty('rank');
    expect([race.result, code]).toEqual(['bad', 1]);
  });

  it('race without those that share no case with the reference', () => {
    expect(race.left_out).toMatchObject([{ kernel: 'elsewhere' }]);
  });

  it('race, with reports in a folder', async () => {
    for (const name of ['report.md', 'report.html']) {
      const text = await readFile(join(project.folder, 'race', name), 'utf8');
      for (const word of ['twin', 'regressed', 'does not build', '1–2']) expect(text).toContain(word);
    }
  });

  it('compare from the files of the race, by name', async () => {
    const files = ['race/samples.json', 'race/samples.json', '--kernels', 'slow,reference', '--json'];
    const { stdout, code: ended } = await run('compare', ...files);
    const comparison = comparisonSchema.parse(JSON.parse(stdout));
    expect(comparison).toMatchObject({
      verdict: 'regressed',
      kernels: { baseline: 'reference', candidate: 'slow', problem: 'doubled', matched_by: 'problem' },
    });
    expect(ended).toBe(1);
  });

  it('compare side by side, and the report says which is which', async () => {
    const asked = ['--kernels', 'reference,slow', '--no-control', '--out', 'pair'];
    const { stdout, code: ended } = await run('compare', ...asked, ...QUICK);
    expect(stdout).toContain('reference (candidate) against slow (baseline)');
    expect(stdout).toMatch(/improved: reference is [\d.]+(?: %|×) faster than slow on small/);
    expect(ended).toBe(0);
    const head = JSON.parse(await readFile(join(project.folder, 'pair/head.json'), 'utf8'));
    const base = JSON.parse(await readFile(join(project.folder, 'pair/base.json'), 'utf8'));
    expect([head, base].map(({ measurements }) => measurements[0].kernel)).toEqual(['reference', 'slow']);
    // A picture of the samples needs both sides.
    expect(await readFile(join(project.folder, 'pair/01-small-samples.svg'), 'utf8')).toContain('<svg');
  });

  it('are refused beside commits', async () => {
    const { stderr, code: ended } = await run('compare', '--kernels', 'slow,reference', '--base', 'HEAD');
    expect(stderr).toMatch(/^pawl: --base cannot be combined with --kernels.*\n {2}→ /u);
    expect(ended).toBe(64);
  });

  const compared = (...kernels: readonly string[]) =>
    compare({ what: 'kernels', config: project.folder, kernels, history: false });
  const raced = (options: Partial<RaceOptions>) =>
    startRace({ config: project.folder, history: false, ...options });

  it.each([
    ['different problems', 'bad-data', () => compared('slow', 'stranger')],
    ['no case in common', 'bad-data', () => compared('elsewhere', 'reference')],
    ['a name that no kernel has', 'usage', () => compared('slow', 'refrence')],
    ['one name', 'usage', () => compared('slow')],
    ['several problems, and none named', 'usage', () => raced({})],
    ['kernels of two problems', 'bad-data', () => raced({ kernels: ['slow', 'stranger'] })],
    ['none of the cases of the reference', 'bad-data', () => raced({ kernels: ['reference', 'elsewhere'] })],
    ['one kernel', 'bad-data', () => raced({ problem: 'twice' })],
  ])('are refused with a remedy: %s', async (_, kind, attempt) => {
    await expect(attempt()).rejects.toMatchObject({ kind, hint: expect.stringMatching(/./u) });
  });
});
