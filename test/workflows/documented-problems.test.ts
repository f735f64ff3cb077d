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
});
