import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { loadConfig } from '../../../src/config/load-config.ts';
import { needsAcceptance } from '../../../src/model/judge/judge-change.ts';
import { fileChanges } from '../../../src/ratchet/base-judge/file-changes.ts';
import { judgeChanges } from '../../../src/ratchet/base-judge/judge-changes.ts';
import { judgeFiles } from '../../../src/ratchet/base-judge/judge-files.ts';
import { npy } from '../../config/recorded-files.ts';
import { tempProject } from '../../config/temp-project.ts';

const YAML = `version: 1
problems:
  rows:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: { file: data/x.npy } }
      y: { role: output, dtype: f32, shape: [N] }
    cases: { only: { N: 3 } }
kernels:
  rows: { problem: rows, device: cpu, language: python, module: rows.py, function: rows }
`;

const project = () =>
  tempProject({
    'pawl.yaml': YAML,
    'rows.py': '',
    'data/x.npy': npy(Float32Array.of(1, 2, 3), [3]),
  });

it('an input that a change records anew is a change of what is asked', async () => {
  const [before, after] = [await project(), await project()];
  const base = await loadConfig(before);
  const kernels = ['rows'];
  const signal = new AbortController().signal;
  const files = await judgeFiles(base, { kernels }, { cacheDir: before, gpuIndex: 0, signal });
  const change = await loadConfig(after);
  expect(await fileChanges(files, base, change)).toEqual([]);
  expect(judgeChanges(base, change, { kernels })).toEqual([]);
  await writeFile(join(after, 'data/x.npy'), npy(Float32Array.of(3, 2, 1), [3]));
  const found = await fileChanges(files, base, await loadConfig(after));
  expect(found).toMatchObject([
    { kind: 'problem', text: 'data/x.npy, a recorded input of rows, was edited' },
  ]);
  expect(found.every(needsAcceptance)).toBe(true);
});
