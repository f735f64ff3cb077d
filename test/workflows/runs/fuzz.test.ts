import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { parseReplayLine } from '../../../src/correctness/replay-line.ts';
import type { FuzzedKernel } from '../../../src/model/correctness/fuzz-report.ts';
import { fuzzReportSchema } from '../../../src/model/correctness/fuzz-report.ts';
import type { Progress } from '../../../src/model/measure/progress.ts';
import { fuzz, type FuzzOptions } from '../../../src/workflows/runs/fuzz.ts';
import { fuzzProject } from '../fuzz-project.ts';

const COMMON = { wait_s: 600, seed: '11', count: 40 } as const;

async function fuzzIn(config: string, options: FuzzOptions = {}) {
  const { report, files } = await fuzz({ ...COMMON, config, ...options });
  expect(fuzzReportSchema.parse(report)).toEqual(report);
  const of = (kernel: string): FuzzedKernel => {
    const found = report.kernels.find((each) => each.kernel === kernel);
    if (found === undefined) throw new Error(`${kernel} is not in the report`);
    return found;
  };
  return { report, files, of };
}

async function corpusOf(folder: string): Promise<{ kernel: string; dims: Record<string, number> }[]> {
  const text = await readFile(join(folder, 'pawl-corpus.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as never);
}

/** What the printed command would run again. */
function replayOf({ failures }: FuzzedKernel): string {
  const line = /--replay '([^']*)'$/.exec(failures[0]?.replay ?? '')?.[1];
  if (line === undefined) throw new Error('there is nothing to replay');
  return line;
}

