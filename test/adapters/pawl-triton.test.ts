import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { samplesSchema, type Samples } from '../../src/model/measure/samples.ts';
import { importFiles } from '../../src/workflows/import.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

const SHIM = resolve(import.meta.dirname, '../../runner/python');

/** Stands in for do_bench, which needs a GPU: calls the function and returns what it is told to. */
const BENCH = `
import sys
sys.path.insert(0, sys.argv[1])
from pawl_triton import Recorder
calls = []
def bench(fn, return_mode, warmup=25):
    assert return_mode == "all"
    fn()
    return [0.5, 0.25, 0.75]
`;

function python(script: string, ...args: readonly string[]): string {
  return execFileSync('python3', ['-B', '-c', BENCH + script, SHIM, ...args], { encoding: 'utf8' });
}

function written(path: string): Samples {
  return samplesSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

const RECORD = `
with Recorder(sys.argv[2], device="NVIDIA H200", commit="abc") as recorder:
    print(recorder.do_bench(lambda: calls.append(1), kernel="softmax", case="N=4096", dims={"N": 4096}, bench=bench, warmup=1))
    recorder.do_bench_cudagraph(lambda: None, kernel="softmax", case="N=4096", bench=bench)
`;

describe('pawl_triton', () => {
  it('keeps every sample of do_bench, and a process for each run of the script', async () => {
    const file = join(await temporaryFolder(), 'samples.json');
    expect(python(RECORD, file).trim()).toBe('0.5');
    python(RECORD, file);
    const { device, measurements } = written(file);
    expect(device).toEqual({ name: 'NVIDIA H200' });
    expect(measurements.map(({ mode }) => mode)).toEqual(['cold', 'graph']);
    expect(measurements[0]).toMatchObject({
      kernel: 'softmax',
      case: 'N=4096',
      commit: 'abc',
      dims: { N: 4096 },
    });
    expect(measurements[0]!.series.map(({ process, samples_ms }) => [process, samples_ms])).toEqual([
      [1, [0.5, 0.25, 0.75]],
      [2, [0.5, 0.25, 0.75]],
    ]);
    const { report } = await importFiles({ files: [file], from: 'auto' });
    expect(report).toMatchObject({ measurements: 2, series: 4, samples: 12 });
  });

  it('leaves out what is no positive number and says so, and refuses a series of nothing else', async () => {
    const file = join(await temporaryFolder(), 'samples.json');
    python(
      `
with Recorder(sys.argv[2]) as recorder:
    recorder.record([float("nan"), 0.0, -1.0, 2.0], kernel="k", case="c")
    try:
        recorder.record([0.0], kernel="k", case="d")
        raise SystemExit(1)
    except ValueError:
        pass
`,
      file,
    );
    expect(written(file).measurements).toEqual([
      {
        kernel: 'k',
        case: 'c',
        series: [
          { process: 1, samples_ms: [2], timing: 'plain', notes: [expect.stringContaining('3 samples')] },
        ],
      },
    ]);
  });

  it('does not write over a file of something else', async () => {
    const file = join(await temporaryFolder(), 'other.json');
    execFileSync('python3', ['-c', 'import sys; open(sys.argv[1], "w").write("{}")', file]);
    const run = spawnSync('python3', ['-B', '-c', BENCH + RECORD, SHIM, file], { encoding: 'utf8' });
    expect(run.status).not.toBe(0);
    expect(run.stderr).toContain('choose another name');
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });
});
