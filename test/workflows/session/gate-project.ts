import { cp, mkdir, mkdtemp, readdir, copyFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { loadConfig } from '../../../src/config/load-config.ts';
import type { EvidenceContext } from '../../../src/workflows/session/evidence/evidence-context.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const FIXTURES = join(REPOSITORY, 'test/fixtures/kernels');

/** y = 2·x after so many idle turns for each thousand elements. */
function busyKernel(turns: number): string {
  return `#include "doubled.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const long turns = ${turns} * (size(call) / 1000);
  for (volatile long turn = 0; turn < turns; turn = turn + 1) {}
  return doubled(call);
}
`;
}

/**
 * Kernels for y = 2·x: `quick` is the one to beat, `slow` takes eight times as long, `even` as long; any fixture can be
 * named besides, and `more` ends the file. Without a git repository, so that a reference is a kernel or nothing.
 */
export async function gateProject(fixtures: readonly string[] = [], more = ''): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-gates-'));
  await mkdir(join(folder, 'src'));
  for (const file of await readdir(FIXTURES)) await copyFile(join(FIXTURES, file), join(folder, 'src', file));
  const turns = { quick: 20_000, slow: 160_000, even: 20_000 };
  for (const [name, count] of Object.entries(turns)) {
    await writeFile(join(folder, 'src', `${name}.cpp`), busyKernel(count));
  }
  const kernels = [...Object.keys(turns), ...fixtures].map(
    (name) => `  ${name}: { problem: doubled, device: cpu, language: c++, sources: [src/${name}.cpp] }`,
  );
  await writeFile(
    join(folder, 'pawl.yaml'),
    `version: 1
problems:
  doubled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    operations: N
    oracle: { source: src/oracle.cpp }
    cases: { large: { N: 4000 }, small: { N: 1000 } }
    fuzz: { dims: { N: { min: 1, max: 2000 } } }
measure: { mode: hot, processes: 3, samples: 10, warmup: 1, stopping: fixed }
kernels:
${kernels.join('\n')}
${more}`,
  );
  return folder;
}

/** The attention kernel that Pawl ships for CPUs, in a project of its own with small cases only. */
export async function attentionProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-gates-attention-'));
  const own = join(folder, 'kernels/attention');
  await cp(join(REPOSITORY, 'kernels/attention/cpu'), join(own, 'cpu'), { recursive: true });
  await copyFile(join(REPOSITORY, 'kernels/attention/oracle.cpp'), join(own, 'oracle.cpp'));
  const kernel = (defaults: string) => `
    problem: attention
    device: cpu
    language: c++
    sources: [kernels/attention/cpu/attention.cpp]
    flags: [-O3, -march=native, -fopenmp, -Wno-psabi]
    links: [-fopenmp]
    dtype: f32
    threads: THREADS
    tunables: { BLOCK_M: [32], BLOCK_N: [64], UNROLL: [4], ${defaults}, THREADS: [1], EXP: [poly] }`;
  await writeFile(
    join(folder, 'pawl.yaml'),
    `version: 1
problems:
  attention:
    dims: [B, H, S, D, CAUSAL]
    tensors:
      q: { role: input, dtype: f16, shape: [B, H, S, D], fill: normal }
      k: { role: input, dtype: f16, shape: [B, H, S, D], fill: normal }
      v: { role: input, dtype: f16, shape: [B, H, S, D], fill: normal }
      o: { role: output, dtype: f16, shape: [B, H, S, D] }
    operations: 4*B*H*S*S*D
    oracle: { source: kernels/attention/oracle.cpp }
    tolerance: { atol: 2e-3, rtol: 1e-3, factor: 4 }
    cases:
      small: { B: 1, H: 2, S: 32, D: 64, CAUSAL: 0 }
      longer: { B: 1, H: 2, S: 64, D: 64, CAUSAL: 0 }
      wider: { B: 2, H: 2, S: 32, D: 64, CAUSAL: 0 }
kernels:
  attention-cpu:${kernel('VECTOR: [8]')}
  scalar:${kernel('VECTOR: [1]')}
measure: { mode: hot, processes: 2, samples: 10, warmup: 1, stopping: fixed }
`,
  );
  return folder;
}

/** Where evidence of a kernel is collected, on a machine that others use too. */
export async function contextOf(
  folder: string,
  subject: Pick<EvidenceContext, 'kernel' | 'case'> & Partial<EvidenceContext>,
): Promise<EvidenceContext> {
  const loaded = await loadConfig(folder);
  return { loaded, reference: {}, target: 1.2, processes: 2, wait_s: 900, ...subject };
}
