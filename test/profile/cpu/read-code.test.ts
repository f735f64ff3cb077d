import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { CODE_RULE_IDS } from '../../../src/model/profile/diagnosis-words.ts';
import { CODE_RULES, findInCode } from '../../../src/profile/cpu/code-rules.ts';
import { readCode } from '../../../src/profile/cpu/read-code.ts';
import { readLoops } from '../../../src/profile/cpu/read-loops.ts';
import { temporaryFolder } from '../../device/temporary-folder.ts';

const CXX = process.env['CXX'] ?? 'c++';

/** One fault each, and one without. */
const KERNELS = `#include <cmath>
extern "C" {
void calls(const float *x, float *y, long n) { for (long i = 0; i < n; i++) y[i] = std::tanh(x[i]); }
float chain(const float *x, long n) { float sum = 0; for (long i = 0; i < n; i++) sum = sum * 0.5f + x[i]; return sum; }
void divides(const float *x, float *y, float by, long n) { for (long i = 0; i < n; i++) y[i] = x[i] / by; }
void fine(const float *__restrict x, float *__restrict y, long n) { for (long i = 0; i < n; i++) y[i] = 2 * x[i] + 1; }
}
`;

/** On another processor than this one: two loops, of which the outer one is not counted. */
const X86 = `0000000000001100 <k>:
    1100:\txor    %eax,%eax
    1110:\tmovss  (%rdi,%rax,4),%xmm0
    1118:\tcall   1050 <expf@plt>
    111d:\tdivss  %xmm1,%xmm0
    1125:\tadd    $0x1,%rax
    1129:\tjne    1110 <k+0x10>
    1130:\tvfmadd231ps (%rsi),%ymm1,%ymm2
    1138:\tjb     1130 <k+0x30>
    1140:\tjne    1100 <k>
    1145:\tret
`;

describe('compiled code', () => {
  let folder: string;

  async function rulesOf(only: string): Promise<string[]> {
    const source = join(folder, `${only}.cpp`);
    const library = join(folder, `${only}.so`);
    const line = KERNELS.split('\n').find((one) => one.includes(` ${only}(`));
    await writeFile(source, `#include <cmath>\nextern "C" {\n${line}\n}\n`);
    execFileSync(CXX, ['-O3', '-fPIC', '-shared', '-o', library, source]);
    const context = { env: process.env, signal: new AbortController().signal, now: () => new Date(0) };
    const code = await readCode(library, { ...context, flags: ['-march=native'] });
    return code!.findings.map(({ rule }) => rule);
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  it.each([
    ['calls', ['math-calls']],
    ['chain', ['scalar-code']],
    ['divides', ['division-in-loop']],
    ['fine', []],
  ] as const)('of %s shows %j', async (name, rules) => {
    expect(await rulesOf(name)).toEqual(rules);
  });

  it('is read for x86 too, by innermost loops', () => {
    expect(readLoops(X86)).toEqual([
      { function: 'k', scalar: 1, vector: 0, divisions: 1, mathCalls: ['expf'] },
      { function: 'k', scalar: 0, vector: 1, divisions: 0, mathCalls: [] },
    ]);
  });

  it('is judged by its flags', () => {
    const rules = (flags: readonly string[]) => findInCode({ loops: [], flags }).map(({ rule }) => rule);
    expect(rules(['-O3', '-march=native'])).toEqual([]);
    expect(rules(['-O3', '-O0', '-mcpu=native'])).toEqual(['unoptimised-build']);
    expect(rules(['-O0', '-O3'])).toEqual(['generic-target']);
  });

  it('is none where it is no library', async () => {
    const file = join(folder, 'text.so');
    await writeFile(file, 'not a library');
    const context = { env: process.env, signal: new AbortController().signal, now: () => new Date(0) };
    expect(await readCode(file, { ...context, flags: [] })).toBeUndefined();
    expect(await readCode(file, { ...context, env: { PATH: '' }, flags: [] })).toBeUndefined();
  });

  it('has a rule for every word', () => {
    expect(CODE_RULES.map(({ id }) => id)).toEqual([...CODE_RULE_IDS]);
  });
});
