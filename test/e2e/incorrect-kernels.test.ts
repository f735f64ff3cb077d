import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, it } from 'vitest';

import { checkReportSchema, type CheckReport } from '../../src/model/reports/check-report.ts';
import { fixtureProject, pawl } from './pawl-cli.ts';

const run = promisify(execFile);

/** What is wrong with each, and the words that name it. */
const WRONG = [
  ['wrong-result', 'wrong-result', 'check'],
  ['unwritten-output', 'unwritten-output', 'check'],
  ['exited', 'exited', 'check'],
  ['writes-beyond-later', 'out-of-bounds-write', 'timing'],
  ['syntax-error', 'build-failed', 'build'],
] as const;

/** Hot samples are batches, so that a kernel is called hundreds of times. */
const QUICK = ['--wait', '600', '--mode', 'hot', '--samples', '30', '--timeout', '20'];

describe('pawl check of kernels that are wrong', () => {
  let folder: string;
  let code: number;
  let report: CheckReport;
  const read = (name: string) => readFile(join(folder, name), 'utf8');

  beforeAll(async () => {
    folder = await fixtureProject(['right', ...WRONG.map(([name]) => name)]);
    await writeFile(join(folder, '.gitignore'), '.pawl/\nreport/\n');
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];
    await run('git', ['init', '-q', '.'], { cwd: folder });
    await run('git', ['add', '-A'], { cwd: folder });
    await run('git', [...identity, 'commit', '-q', '-m', 'first'], { cwd: folder });
    const done = await pawl(folder, 'check', '--json', '--update', '--out', 'report', ...QUICK);
    code = done.code;
    report = checkReportSchema.parse(JSON.parse(done.stdout));
  });

  const rowOf = (kernel: string) => report.comparison.cases.find((one) => one.kernel === kernel)!;

  it('ends with 1, and its verdict is incorrect', () => {
    expect([report.verdict, code]).toEqual(['incorrect', 1]);
  });

  it.each(WRONG)('calls %s incorrect by %s, seen in the %s', (kernel, detector, during) => {
    expect(rowOf(kernel)).toMatchObject({ verdict: 'incorrect', fault: { detector, during } });
  });

  it('keeps the result of the kernel beside them that is right', () => {
    expect(rowOf('right')).toMatchObject({ verdict: 'new' });
    expect(rowOf('right').fault).toBeUndefined();
  });

  it('writes no entry of a kernel that did not pass', async () => {
    const { entries } = JSON.parse(await read('pawl-baseline.json')) as {
      entries: { key: { kernel: string } }[];
    };
    expect(entries.map(({ key }) => key.kernel)).toEqual(['right']);
  });

  it('shows the worst element and a command that reproduces it in all reports', async () => {
    const { fault } = rowOf('wrong-result');
    expect(fault?.tensor?.worst).toMatchObject({ index: [expect.any(Number)] });
    const index = fault!.tensor!.worst!.index[0]!;
    expect(fault!.reproduce).toMatch(/^pawl bench --verified --only wrong-result --case small .*--seed \d+$/);
    const markdown = await read('report/report.md');
    expect(markdown).toMatch(/\| element \| got \| right \| error \|/);
    expect(markdown).toContain(`\`${fault!.reproduce!}\``);
    const html = await read('report/report.html');
    expect(html).toMatch(new RegExp(`<td[^>]*>\\[${index}\\]</td>`));
    expect(html).toContain(`<code>${fault!.reproduce!}</code>`);
  });

  it('reproduces with that command: the same element is wrong by the same amount', async () => {
    const { fault } = rowOf('wrong-result');
    const words = fault!.reproduce!.split(' ').slice(1);
    const again = await pawl(folder, ...words, '--json', '--wait', '600', '--processes', '1');
    expect(again.code).toBe(1);
    const { measurements } = JSON.parse(again.stdout) as { measurements: { fault: unknown }[] };
    expect(measurements[0]!.fault).toMatchObject({ tensor: { worst: fault!.tensor!.worst! } });
  });

  it('tells on the terminal what pawl bench found', async () => {
    const only = ['--only', 'wrong-result,writes-beyond-later'];
    const done = await pawl(folder, 'bench', ...only, ...QUICK, '--processes', '2', '--verified');
    expect(done.code).toBe(1);
    expect(done.stdout).toMatch(/▸ +\[\d+\]/);
    expect(done.stdout).toMatch(/refused: out-of-bounds-write/);
    expect(done.stdout).toMatch(/pawl bench --verified --only wrong-result/);
  });

  it('is refused by the ratchet when its samples are brought from elsewhere', async () => {
    await pawl(folder, 'bench', '--only', 'wrong-result', '-o', 'wrong.json', ...QUICK, '--processes', '1');
    const done = await pawl(folder, 'ratchet', 'advance', 'wrong.json', '--allow-unchecked');
    expect(done.stdout).toMatch(/refused +wrong-result\/small.* wrong-result: \d+ of 1000 elements/);
    expect(done.code).toBe(1);
  });

  it('calls a known kernel incorrect once it is broken, beside its commit', async () => {
    await copyFile(join(folder, 'src/wrong-result.cpp'), join(folder, 'src/right.cpp'));
    const done = await pawl(folder, 'check', '--only', 'right', ...QUICK);
    expect(done.stdout).toMatch(/‼ incorrect: \S+ gives wrong results in \S+/);
    expect(done.stdout).toMatch(/▸ +\[\d+\]/);
    expect(done.code).toBe(1);
  });
});
