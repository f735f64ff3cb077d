import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/kernels');

/** y = 2·x over rows, wrong in ways that only some sizes, values or processes show. */
const KERNELS: Readonly<Record<string, string>> = {
  'wrong-tail': `int64_t full = n / 16 * 16;
    for (int64_t i = 0; i < n; ++i) y[i] = i < full || n <= 100 ? 2 * x[i] : 3 * x[i];`,
  'wrong-when-huge': 'for (int64_t i = 0; i < n; ++i) y[i] = x[i] > 20 ? x[i] : 2 * x[i];',
  crashing: `for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];
    if (n >= 37) { std::puts("n was too much"); std::fflush(stdout); raise(SIGSEGV); }`,
  hanging: `for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];
    if (n > 500) for (;;) pause();`,
  refusing: `if (n % 2 == 1) return 7;
    for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];`,
  tiring: `static int calls = 0;
    for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i] + (++calls > 400000 ? 1 : 0);`,
  'two-faults': `for (int64_t i = 0; i < n; ++i) y[i] = n > 30 && n < 60 ? 0 : 2 * x[i];
    if (n >= 300) raise(SIGSEGV);`,
};

function source(body: string): string {
  return `#include <csignal>
#include <cstdio>
#include <unistd.h>
#include "pawl_kernel.h"
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const float *x = static_cast<const float *>(call->tensors[0].data);
  float *y = static_cast<float *>(call->tensors[1].data);
  const int64_t n = call->tensors[0].shape[0];
  ${body}
  return 0;
}
`;
}

export interface FuzzProject {
  readonly fuzz?: string;
  /** Text of the oracle's file instead of the fixture's. */
  readonly oracle?: string;
  readonly more?: string;
}

/** A project of these kernels: those above, and any of the fixtures. */
export async function fuzzProject(kernels: readonly string[], project: FuzzProject = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-fuzz-'));
  await cp(FIXTURES, join(folder, 'src'), { recursive: true });
  for (const [name, body] of Object.entries(KERNELS)) {
    await writeFile(join(folder, 'src', `${name}.cpp`), source(body));
  }
  if (project.oracle !== undefined) await writeFile(join(folder, 'src', 'oracle.cpp'), project.oracle);
  const entries = kernels.map(
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
    oracle: { source: src/oracle.cpp }
    cases:
      small: { N: 1000 }
    fuzz: ${project.fuzz ?? '{ matrix: { N: [64, 128] }, cases: { one: { N: 1 } }, values: [normal, uniform, huge, tiny] }'}
kernels:
${entries.join('\n')}
${project.more ?? ''}`,
  );
  return folder;
}
