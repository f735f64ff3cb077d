import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { BuildJob, BuildOutcome, Built } from '../../src/build/build-job.ts';

/** A project in a temporary folder. */
export class Project {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  static async create(files: Readonly<Record<string, string>>): Promise<Project> {
    const project = new Project(await mkdtemp(join(tmpdir(), 'pawl-build-')));
    for (const [name, text] of Object.entries(files)) await project.write(name, text);
    return project;
  }

  path(name: string): string {
    return join(this.root, name);
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
  }

  /** A program of a few shell lines. */
  async script(name: string, lines: string): Promise<string> {
    await this.write(name, `#!/bin/sh\n${lines}\n`);
    await chmod(this.path(name), 0o755);
    return this.path(name);
  }

  job(changes: Partial<BuildJob> = {}): BuildJob {
    return {
      name: 'add',
      language: 'c++',
      output: 'shared',
      sources: [this.path('kernels/add.cpp')],
      includeDirs: [this.path('include')],
      defines: {},
      flags: [],
      links: [],
      arch: [],
      ...changes,
    };
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

export const ADD_FILES = {
  'kernels/add.cpp': `#include "pawl_kernel.h"
#include "offset.h"
#ifndef STEP
#define STEP 0
#endif
PAWL_EXPORT int pawl_run(const pawl_call *) { return OFFSET + STEP; }
`,
  'include/offset.h': '#include "inner/value.h"\n#define OFFSET VALUE\n',
  'include/inner/value.h': '#define VALUE 1\n',
};

export function built(outcome: BuildOutcome | undefined): Built {
  if (outcome?.status === 'built' || outcome?.status === 'cached') return outcome;
  throw new Error(`expected a build, got ${JSON.stringify(outcome, undefined, 1)}`);
}

/** The environment without what would change a build. */
export function plainEnv(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { CXX: _cxx, CC: _cc, NVCC: _nvcc, PAWL_CACHE_DIR: _cache, ...env } = process.env;
  return { ...env, PAWL_CCACHE: '0', ...changes };
}