describe('pawl fuzz', () => {
  it('passes an honest kernel, source by source, and says how close it came', async () => {
    const folder = await fuzzProject(['right', 'printed-answers']);
    const progress: Progress[] = [];
    const { report, of } = await fuzzIn(folder, {
      only: ['right'],
      onProgress: (each) => progress.push(each),
    });
    expect(report).toMatchObject({ result: 'passed', seed: '11', subject: 'kernels' });
    expect(of('right')).toMatchObject({
      state: 'passed',
      counts: {
        matrix: { passed: 2, failed: 0 },
        edge: { passed: 1, failed: 0 },
        named: { passed: 1, failed: 0 },
        generated: { passed: 40, failed: 0 },
      },
      failures: [],
    });
    expect(progress).toContainEqual({ type: 'started', title: 'fuzzing', total: 44 });
    expect(progress.some((each) => each.type === 'step' && each.detail === '44 passed, 0 failed')).toBe(true);
  });

  it('finds, minimises and keeps what is wrong, replays it first, and keeps it when it is mended', async () => {
    const folder = await fuzzProject(['wrong-tail']);
    const { report, of } = await fuzzIn(folder);
    const [failure] = of('wrong-tail').failures;
    expect(report.result).toBe('failed');
    expect(failure).toMatchObject({ detector: 'wrong-result', tensor: 'y', alone: true, saved: true });
    expect(failure?.shrunk.dims).toEqual({ N: 101 });
    expect(failure?.check?.tensors[0]).toMatchObject({ name: 'y', mismatches: 5 });
    expect(await corpusOf(folder)).toMatchObject([{ kernel: 'wrong-tail', dims: { N: 101 } }]);

    const replayed = await fuzzIn(folder, { replay: replayOf(of('wrong-tail')) });
    expect(replayed.of('wrong-tail').counts).toEqual({ replay: { passed: 0, failed: 1, skipped: 0 } });

    const again = await fuzzIn(folder, { seed: '12' });
    expect(again.of('wrong-tail').failures[0]).toMatchObject({
      source: 'corpus',
      saved: false,
      shrink_attempts: 0,
    });

    await writeFile(join(folder, 'src/wrong-tail.cpp'), await readFile(join(folder, 'src/right.cpp')));
    const mended = await fuzzIn(folder);
    expect(mended.report.result).toBe('passed');
    expect(mended.report.corpus).toBe('pawl-corpus.jsonl');
    expect(mended.of('wrong-tail').counts.corpus).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(await corpusOf(folder)).toHaveLength(1);
  });

  it('keeps the values that a failure needs', async () => {
    const folder = await fuzzProject(['wrong-when-huge']);
    const { of } = await fuzzIn(folder);
    const [failure] = of('wrong-when-huge').failures;
    expect(failure?.shrunk.values).toEqual({ x: 'huge' });
    expect(parseReplayLine(replayOf(of('wrong-when-huge')))).toEqual(failure?.shrunk);
  });

  it('says of a kernel that hangs from which size on, as far as the time for it goes', async () => {
    const folder = await fuzzProject(['hanging']);
    const { of } = await fuzzIn(folder, { timeout_s: 2, cases: ['small'] });
    expect(of('hanging').failures[0]).toMatchObject({ detector: 'hung', alone: true });
    expect(of('hanging').failures[0]?.shrunk.dims['N']).toBeLessThan(1000);
  });

  it('goes on after kernels that crash or refuse, and says what each of them did', async () => {
    const folder = await fuzzProject(['crashing', 'refusing', 'forged-answers', 'right']);
    const { report, of } = await fuzzIn(folder);
    expect(report.kernels.map(({ failures }) => failures[0]?.detector)).toEqual([
      'crashed',
      'kernel-failed',
      'forged-result',
      undefined,
    ]);
    expect(of('crashing').failures[0]).toMatchObject({ shrunk: { dims: { N: 37 } }, alone: true });
    expect(of('crashing').failures[0]?.output).toContain('n was too much');
    expect(of('refusing').failures[0]?.shrunk.dims).toEqual({ N: 1 });
    expect(of('right').state).toBe('passed');
  });

  it('tells faults of one kernel apart, and stops after as many as were asked for', async () => {
    const folder = await fuzzProject(['two-faults']);
    const { of } = await fuzzIn(folder, { count: 120 });
    const found = of('two-faults').failures.map(({ detector }) => detector);
    expect(found).toEqual(expect.arrayContaining(['crashed', 'wrong-result']));
    const one = await fuzzIn(folder, { maxFailures: 1, save: false });
    expect(one.of('two-faults')).toMatchObject({ stopped: '1 different failures found' });
    expect(one.of('two-faults').failures).toHaveLength(1);
  });

  it('says of a failure that only a process with a past shows that it does not fail alone', async () => {
    const folder = await fuzzProject(['tiring']);
    const { of } = await fuzzIn(folder, { count: 3000 });
    expect(of('tiring').failures[0]).toMatchObject({ alone: false });
  });

  it('writes nothing with save off, and leaves large matrix cases to --matrix', async () => {
    const fuzz = '{ matrix: { N: [64, 99999] }, max_bytes: 65536, values: [normal] }';
    const folder = await fuzzProject(['wrong-tail'], { fuzz });
    const { of } = await fuzzIn(folder, { save: false });
    await expect(corpusOf(folder)).rejects.toThrow(/ENOENT/);
    expect(of('wrong-tail').counts.matrix).toEqual({ passed: 1, failed: 0, skipped: 1 });
    expect(of('wrong-tail').notes[0]).toMatch(/matrix cases were left out: larger than/);
    const whole = await fuzzIn(folder, { save: false, matrix: true });
    expect(whole.of('wrong-tail').counts).toEqual({ matrix: { passed: 1, failed: 1, skipped: 0 } });
  });

  it('names the variant in the command that shows a failure again', async () => {
    const folder = await fuzzProject([], {
      more: `  tuned:
    problem: doubled
    device: cpu
    language: c++
    sources: [src/wrong-tail.cpp]
    tunables: { TILE: [8, 16] }
`,
    });
    const { of } = await fuzzIn(folder, { variant: { TILE: 16 }, maxFailures: 1 });
    expect(of('tuned').failures[0]?.replay).toContain("--only tuned --variant 'TILE=16' --replay 'N=101 ");
  });

  it('runs only the named cases that were asked for', async () => {
    const folder = await fuzzProject(['right']);
    const { of } = await fuzzIn(folder, { cases: ['one'] });
    expect(of('right').counts).toEqual({ edge: { passed: 1, failed: 0, skipped: 0 } });
    await expect(fuzzIn(folder, { cases: ['onne'] })).rejects.toMatchObject({ kind: 'usage' });
  });

  it('fails where a kernel does not build, though others pass', async () => {
    const { report } = await fuzzIn(await fuzzProject(['syntax-error', 'right']));
    expect(report.result).toBe('failed');
  });

  it('says why a kernel could not run', async () => {
    const folder = await fuzzProject(['no-run', 'syntax-error']);
    const { of } = await fuzzIn(folder);
    expect(of('no-run').absence?.message).toMatch(/pawl_run/);
    expect(of('syntax-error')).toMatchObject({ state: 'absent', absence: { reason: 'build-failed' } });
  });

  it('ends at its time', async () => {
    const folder = await fuzzProject(['right']);
    let now_ms = 0;
    const now = () => new Date((now_ms += 100));
    const { of } = await fuzz({ config: folder, wait_s: 600, time_s: 20, now }).then(({ report }) => ({
      of: () => report.kernels[0],
    }));
    expect(of()).toMatchObject({ state: 'passed', stopped: 'the time was up' });
  });

  it('keeps what it found when it is interrupted', async () => {
    const folder = await fuzzProject(['wrong-tail']);
    const aborter = new AbortController();
    const { report } = await fuzzIn(folder, {
      signal: aborter.signal,
      onProgress: (each) => {
        if (each.type === 'step' && /[1-9]\d* failed/.test(each.detail ?? '')) aborter.abort();
      },
    });
    expect(report).toMatchObject({ result: 'failed', incomplete: expect.stringContaining('interrupted') });
    expect(await corpusOf(folder)).toHaveLength(1);
  });

  it('writes a page and a file for programs', async () => {
    const folder = await fuzzProject(['wrong-tail']);
    const out = join(folder, 'out', 'fuzz.html');
    const { files, report } = await fuzzIn(folder, { out });
    expect(files).toEqual({ html: out, json: join(folder, 'out', 'fuzz.json') });
    expect(await readFile(out, 'utf8')).toContain('wrong-result');
    expect(JSON.parse(await readFile(files.json, 'utf8'))).toEqual(report);
  });
});

