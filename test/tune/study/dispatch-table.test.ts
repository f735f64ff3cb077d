import { execFileSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { dispatchHeader, dispatchTable } from '../../../src/tune/study/dispatch-table.ts';
import { studyOf } from '../../report/study-of.ts';

const short = studyOf({ 1: 4, 2: 1, 4: 1.01 }, { case: 'short', dims: { S: 128, D: 64 } });
const long = studyOf({ 1: 9, 2: 3, 4: 2 }, { case: 'long', dims: { S: 2048, D: 64 } });

describe('a dispatch table', () => {
  it('has the winner of each shape, and the default where none was confirmed', () => {
    const kept = studyOf({ 1: 5, 2: 6 }, { case: 'kept', dims: { S: 1, D: 64 }, result: 'kept' });
    const { rows, one, advice } = dispatchTable([short, long, kept]);
    expect(rows.map((row) => [row.case, row.variant.A])).toEqual([
      ['short', 2],
      ['long', 4],
      ['kept', 1],
    ]);
    expect(one).toBeUndefined();
    expect(advice).toMatch(/3 variants .* dispatch by shape/);
  });

  it('says when one variant is within two percent of the best for all', () => {
    const { one, advice } = dispatchTable([short, long]);
    expect(one).toMatchObject({ variant: { A: 4 } });
    expect(one!.worst_loss_pct).toBeCloseTo(1);
    expect(advice).toMatch(/A=4 is within 2 % .* use it alone/);
  });

  it('is C++ that compiles and chooses by shape', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-dispatch-'));
    await writeFile(join(folder, 'dispatch.hpp'), dispatchHeader(dispatchTable([short, long])));
    const test = `#include "dispatch.hpp"
using namespace pawl_dispatch_k;
static_assert(variants[choose(128, 64)].A == 2);
static_assert(variants[choose(2048, 64)].A == 4);
static_assert(choose(7, 64) == -1);
int main() {}
`;
    await writeFile(join(folder, 'test.cpp'), test);
    const compiler = process.env['CXX'] ?? 'c++';
    execFileSync(compiler, ['-std=c++17', '-fsyntax-only', 'test.cpp'], { cwd: folder });
  });
});
