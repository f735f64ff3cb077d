import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/kernels');

/**
 * y = 2·x, which takes WORK turns of 8,000. KIND 1 does not compile, 2 hangs, 3 is wrong, 4 crashes, 5 writes into its
 * input, 6 is known to the assembler by a comment. PAD changes nothing. What hangs waits: by counting it would take a
 * processor from other tests until it is given up.
 */
const KERNEL = `#include <cstdlib>
#include <unistd.h>
#include "doubled.hpp"

#if KIND == 1
#error "this variant does not compile"
#endif

PAWL_EXPORT int pawl_run(const pawl_call *call) {
#if KIND == 2
  for (;;) pause();
#endif
#if KIND == 4
  std::abort();
#endif
  for (volatile int turn = 0; turn < WORK * 8000; turn = turn + 1) {}
  doubled(call);
#if KIND == 6
  asm volatile("# kind 6");
#endif
#if KIND == 3
  output(call)[7] += 1;
#endif
#if KIND == 5
  const_cast<float *>(input(call))[0] = 1;
#endif
  return 0;
}
`;

export interface TuneProjectOptions {
  /** Values in the order of the file; the first is the default unless it says otherwise. */
  readonly work?: string;
  readonly kind?: string;
  readonly pad?: string;
  readonly constraints?: string;
  readonly cases?: string;
  readonly more?: string;
}

/** A project with one tunable kernel on the CPU whose variants differ hugely. */
export async function tuneProject(options: TuneProjectOptions = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-tune-'));
  await mkdir(join(folder, 'src'));
  for (const file of ['doubled.hpp', 'oracle.cpp']) {
    await copyFile(join(FIXTURES, file), join(folder, 'src', file));
  }
  await writeFile(join(folder, 'src', 'tuned.cpp'), KERNEL);
  await writeFile(join(folder, 'pawl.yaml'), tuneConfig(options));
  return folder;
}

export function tuneConfig(options: TuneProjectOptions = {}): string {
  const {
    work = '{ values: [1, 2, 4, 8, 16], default: 8 }',
    kind = '[0]',
    pad = '[0]',
    constraints = '[]',
    cases = '{ small: { N: 1000 } }',
    more = '',
  } = options;
  return `version: 1
problems:
  doubled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: src/oracle.cpp }
    cases: ${cases}
kernels:
  tuned:
    problem: doubled
    device: cpu
    language: c++
    sources: [src/tuned.cpp]
    tunables:
      WORK: ${work} # how long it takes
      KIND: ${kind}
      PAD: ${pad}
    constraints: ${constraints}
measure: { mode: hot, samples: 10, warmup: 2, stopping: fixed }
# Machines that run tests have other work to do.
thresholds: { regression_pct: 25, improvement_pct: 25 }
${more}`;
}
