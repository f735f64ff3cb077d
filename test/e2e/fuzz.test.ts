import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { fuzzReportSchema } from '../../src/model/correctness/fuzz-report.ts';
import { fuzzProject } from '../workflows/fuzz-project.ts';
import { pawl, startPawl } from './pawl-cli.ts';

const COMMON = ['fuzz', '--wait', '600', '--seed', '11', '--cases', '30'];

/** A failure's own command, as the user would paste it. */
function commandIn(text: string): string[] {
  const [, only, replay] = /pawl fuzz --only (\S+) --replay '([^']*)'/.exec(text) ?? [];
  if (only === undefined || replay === undefined) throw new Error(`no command in:\n${text}`);
  return ['fuzz', '--wait', '600', '--only', only, '--replay', replay];
}

describe('pawl fuzz on the command line', () => {
  it('ends with 0 where all passed, 1 where something failed or is no kernel, 64 for a wrong word', async () => {
    const folder = await fuzzProject(['right', 'wrong-tail', 'no-run']);
    expect((await pawl(folder, ...COMMON, '--only', 'right')).code).toBe(0);
    const failed = await pawl(folder, ...COMMON, '--only', 'wrong-tail');
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('wrong-result in y')]);
    const absent = await pawl(folder, ...COMMON, '--only', 'no-run');
    expect([absent.code, absent.stdout]).toEqual([1, expect.stringContaining('pawl_run')]);
    for (const wrong of [
      ['--only', 'gone'],
      ['--seed', 'x'],
      ['--replay', 'N=x'],
      ['--replay', 'M=1'],
      ['--case', 'gone'],
    ]) {
      expect((await pawl(folder, ...COMMON, ...wrong)).code).toBe(64);
    }
  });

  it('prints a line that shows the failure again, and JSON for scripts', async () => {
    const folder = await fuzzProject(['crashing']);
    const run = await pawl(folder, ...COMMON, '--json', '--quiet');
    expect(run.stderr).toBe('');
    const report = fuzzReportSchema.parse(JSON.parse(run.stdout));
    const [failure] = report.kernels[0]?.failures ?? [];
    const again = await pawl(folder, ...commandIn(failure?.replay ?? ''));
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('crashed')]);
    expect(again.stdout).toContain('N=37');
  });

  it('has on disk what it found when it is killed without warning', async () => {
    const folder = await fuzzProject(['wrong-tail', 'hanging']);
    const child = startPawl(
      folder,
      'fuzz',
      '--wait',
      '600',
      '--only',
      'wrong-tail,hanging',
      '--timeout',
      '300',
    );
    const corpus = () => readFile(join(folder, 'pawl-corpus.jsonl'), 'utf8').catch(() => '');
    // The second kernel hangs, so that the run is under way when it is killed.
    while (!(await corpus()).includes('wrong-tail')) {
      expect(child.exitCode).toBeNull();
      await sleep(50);
    }
    child.kill('SIGKILL');
    await new Promise((done) => child.once('close', done));
    expect(JSON.parse((await corpus()).split('\n')[0] ?? '')).toMatchObject({ kernel: 'wrong-tail' });
    const next = await pawl(folder, ...COMMON, '--only', 'wrong-tail', '--json', '--quiet');
    const report = fuzzReportSchema.parse(JSON.parse(next.stdout));
    expect(report.kernels[0]?.failures[0]).toMatchObject({ source: 'corpus' });
  });

  it('keeps what it found on Ctrl-C, also while a kernel hangs', async () => {
    const folder = await fuzzProject(['wrong-tail', 'hanging']);
    const child = startPawl(
      folder,
      'fuzz',
      '--wait',
      '600',
      '--timeout',
      '300',
      '--seed',
      '11',
      '--cases',
      '30',
    );
    while (!child.text().includes('hanging small') && !/hanging (one|matrix)/.test(child.text())) {
      expect(child.exitCode).toBeNull();
      const found = await readFile(join(folder, 'pawl-corpus.jsonl'), 'utf8').catch(() => '');
      if (found.includes('"N":101')) break;
      await sleep(50);
    }
    await sleep(500);
    child.kill('SIGINT');
    const code = await new Promise((done) => child.once('close', done));
    expect(code).toBe(1);
    expect(child.text()).toContain('interrupted before all cases were run');
    expect(child.text()).toContain('wrong-result in y');
  });
});
