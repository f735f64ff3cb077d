import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { benchReportSchema, type BenchReport } from '../../src/model/reports/bench-report.ts';
import { comparisonSchema } from '../../src/model/judge/comparison.ts';
import { samplesSchema } from '../../src/model/measure/samples.ts';
import { fixtureProject, pawl } from './pawl-cli.ts';

const QUICK = ['--no-history', '--quiet', '--wait', '600', '--processes', '1', '--samples', '10'];
/** What the compiler says of test/fixtures/kernels/syntax-error.cpp. */
const SAID = /does not build: [\s\S]*syntax-error\.cpp.*doubbled/;

describe('pawl bench of a kernel that does not build', () => {
  let folder: string;
  let code: number;
  let report: BenchReport;
  const read = (name: string) => readFile(join(folder, name), 'utf8');

  beforeAll(async () => {
    folder = await fixtureProject(['right', 'syntax-error']);
    const done = await pawl(folder, 'bench', '--json', '--out', 'now.json', ...QUICK);
    code = done.code;
    report = benchReportSchema.parse(JSON.parse(done.stdout));
  });

  it('ends with 1 and measures the others', () => {
    expect(code).toBe(1);
    expect(report.measurements.map(({ kernel, state }) => [kernel, state])).toEqual([['right', 'measured']]);
  });

  it("names it in --json, in the samples and in both reports, with the compiler's words", async () => {
    const named = [
      { kernel: 'syntax-error', reason: 'build-failed', message: expect.stringMatching(SAID) as string },
    ];
    expect(report.skipped).toMatchObject(named);
    expect(samplesSchema.parse(JSON.parse(await read('now.json'))).skipped).toMatchObject(named);
    expect(await read('now.md')).toMatch(/^- ❌ `syntax-error`: .*does not build[\s\S]*doubbled/m);
    expect(await read('now.html')).toMatch(/<b>syntax-error<\/b>: .*does not build[\s\S]*doubbled/);
  });

  it('fails it in JUnit, and makes a comparison of the files incorrect', async () => {
    const junit = await pawl(folder, 'export', 'now.json', '--to', 'junit');
    expect(junit.stdout).toMatch(/<failure type="build-failed"[^>]*doubbled/);
    const samples = samplesSchema.parse(JSON.parse(await read('now.json')));
    const before = {
      ...samples,
      skipped: undefined,
      measurements: samples.measurements.flatMap((one) => [one, { ...one, kernel: 'syntax-error' }]),
    };
    await writeFile(join(folder, 'before.json'), JSON.stringify(before));
    const compared = await pawl(
      folder,
      'compare',
      '--baseline',
      'before.json',
      '--candidate',
      'now.json',
      '--json',
    );
    expect(compared.code).toBe(1);
    const comparison = comparisonSchema.parse(JSON.parse(compared.stdout));
    expect(comparison.cases).toContainEqual(
      expect.objectContaining({ kernel: 'syntax-error', verdict: 'incorrect' }),
    );
    expect(comparison.missing).toEqual([]);
  });

  it('reports it on the terminal also where nothing else is there to measure', async () => {
    const done = await pawl(folder, 'bench', 'syntax-error', ...QUICK);
    expect(done.code).toBe(1);
    expect(done.stdout).toMatch(/✗ syntax-error: not measured: .*does not build/);
    expect(done.stdout).toContain('doubbled');
    expect(done.stderr).not.toContain('No kernel could be measured');
  });
});
