import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { benchReportSchema } from '../../src/model/reports/bench-report.ts';
import type { Progress } from '../../src/model/measure/progress.ts';
import { bench } from '../../src/workflows/runs/bench.ts';
import { doubledYaml, pawl } from './pawl-cli.ts';

const QUICK = ['--no-history', '--wait', '600', '--processes', '1', '--samples', '10', '--verified'];
const DOUBLE = 'def double(x):\n    return 2 * x\n';

/** A project with one kernel and an oracle in Python; `measure` is what its pawl.yaml says there. */
async function projectOf(kernel: string, oracle: string, measure: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-import-'));
  await writeFile(join(folder, 'kernel.py'), kernel);
  await writeFile(join(folder, 'oracle.py'), oracle);
  const kernels = [
    '  double: { problem: doubled, device: cpu, language: python, module: kernel.py, function: double }',
  ];
  const config = doubledYaml('module: oracle.py, function: double', kernels, `measure: { ${measure} }`);
  await writeFile(join(folder, 'pawl.yaml'), config);
  return folder;
}

async function benchOf(folder: string) {
  const { code, stdout } = await pawl(folder, 'bench', '--json', ...QUICK);
  return { code, report: benchReportSchema.parse(JSON.parse(stdout)) };
}

describe('importing a Python module', () => {
  it('may take longer than a call, for the kernel and for its oracle, and is shown', async () => {
    const slow = `import time\ntime.sleep(5)\n${DOUBLE}`;
    const told: Progress[] = [];
    const { result, report } = await bench({
      config: await projectOf(slow, slow, 'timeout_s: 4'),
      processes: 1,
      samples: 10,
      verified: true,
      history: false,
      wait_s: 600,
      onProgress: (progress) => told.push(progress),
    });
    expect(report.measurements).toMatchObject([{ state: 'measured', check: 'passed', lost: [] }]);
    expect(result).toBe('good');
    expect(told.filter(({ type }) => type === 'step')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ detail: 'importing kernel.py' }),
        expect.objectContaining({ detail: 'process 1, importing kernel.py' }),
      ]),
    );
  });

  it('that does not end is not a call that hangs', async () => {
    const endless = `while True:\n    pass\n${DOUBLE}`;
    const { code, report } = await benchOf(await projectOf(endless, DOUBLE, 'import_timeout_s: 2'));
    expect(code).toBe(1);
    expect(report.measurements[0]?.fault).toMatchObject({
      detector: 'import-timeout',
      message: expect.stringContaining('kernel.py was still being imported after 2 s') as string,
    });
  });

  it('that does not end is the oracle’s fault where it is the oracle’s', async () => {
    const endless = `while True:\n    pass\n${DOUBLE}`;
    const { code, report } = await benchOf(await projectOf(DOUBLE, endless, 'import_timeout_s: 4'));
    expect(code).toBe(2);
    expect(report.measurements[0]?.lost).toMatchObject([{ reason: 'oracle-failed' }]);
  });

  it("that builds something shows the compiler's first errors, and not its whole log", async () => {
    const log = [
      "Error building extension 'fast':",
      ...Array.from({ length: 300 }, (_, line) => `[${line}/300] c++ -c`),
    ];
    const failing = `raise RuntimeError(${JSON.stringify([...log, 'fast.cu(3): error: identifier "x" is undefined'].join('\n'))})\n`;
    const { code, report } = await benchOf(await projectOf(failing, DOUBLE, 'processes: 1'));
    expect(code).toBe(1);
    const { detector, message = '' } = report.measurements[0]?.fault ?? {};
    expect(detector).toBe('load-failed');
    expect(message).toContain('fast.cu(3): error: identifier "x" is undefined');
    expect(message.split('\n').length).toBeLessThan(6);
  });
});

/** What a compiler does in the first call of a process: it takes long, and keeps what it made. */
const COMPILES = `import time
made = {}
def double(x):
    if x.shape not in made:
        time.sleep(SECONDS)
        made[x.shape] = bytearray(64 << 20)
    return 2 * x
`;

describe('the first call of a Python kernel', () => {
  it('may take longer than other calls and keep memory, and is shown', async () => {
    const told: Progress[] = [];
    const { result, report } = await bench({
      config: await projectOf(COMPILES.replace('SECONDS', '5'), DOUBLE, 'timeout_s: 4'),
      processes: 1,
      samples: 10,
      verified: true,
      history: false,
      wait_s: 600,
      onProgress: (progress) => told.push(progress),
    });
    expect(report.measurements).toMatchObject([{ state: 'measured', check: 'passed', lost: [] }]);
    expect(result).toBe('good');
    expect(told.filter(({ type }) => type === 'step')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ detail: 'first call, which may compile' }),
        expect.objectContaining({ detail: 'process 1, first call, which may compile' }),
      ]),
    );
  });

  it('that does not end hangs, after the time that imports have', async () => {
    const measure = 'timeout_s: 1, import_timeout_s: 3';
    const { code, report } = await benchOf(
      await projectOf(COMPILES.replace('SECONDS', '600'), DOUBLE, measure),
    );
    expect(code).toBe(1);
    expect(report.measurements[0]?.fault).toMatchObject({
      detector: 'hung',
      message: expect.stringMatching(/^kernel\.py was still in its first call of \w+ after 3 s/u) as string,
    });
  });

  it('is the only one that may take so long', async () => {
    const hangsLater = `import time
calls = 0
def double(x):
    global calls
    calls += 1
    if calls == 2:
        time.sleep(600)
    return 2 * x
`;
    const began_ms = performance.now();
    const { code, report } = await benchOf(await projectOf(hangsLater, DOUBLE, 'timeout_s: 5'));
    expect(code).toBe(1);
    expect(report.measurements[0]?.fault).toMatchObject({
      detector: 'hung',
      message: 'no answer to "check" within 5 s',
    });
    expect(performance.now() - began_ms).toBeLessThan(120_000);
  });
});
