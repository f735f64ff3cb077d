import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { findPython } from '../../src/device/python.ts';
import { runCommand } from '../../src/os/run-command.ts';
import { bench } from '../../src/workflows/runs/bench.ts';
import { tempProject } from '../config/temp-project.ts';

const QUICK = { processes: 1, samples: 3, history: false, wait_s: 600 } as const;

const python = await findPython();
const hasNumpy =
  python.status === 'found' &&
  (await runCommand(python.path, ['-c', 'import numpy'], { timeout_ms: 120_000 })).status === 'exited';

/** The code blocks of a section of docs/pawl-yaml.md, in their order: so the documentation is known to be true. */
async function blocksOf(title: string): Promise<string[]> {
  const page = await readFile(new URL('../../docs/pawl-yaml.md', import.meta.url), 'utf8');
  const section = page.slice(page.indexOf(`${title}\n`) + title.length);
  const end = section.search(/^#{2,4} /mu);
  return [...section.slice(0, end).matchAll(/```\w+\n(.*?)```/gsu)].map(([, text]) => text!);
}

/** A file that the page links to. */
function linked(name: string): Promise<string> {
  return readFile(new URL(`../../docs/examples/pawl-yaml/${name}`, import.meta.url), 'utf8');
}

describe.skipIf(!hasNumpy)('what docs/pawl-yaml.md shows', () => {
  it('of inputs that are not contiguous is measured and found right', { timeout: 600_000 }, async () => {
    const [problems] = await blocksOf('#### Inputs that are not contiguous');
    const folder = await tempProject({
      'pawl.yaml': `version: 1
${problems}
kernels:
  mine: { problem: projection, device: cpu, language: python, module: projection.py, function: project_views }
`,
      'projection.py': `import numpy as np

def project(qkv_q, weight, bias):
    return qkv_q @ weight + bias

def project_views(qkv_q, weight, bias, *, S, D):
    assert qkv_q.strides == (12 * S * D, 12 * D, 4) and weight.strides == (4, 4 * D) and bias.strides == (0, 4)
    return qkv_q @ weight + bias
`,
    });
    expect(await bench({ config: folder, ...QUICK })).toMatchObject({ result: 'good' });
  });

  it('of a generator in C++ makes what its kernel takes', { timeout: 600_000 }, async () => {
    const folder = await tempProject({
      'inputs.cpp': await linked('inputs.cpp'),
      'pawl.yaml': `version: 1
problems:
  spmv:
    dims: [ROWS, NNZ]
    tensors:
      indptr: { role: input, dtype: i32, shape: [ROWS + 1] }
      indices: { role: input, dtype: i32, shape: [NNZ] }
      values: { role: input, dtype: f32, shape: [NNZ] }
      y: { role: output, dtype: f32, shape: [ROWS] }
    generator: { source: inputs.cpp }
    oracle: { module: sums.py, function: sums }
    tolerance: { atol: 1e-4, rtol: 1e-4 }
    cases: { small: { ROWS: 40, NNZ: 500 } }
kernels:
  mine: { problem: spmv, device: cpu, language: python, module: sums.py, function: sums }
`,
      'sums.py': `import numpy as np

def sums(indptr, indices, values):
    assert (np.diff(indptr) >= 0).all() and indptr[-1] == len(values) and indices.max() < len(indptr)
    return np.diff(np.concatenate([[0], np.cumsum(values, dtype=np.float64)])[indptr]).astype(values.dtype)
`,
    });
    expect(await bench({ config: folder, ...QUICK })).toMatchObject({ result: 'good' });
  });

  it('of a checker in C++ judges a factorisation', { timeout: 600_000 }, async () => {
    const [, problem] = await blocksOf(
      '### `problems.NAME.checker`: outputs that are right by what they are',
    );
    const folder = await tempProject({
      'qr_check.cpp': await linked('qr_check.cpp'),
      'pawl.yaml': `version: 1
${problem!.replace('{ module: qr.py, function: is_qr }', '{ source: qr_check.cpp }')}
kernels:
  mine: { problem: qr, device: cpu, language: python, module: mine.py, function: qr }
  transposed: { problem: qr, device: cpu, language: python, module: mine.py, function: wrong }
`,
      'mine.py': `import numpy as np

def qr(a):
    q, r = np.linalg.qr(a)
    return q.astype(a.dtype), np.triu(r).astype(a.dtype)

def wrong(a):
    q, r = np.linalg.qr(a)
    return q.astype(a.dtype), np.ascontiguousarray(r.T).astype(a.dtype)
`,
    });
    const { report } = await bench({ config: folder, ...QUICK });
    expect(report.measurements.map(({ kernel, state }) => [kernel, state])).toEqual([
      ['mine', 'measured'],
      ['transposed', 'unmeasured'],
    ]);
    expect(JSON.stringify(report)).toContain('qr_check.cpp refuses the outputs: r is not upper triangular');
  });

  it('of floats of 4 bits is measured and found right', { timeout: 600_000 }, async () => {
    const [problems, oracle] = await blocksOf('#### Floats of 4 bits, with block scales');
    const kernel = await linked('fp4_matvec.cpp');
    const folder = await tempProject({
      'matvec.py': `import numpy as np\n\n${oracle}`,
      'mine.cpp': kernel,
      'swapped.cpp': kernel.replace('both & 15', 'both >> 4 & 15').replace('both >> 4] *', 'both & 15] *'),
      'pawl.yaml': `version: 1
${problems}
kernels:
  mine: { problem: fp4_matvec, device: cpu, language: c++, sources: [mine.cpp] }
  swapped: { problem: fp4_matvec, device: cpu, language: c++, sources: [swapped.cpp] }
`,
    });
    const { report } = await bench({ config: folder, ...QUICK });
    expect(report.measurements.map(({ kernel: name, state }) => [name, state])).toEqual([
      ['mine', 'measured'],
      ['swapped', 'unmeasured'],
    ]);
  });
});
