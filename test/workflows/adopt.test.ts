import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { adoptReportSchema } from '../../src/model/adopt-report.ts';
import { renderAdopt } from '../../src/report/adopt-terminal.ts';
import { adopt } from '../../src/workflows/adopt.ts';

/** Few samples: what is measured here is whether it works. */
const QUICK = { run: true, processes: 1, samples: 3, wait_s: 600 };

async function folderWith(...names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-adopt-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of names) {
    await cp(join(import.meta.dirname, '../fixtures/adopt', name), join(folder, name.split('/').at(-1)!));
  }
  return folder;
}

describe('adopting a C++ function', () => {
  const shapes = { x: 'rows,cols', y: 'rows,cols' };

  it('writes a project that loads, with the function as its own oracle', async () => {
    const folder = await folderWith('c/softmax.cpp', 'c/row_max.h');
    const report = adoptReportSchema.parse(
      await adopt({ path: join(folder, 'softmax.cpp'), shapes, sizes: { cols: 1024 } }),
    );
    expect(report.files).toEqual(
      [
        'pawl_softmax.cpp',
        'oracle/pawl_softmax_oracle.cpp',
        'oracle/softmax.cpp',
        'oracle/row_max.h',
        'pawl.yaml',
        '.gitignore',
      ].map((path) => ({ path, state: 'written' })),
    );
    expect(report.missing).toEqual([]);
    expect(report.assumed.map(({ about }) => about)).toEqual([
      'oracle',
      'roles',
      'sizes',
      'flags',
      'tolerance',
    ]);
    const plan = planKernel(await loadConfig(folder), 'softmax-cpu');
    expect(plan.cases).toMatchObject([
      {
        name: 'first',
        dims: [
          { name: 'rows', value: 256 },
          { name: 'cols', value: 1024 },
        ],
      },
    ]);
    expect((await readFile(join(folder, 'pawl_softmax.cpp'), 'utf8')).split('\n').length).toBeLessThan(20);
  });

  it('leaves shapes that nobody told as TODO, and says which', async () => {
    const folder = await folderWith('c/softmax.cpp', 'c/row_max.h');
    const report = await adopt({ path: folder + '/softmax.cpp', shapes: { x: 'rows,cols' } });
    expect(report.missing).toEqual([{ kind: 'shape', name: 'y', option: '--shape y=…' }]);
    expect(await readFile(join(folder, 'pawl.yaml'), 'utf8')).toContain('# TODO: the extents of y');
    expect(renderAdopt(report)).toContain('the shape of y: say --shape y=…');
    await expect(adopt({ path: join(folder, 'softmax.cpp'), ...QUICK })).rejects.toMatchObject({
      kind: 'bad-data',
    });
  });

  it('asks a person, where there is one', async () => {
    const folder = await folderWith('c/softmax.cpp', 'c/row_max.h');
    const asked: string[] = [];
    const ask = async ({ name }: { readonly name: string }, dims: readonly string[]) => {
      asked.push(name);
      return dims.join(',');
    };
    const report = await adopt({ path: join(folder, 'softmax.cpp'), ask, dryRun: true });
    expect(asked).toEqual(['x', 'y']);
    expect(report.tensors.map(({ shape }) => shape)).toEqual([
      ['rows', 'cols'],
      ['rows', 'cols'],
    ]);
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('overwrites nothing, unless forced', async () => {
    const folder = await folderWith('c/softmax.cpp', 'c/row_max.h');
    await writeFile(join(folder, 'pawl.yaml'), 'version: 1\n');
    const asked = { path: join(folder, 'softmax.cpp'), shapes };
    await expect(adopt(asked)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('pawl.yaml is already'),
    });
    expect(await readdir(folder)).toHaveLength(3);
    await adopt({ ...asked, force: true });
    const again = await adopt(asked);
    expect(new Set(again.files.map(({ state }) => state))).toEqual(new Set(['same']));
  });

  it('refuses a folder with several files, and a file of another kind', async () => {
    const folder = await folderWith('c/softmax.cpp', 'c/row_max.h');
    await expect(adopt({ path: folder })).rejects.toMatchObject({ kind: 'usage' });
    await writeFile(join(folder, 'notes.txt'), '');
    await expect(adopt({ path: join(folder, 'notes.txt') })).rejects.toMatchObject({ kind: 'bad-data' });
    await expect(adopt({ path: join(folder, 'none.c') })).rejects.toMatchObject({ kind: 'usage' });
  });

  it('runs at once, and leaves nothing', { timeout: 120_000 }, async () => {
    const folder = await folderWith('c/softmax.cpp', 'c/row_max.h', 'c/dot.c');
    const { run } = await adopt({ path: join(folder, 'softmax.cpp'), shapes, ...QUICK });
    expect(run).toMatchObject({
      result: 'good',
      report: { measurements: [{ kernel: 'softmax-cpu', case: 'first' }] },
    });
    const c = await adopt({
      path: join(folder, 'dot.c'),
      function: 'dot',
      shapes: { x: 'n', y: 'n' },
      ...QUICK,
    });
    expect(c.run?.result).toBe('good');
    expect(await readdir(folder)).toHaveLength(3);
  });
});
