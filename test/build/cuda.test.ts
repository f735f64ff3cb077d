import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildAll } from '../../src/build/build-all.ts';
import type { BuildJob, BuildOutcome } from '../../src/build/build-job.ts';
import { findCompiler } from '../../src/build/find-compiler.ts';
import { Project, built, plainEnv } from './project.ts';

const nvcc = await findCompiler('cuda', process.env);

let project: Project;
beforeAll(async () => {
  project = await Project.create({ 'kernels/broken.cu': '__global__ void k(float *x) { *x = nothing; }\n' });
  await mkdir(project.path('include'));
  const fixture = fileURLToPath(new URL('../fixtures/build/spills.cu', import.meta.url));
  await copyFile(fixture, project.path('kernels/spills.cu'));
});
afterAll(async () => {
  await project.remove();
});

function job(changes: Partial<BuildJob> = {}): BuildJob {
  const sources = [project.path('kernels/spills.cu')];
  return project.job({ name: 'spills', language: 'cuda', sources, arch: ['sm_80', 'sm_90a'], ...changes });
}

async function build(one: BuildJob): Promise<BuildOutcome | undefined> {
  const [outcome] = await buildAll([one], { root: project.root, env: plainEnv() });
  return outcome;
}

describe.skipIf(nvcc.status === 'missing')('building with nvcc (skipped where there is no nvcc)', () => {
  it('reports what each architecture takes, spills included, from the cache too', async () => {
    const first = built(await build(job()));
    expect(first.status).toBe('built');
    expect(first.compiler).toMatchObject({ name: 'nvcc', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    expect(first.resources.map(({ arch }) => arch)).toEqual(['sm_80', 'sm_90a']);
    for (const entry of first.resources) {
      expect(entry).toMatchObject({ function: '(anonymous namespace)::spill(float*)', registers: 32 });
      expect(entry.symbol).toMatch(/^_Z/);
      expect(entry.spill_store_bytes).toBeGreaterThan(0);
      expect(entry.spill_load_bytes).toBeGreaterThan(0);
      expect(entry.smem_bytes).toBe(4096);
    }
    const { stdout } = await promisify(execFile)('nm', ['-D', '--defined-only', first.artifact]);
    expect(stdout).toContain('T pawl_run');
    expect(await build(job())).toMatchObject({ status: 'cached', resources: first.resources });
  });

  it('makes another build for another architecture', async () => {
    const outcome = built(await build(job({ arch: ['sm_90'] })));
    expect(outcome.status).toBe('built');
    expect(outcome.resources.map(({ arch }) => arch)).toEqual(['sm_90']);
  });

  it('returns the first error of a kernel that does not compile', async () => {
    expect(await build(job({ sources: [project.path('kernels/broken.cu')] }))).toMatchObject({
      reason: 'compile-error',
      message: expect.stringMatching(/^kernels\/broken\.cu\(1\): error: .*nothing/),
    });
  });

  it('says what to do about an architecture that nvcc does not know', async () => {
    expect(await build(job({ arch: ['sm_11'] }))).toMatchObject({
      reason: 'compile-error',
      message: expect.stringContaining('nvcc fatal'),
      hint: expect.stringContaining('arch'),
    });
  });
});

describe('building CUDA without nvcc', () => {
  it('says that the CUDA toolkit is missing', async () => {
    const env = plainEnv({ NVCC: project.path('no-nvcc') });
    const [outcome] = await buildAll([job()], { root: project.root, env });
    expect(outcome).toMatchObject({ status: 'failed', reason: 'compiler-missing', hint: expect.any(String) });
  });
});