describe('pawl fuzz --oracle-only', () => {
  const REFERENCE = `#include "pawl_kernel.h"
PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const double *x = static_cast<const double *>(call->tensors[0].data);
  double *y = static_cast<double *>(call->tensors[1].data);
  for (int64_t i = 0; i < call->tensors[0].shape[0]; ++i) y[i] = 2 * x[i];
  return 0;
}
PAWL_EXPORT int pawl_reference(const pawl_call *call) {
  const float *x = static_cast<const float *>(call->tensors[0].data);
  float *y = static_cast<float *>(call->tensors[1].data);
  for (int64_t i = 0; i < call->tensors[0].shape[0]; ++i) y[i] = x[i] + x[i];
  return 0;
}
PAWL_EXPORT int pawl_run(const pawl_call *call) { return pawl_reference(call); }
`;

  it('compares the reference with the oracle on the matrix, once a problem, and runs no kernel', async () => {
    const folder = await fuzzProject(['crashing', 'syntax-error'], { oracle: REFERENCE });
    const { report } = await fuzzIn(folder, { oracleOnly: true });
    expect(report).toMatchObject({ result: 'passed', subject: 'references' });
    expect(report.kernels).toMatchObject([
      { kernel: 'doubled.reference.cpu', counts: { matrix: { passed: 2, failed: 0, skipped: 0 } } },
    ]);
  });

  it('says what to do where the oracle has no reference', async () => {
    const folder = await fuzzProject(['right']);
    const { report } = await fuzzIn(folder, { oracleOnly: true });
    expect(report.result).toBe('undecided');
    expect(report.kernels[0]?.absence?.hint).toContain('pawl_reference');
  });
});
