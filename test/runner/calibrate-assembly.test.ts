import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

const RUNNER = resolve(import.meta.dirname, '../../runner');
const isArm = process.arch === 'arm64';

interface Built {
  readonly compiler: string;
  readonly flags: readonly string[];
  /** A multiply-add of a vector. */
  readonly work: RegExp;
  /** From one vector register to another. */
  readonly move: RegExp;
  readonly chains: number;
}

const ARM = { work: /^\s+fmla\s/u, move: /^\s+mov\s+v\d/u, chains: 24 } as const;
const X86 = { work: /^\s+vfmadd\w+ps\s/u, move: /^\s+vmovu?aps\s+%\w+, %/u, chains: 12 } as const;
const BUILDS: readonly Built[] = [
  { compiler: isArm ? 'g++' : 'aarch64-linux-gnu-g++', flags: [], ...ARM },
  ...(isArm ? [] : [{ compiler: 'g++', flags: ['-march=haswell'], ...X86 }]),
  ...(isArm ? [] : [{ compiler: 'g++', flags: ['-march=skylake-avx512'], ...X86 }]),
];

/** The lines of each loop without another one inside: from a label to the jump back to it. */
function innerLoops(assembly: string): string[][] {
  const lines = assembly.split('\n');
  const labels = new Map<string, number>();
  const loops: string[][] = [];
  for (const [at, line] of lines.entries()) {
    const label = /^(\.L\w+):/u.exec(line)?.[1];
    if (label !== undefined) labels.set(label, at);
    const start = labels.get(/^\s+(?:b\.?\w*|j\w+|cbn?z\s+\w+,)\s+(\.L\w+)/u.exec(line)?.[1] ?? '');
    if (start === undefined) continue;
    const body = lines.slice(start + 1, at);
    if (!body.some((each) => /^\.L\w+:/u.test(each))) loops.push(body);
  }
  return loops;
}

describe('the calibration of multiply-adds', () => {
  it.for(BUILDS)('does nothing else in its loop: $compiler $flags', async (built, { skip }) => {
    const { compiler, flags, work, move, chains } = built;
    skip(spawnSync(compiler, ['--version']).status !== 0, `${compiler} is not installed`);
    const out = join(await mkdtemp(join(tmpdir(), 'pawl-assembly-')), 'kernel.s');
    const source = join(RUNNER, 'calibrate/multiply_add.cpp');
    const include = `-I${join(RUNNER, 'include')}`;
    await promisify(execFile)(compiler, ['-O3', '-fopenmp', ...flags, include, '-S', source, '-o', out]);
    const loops = innerLoops(await readFile(out, 'utf8')).filter((loop) =>
      loop.some((each) => work.test(each)),
    );
    expect(loops.length).toBeGreaterThan(0);
    for (const loop of loops) {
      expect(loop.filter((each) => work.test(each))).toHaveLength(chains);
      expect(loop.filter((each) => move.test(each))).toEqual([]);
      // The count, the comparison, and no loads or stores of what was spilled.
      const rest = loop.filter((each) => /^\s+[a-z]/u.test(each) && !work.test(each));
      expect(rest.length).toBeLessThanOrEqual(3);
    }
  });
});
