import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { userCacheDir } from '../../src/build/cache-dirs.ts';
import { findCompiler } from '../../src/build/find-compiler.ts';
import { packageRoot } from '../../src/build/package-root.ts';
import {
  buildRunners,
  candidateJob,
  defaultStreamJob,
  runnerJob,
  sandboxJob,
} from '../../src/build/runner-recipes.ts';
import { built } from './project.ts';

const nvcc = await findCompiler('cuda', process.env);

/** Twenty files with nvcc on two busy processors. */
const BUILD_TIMEOUT_MS = 600_000;

describe('runner recipes', () => {
  it('name every source file of the runner', async () => {
    const folder = join(packageRoot(), 'runner', 'src');
    const files = await readdir(folder, { recursive: true });
    const sources = files.filter((file) => /\.(?:cpp|cu)$/.test(file)).map((file) => join(folder, file));
    const jobs = [runnerJob('cuda'), candidateJob('cuda'), defaultStreamJob(), sandboxJob()];
    const named = jobs.flatMap((job) => job.sources);
    expect([...new Set(named)].sort()).toEqual(sources.sort());
  });

  // These go to the cache of all test runs: the next one finds them there.
  it(
    'build the CPU runner into the user’s cache',
    async () => {
      const [outcome] = await buildRunners([runnerJob('cpu')]);
      const { artifact } = built(outcome);
      expect(artifact).toMatch(/\/pawl-judge-cpu$/);
      expect(artifact.startsWith(await userCacheDir(process.env))).toBe(true);
      const { stdout } = await promisify(execFile)('readelf', ['--file-header', artifact]);
      expect(stdout).toMatch(/executable file/i);
    },
    BUILD_TIMEOUT_MS,
  );

  it.skipIf(nvcc.status === 'missing')(
    'build the CUDA judge and the candidate for Python where nvcc is',
    async () => {
      const [runner, candidate] = await buildRunners([
        runnerJob('cuda', ['sm_90']),
        candidateJob('cuda', ['sm_90']),
      ]);
      expect(built(runner).artifact).toMatch(/\/pawl-judge-cuda$/);
      const { stdout } = await promisify(execFile)('nm', ['-D', '--defined-only', built(candidate).artifact]);
      expect(stdout).toContain('T pawl_candidate_serve');
    },
    BUILD_TIMEOUT_MS,
  );
});
