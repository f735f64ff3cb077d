import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { defaultLimits, inspector } from '../../src/adopt/python/inspect.ts';
import { packageRoot } from '../../src/build/package-root.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { adoptReportSchema, type AdoptReport } from '../../src/model/reports/adopt-report.ts';
import { renderAdopt } from '../../src/report/terminal/adopt-terminal.ts';
import { adopt } from '../../src/workflows/adopt.ts';
import { findPython } from '../../src/device/python.ts';
import { runCommand } from '../../src/os/run-command.ts';
import { bench } from '../../src/workflows/runs/bench.ts';
import { hasTorch } from '../services/has-torch.ts';

/** Few samples: what is measured here is whether it works. */
const QUICK = { run: true, processes: 1, samples: 3, wait_s: 600 };
/** Where only what is right is asked: processes that time would import PyTorch for it once more, and so would their oracles. */
const CHECKED = { ...QUICK, timed: false };

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
    expect(renderAdopt(report)).toContain('the shape of y: give --shape y=…');
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

  it('takes published kernels with tunables, memory to work in, a set-up, and types of a header', async () => {
    const folder = await folderWith('cuda/accumulate.cu', 'cuda/storage.h');
    const asked = {
      path: join(folder, 'accumulate.cu'),
      function: 'accumulate',
      shapes: { out: 'cols', from: 'rows,cols' },
      inout: ['out'],
      inputs: ['from'],
      tunables: { variant: [2, 1], block_size: [256, 128] },
      workspaces: { parts: '4*cols' },
      setup: 'prepare_device',
    } as const;
    const report = await adopt(asked);
    // HALF_STORAGE is defined before the header is included.
    expect(report.tensors).toEqual([
      { name: 'out', role: 'inout', dtype: 'f16', shape: ['cols'] },
      { name: 'from', role: 'input', dtype: 'f16', shape: ['rows', 'cols'] },
    ]);
    expect(report.dims).toEqual(['rows', 'cols']);
    const yaml = await readFile(join(folder, 'pawl.yaml'), 'utf8');
    expect(yaml).toContain('tunables: { VARIANT: [2, 1], BLOCK_SIZE: [256, 128] }');
    expect(yaml).toContain('\n    links: [-lcublas]');
    expect(yaml).toMatch(/oracle: \{ cuda: \S+, links: \[-lcublas\] \}/u);
    const wrapper = await readFile(join(folder, 'pawl_accumulate.cu'), 'utf8');
    expect(wrapper).toContain('static const bool ready = (prepare_device(), true);');
    expect(wrapper).toContain('float *parts = (float *)((char *)call->workspace);');
    expect(wrapper).toMatch(/pawl_workspace_bytes[^}]*4 \* cols[^}]*sizeof\(float\)/u);
    // Its pointer is not to const, and a cast to const would not compile.
    expect(wrapper).toContain('half *from = (half *)call->tensors[1].data;');
    // The copy that judges keeps the default values, and has memory of its own.
    const oracle = await readFile(join(folder, 'oracle/pawl_accumulate_oracle.cu'), 'utf8');
    expect(oracle).toContain('const int64_t block_size = 256;');
    expect(oracle).toContain('cudaFree(parts);');
  });

  it('asks about integers in no shape and about memory to work in, until they are told', async () => {
    const folder = await folderWith();
    const path = join(folder, 'sums.cu');
    await writeFile(
      path,
      `__global__ void sums_kernel(const float *x, float *out, float *scratch, int rows, int cols) {}
void sums(const float *x, float *out, float *scratch, int rows, int cols, int block_size) {
  sums_kernel<<<rows, block_size>>>(x, out, scratch, rows, cols);
}
`,
    );
    const asked = { path, shapes: { x: 'rows,cols', out: 'rows', scratch: 'rows,256' } };
    const texts = ({ assumed }: AdoptReport, kind: string) =>
      assumed.filter(({ about }) => about === kind).map(({ text }) => text);
    const guessed = await adopt({ ...asked, dryRun: true });
    expect(texts(guessed, 'tunables')).toEqual([expect.stringContaining('--tunable block_size=')]);
    expect(texts(guessed, 'roles')).toContainEqual(expect.stringContaining('--workspace scratch='));

    const told = await adopt({
      path,
      shapes: { x: 'rows,cols', out: 'rows' },
      tunables: { block_size: [256, 128] },
      workspaces: { scratch: 'rows*block_size' },
    });
    expect(texts(told, 'tunables')).toEqual([]);
    expect(texts(told, 'roles').join()).not.toContain('--workspace');
    // What is tried has memory for its own value; the copy that judges, for the default.
    const wrapper = await readFile(join(folder, 'pawl_sums.cu'), 'utf8');
    expect(wrapper).toMatch(
      /pawl_workspace_bytes[^}]*int64_t block_size = BLOCK_SIZE;[^}]*rows \* block_size/u,
    );
    const oracle = await readFile(join(folder, 'oracle/pawl_sums_oracle.cu'), 'utf8');
    expect(oracle).toMatch(/int64_t block_size = 256;[^}]*cudaMalloc\(&scratch, \(\(rows \* block_size\)\)/u);
  });

  it('says which definition of a type it took, where flags would choose', async () => {
    const folder = await folderWith('cuda/accumulate.cu', 'cuda/storage.h');
    const path = join(folder, 'accumulate.cu');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('#define HALF_STORAGE\n', ''));
    const asked = { path, function: 'accumulate', dryRun: true };
    const plain = await adopt(asked);
    expect(plain.tensors.map(({ dtype }) => dtype)).toEqual(['f32', 'f32', 'f32']);
    expect(plain.assumed.filter(({ about }) => about === 'types')).toHaveLength(1);
    const told = await adopt({ ...asked, flags: ['-DDOUBLE_STORAGE'] });
    expect(told.tensors.map(({ dtype }) => dtype)).toEqual(['f64', 'f32', 'f64']);
  });

  it('refuses names that the function does not have, and what does not apply', async () => {
    const folder = await folderWith('cuda/accumulate.cu', 'cuda/storage.h', 'c/dot.c');
    const asked = { path: join(folder, 'accumulate.cu'), function: 'accumulate', dryRun: true };
    for (const wrong of [
      { tunables: { threads: [1] as const } },
      { workspaces: { none: '4' } },
      { inputs: ['none'] },
      { workspaces: { parts: 'nobody * 4' } },
    ]) {
      await expect(adopt({ ...asked, ...wrong })).rejects.toMatchObject({ kind: 'usage' });
    }
    const c = { path: join(folder, 'dot.c'), function: 'normalize', dryRun: true };
    await expect(adopt({ ...c, setup: 'prepare' })).rejects.toMatchObject({ kind: 'usage' });
    const tuned = await adopt({ ...c, tunables: { n: [256, 512] }, shapes: { x: '64', y: '64' } });
    expect(tuned.dims).toEqual([]);
  });

  it('refuses a folder with several files, and a file of another kind', async () => {
    const folder = await folderWith('c/softmax.cpp', 'c/row_max.h');
    await expect(adopt({ path: folder })).rejects.toMatchObject({ kind: 'usage' });
    await writeFile(join(folder, 'notes.txt'), '');
    await expect(adopt({ path: join(folder, 'notes.txt') })).rejects.toMatchObject({ kind: 'bad-data' });
    await expect(adopt({ path: join(folder, 'none.c') })).rejects.toMatchObject({ kind: 'usage' });
  });

  it('runs at once, and leaves nothing', { timeout: 900_000 }, async () => {
    const folder = await folderWith('c/softmax.cpp', 'c/row_max.h', 'c/dot.c');
    const { run } = await adopt({ path: join(folder, 'softmax.cpp'), shapes, ...QUICK });
    expect(run).toMatchObject({
      result: 'good',
      report: { measurements: [{ kernel: 'softmax-cpu', case: 'first' }] },
    });
    const c = await adopt({
      path: join(folder, 'dot.c'),
      function: 'normalize',
      shapes: { x: 'n', y: 'n' },
      sizes: { n: 256 },
      scalars: { eps: 0.5 },
      ...QUICK,
    });
    expect(c.run?.result).toBe('good');
    expect(await readdir(folder)).toHaveLength(3);
  });
});

const python = await findPython();
const hasNumpy =
  python.status === 'found' &&
  (await runCommand(python.path, ['-c', 'import numpy'], { timeout_ms: 120_000 }).then(
    (asked) => asked.status === 'exited' && asked.code === 0,
  ));

describe.skipIf(!hasNumpy)('adopting a NumPy function', () => {
  it('calls it to see what it returns, and measures it', { timeout: 900_000 }, async () => {
    const folder = await folderWith('python/rows.py', 'python/shift.py');
    const asked = { path: join(folder, 'rows.py'), shapes: { x: 'rows,cols' }, sizes: { rows: 16 } };
    const report = await adopt({ ...asked, ...QUICK });
    expect(report.tensors.at(-1)).toEqual({
      name: 'out',
      role: 'output',
      dtype: 'f32',
      shape: ['rows', 'cols'],
    });
    expect(report.run?.result).toBe('good');
    expect(await readdir(folder)).toHaveLength(2);
    const { files } = await adopt(asked);
    expect(files.map(({ path }) => path)).toEqual([
      'oracle/rows.py',
      'oracle/shift.py',
      'pawl.yaml',
      '.gitignore',
    ]);
    await loadConfig(folder);
  });

  it('takes a number for an output of one element, and passes scalars', { timeout: 900_000 }, async () => {
    const folder = await folderWith('python/loss.py');
    const shapes = { x: 'n', y: 'n' };
    const report = await adopt({ path: folder, shapes, scalars: { scale: 0.5 }, ...QUICK });
    expect(report.tensors.at(-1)).toMatchObject({ name: 'out', shape: ['1'] });
    expect(report.run?.result).toBe('good');
  });

  it('leaves a shape that nobody told as TODO', async () => {
    const folder = await folderWith('python/rows.py', 'python/shift.py');
    const { missing } = await adopt({ path: join(folder, 'rows.py') });
    expect(missing.map(({ name }) => name)).toEqual(['x']);
    const answers = ['rows,cols'];
    const asked = await adopt({
      path: join(folder, 'rows.py'),
      dryRun: true,
      force: true,
      ask: async () => answers.pop(),
    });
    expect(asked.tensors.map(({ shape }) => shape)).toEqual([
      ['rows', 'cols'],
      ['rows', 'cols'],
    ]);
  });

  it.each([
    ['raises.py', {}, 'raises.py: get_inputs raised ValueError: no inputs today.'],
    ['eats.py', {}, 'eats.py: get_inputs raised MemoryError'],
    ['wrong_types.py', { function: 'f' }, 'input 1 of f is int, not an array'],
    ['hangs.py', { shapes: { x: '4' }, timeout_s: 3 }, 'hangs.py did not finish within 3 s.'],
    ['crashes.py', { shapes: { x: '4' } }, 'crashes.py ended Python with SIGSEGV'],
    ['exits.py', { shapes: { x: '4' } }, 'exits.py gave an invalid answer'],
    ['not_python.py', {}, 'not_python.py: it is not Python'],
    [
      'raises_at_import.py',
      { shapes: { x: '4' } },
      'it cannot be imported: it raised RuntimeError: not today.',
    ],
    ['raises_in_call.py', { shapes: { x: '4' } }, "f raised KeyError: 'missing'."],
    ['returns_nothing.py', { shapes: { x: '4' } }, 'output 1 of f is NoneType, not an array.'],
    ['inputs_not_a_list.py', {}, 'get_inputs returned int, not a list of tensors.'],
    ['hangs_in_inputs.py', { timeout_s: 3 }, 'hangs_in_inputs.py did not finish within 3 s.'],
    ['eats_at_import.py', { shapes: { x: '4' } }, 'it cannot be imported: it raised'],
    ['dates.py', { shapes: { x: '4' } }, 'has elements of type datetime64'],
  ])('says in one sentence what is wrong with %s', { timeout: 60_000 }, async (name, told, message) => {
    const folder = await folderWith(`hostile/${name}`);
    const failed = adopt({ path: join(folder, name), ...told });
    await expect(failed).rejects.toMatchObject({
      kind: 'bad-data',
      message: expect.stringContaining(message),
    });
    expect(await readdir(folder)).toEqual([name]);
  });
});

describe.skipIf(!hasNumpy)('inputs that no seed repeats', () => {
  it('do not make a kernel wrong', { timeout: 900_000 }, async () => {
    const folder = await folderWith('hostile/unseeded.py');
    const { run } = await adopt({ path: folder, ...QUICK });
    expect(run?.report.measurements.map(({ state }) => state)).not.toContain('incorrect');
  });
});

describe.skipIf(!hasTorch)("adopting a problem of KernelBench's form", () => {
  it('finds tensors and weights, and sizes that fit', { timeout: 900_000 }, async () => {
    const folder = await folderWith('python/scaled_linear.py', 'python/scaled_linear_new.py');
    const path = join(folder, 'scaled_linear.py');
    const solution = join(folder, 'scaled_linear_new.py');
    const report = await adopt({ path, solution, device: 'cpu' });
    expect(report).toMatchObject({ entrance: 'kernelbench', dims: ['batch_size'], problem: 'scaled_linear' });
    expect(report.tensors.map(({ name, shape }) => [name, shape?.join()])).toEqual([
      ['x', 'batch_size,256'],
      ['linear_weight', '128,256'],
      ['linear_bias', '128'],
      ['out', 'batch_size,128'],
    ]);
    expect(report.cases).toMatchObject({ full: { batch_size: 65536 } });
    expect(report.cases['small']!['batch_size']).toBeLessThanOrEqual(16384);
    expect(report.kernels).toEqual(expect.arrayContaining(['reference', 'mine']));
    const { result } = await bench({
      config: folder,
      only: ['mine'],
      processes: 1,
      samples: 3,
      history: false,
      wait_s: 600,
    });
    expect(result).toBe('good');
  });

  it(
    'makes the sizes of a convolution smaller, whose output loses its edge',
    { timeout: 900_000 },
    async () => {
      const folder = await folderWith('python/convolved.py');
      const report = await adopt({ path: join(folder, 'convolved.py'), device: 'cpu', ...QUICK });
      expect(report.tensors.map(({ name, shape }) => [name, shape?.join()])).toEqual([
        ['x', 'batch_size,16,height,width'],
        ['conv_weight', '8,16,3,3'],
        ['out', 'batch_size,8,height - 2,width - 2'],
      ]);
      expect(report.cases).toMatchObject({ full: { batch_size: 8, height: 512, width: 1024 } });
      expect(report.cases['small']!['width']).toBeLessThanOrEqual(512);
      expect(report.run?.report.measurements.map(({ case: name, state }) => [name, state])).toEqual([
        ['small', 'measured'],
      ]);
    },
  );

  it('keeps sizes that only large inputs work in', { timeout: 900_000 }, async () => {
    const folder = await folderWith('python/deep.py');
    const report = await adopt({ path: join(folder, 'deep.py'), device: 'cpu' });
    expect(report.cases['full'] ?? report.cases['small']).toBeDefined();
    for (const { side = 256 } of Object.values(report.cases)) expect(side).toBeGreaterThanOrEqual(128);
  });

  it('takes the last value of a constant, also one of several', async () => {
    const folder = await folderWith('python/resized.py');
    const report = await adopt({ path: join(folder, 'resized.py'), device: 'cuda', dryRun: true });
    expect(report.tensors[0]?.shape).toEqual(['32', '16']);
  });

  it('tries no other sizes once its time is over', async () => {
    const folder = await folderWith('python/resized.py');
    const file = {
      file: join(folder, 'resized.py'),
      function: 'Model',
      framework: 'torch',
      all_s: 0,
    } as const;
    const call = { constants: {}, on: 'meta' } as const;
    const { calls } = await inspector(defaultLimits()).call(file, [call, call]);
    expect(calls.map(({ ok }) => ok)).toEqual([true]);
  });

  it('computes in its own precision where tensors leave no room for another', async () => {
    const folder = await folderWith('python/huge.py');
    const { files, assumed } = await adopt({ path: join(folder, 'huge.py'), device: 'cuda', dryRun: true });
    expect(files.at(-1)?.text).toContain('oracle: { module: huge.py, function: Model, precision: own');
    expect(assumed.find(({ about }) => about === 'oracle')?.text).toContain('the tensors take 16.0 GiB');
  });

  it('passes numbers among the inputs by name', { timeout: 900_000 }, async () => {
    const folder = await folderWith('python/shifted.py');
    const report = await adopt({ path: join(folder, 'shifted.py'), device: 'cpu' });
    expect(report.tensors.map(({ name }) => name)).toEqual(['x', 'y', 'out']);
    const config = await readFile(join(folder, 'pawl.yaml'), 'utf8');
    expect(config).toMatch(
      /scalars: \{ ?shift: \{ dtype: f64, value: 0.25 \}, power: \{ dtype: i64, value: 2 \} ?\}/u,
    );
    const { result } = await bench({
      config: folder,
      only: ['reference'],
      processes: 1,
      samples: 3,
      history: false,
      wait_s: 600,
    });
    expect(result).toBe('good');
  });

  it('keeps inputs that are views as they are', { timeout: 900_000 }, async () => {
    const folder = await folderWith('python/views.py');
    const report = await adopt({ path: join(folder, 'views.py'), device: 'cpu' });
    // Whether sizes are dimensions depends on how quick this machine is.
    expect(report.tensors.map(({ name, strides }) => `${name} ${strides?.join() ?? ''}`)).toEqual([
      expect.stringMatching(/^a 1,(rows|8192)$/),
      expect.stringMatching(/^b (3 \* columns|144),1$/),
      'c 0,1',
      'd ',
      'out ',
    ]);
    const yaml = await readFile(join(folder, 'pawl.yaml'), 'utf8');
    expect(yaml).toMatch(/strides: \[(3 \* columns|144), 1\], offset: (columns|48)/);
    // The model refuses contiguous inputs in its own precision, so that the kernel is seen to get views. The one that
    // tells the model's own error gets contiguous ones, as oracles do.
    await writeFile(
      join(folder, 'pawl.yaml'),
      yaml.replace(', reference: Model', '').replace(', factor: 4', ''),
    );
    const { result } = await bench({
      config: folder,
      processes: 1,
      samples: 3,
      history: false,
      wait_s: 600,
    });
    expect(result).toBe('good');
  });

  it(
    'has no dimensions on a GPU, and refuses a solution without ModelNew',
    { timeout: 900_000 },
    async () => {
      const folder = await folderWith('python/scaled_linear.py');
      const path = join(folder, 'scaled_linear.py');
      const { cases, dims } = await adopt({ path, device: 'cuda', dryRun: true });
      expect([cases, dims]).toEqual([{ full: {} }, []]);
      await expect(adopt({ path, solution: path, dryRun: true })).rejects.toMatchObject({ kind: 'bad-data' });
    },
  );
});

describe.skipIf(!hasTorch)('adopting an nn.Module', () => {
  const shapes = { x: 'rows,32' };

  it(
    'takes its parameters as inputs, and judges it by a copy in evaluation mode',
    { timeout: 900_000 },
    async () => {
      const folder = await folderWith('python/block.py');
      const path = join(folder, 'block.py');
      const report = await adopt({ path, init: '{"width": 32}', shapes, sizes: { rows: 64 }, device: 'cpu' });
      expect(report).toMatchObject({ entrance: 'python', adopted: 'Block', missing: [], dims: ['rows'] });
      expect(report.kernels[0]).toBe('Block-python');
      expect(report.tensors.map(({ name, shape }) => [name, shape?.join()])).toEqual([
        ['x', 'rows,32'],
        ['norm_weight', '32'],
        ['norm_bias', '32'],
        ['up_weight', '64,32'],
        ['up_bias', '64'],
        ['down_weight', '32,64'],
        ['out', 'rows,32'],
      ]);
      const measured = { config: folder, only: ['Block-python'], processes: 1, samples: 3, history: false };
      // With its dropout of one half in training mode no two results would be alike.
      expect(await bench({ ...measured, wait_s: 600 })).toMatchObject({ result: 'good' });
      // A later version is judged by the copy: this one forgets its residual.
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace('return x + self', 'return self'));
      expect(await bench({ ...measured, wait_s: 600 })).toMatchObject({ result: 'bad' });
    },
  );

  it('is measured without a project, in types that are told', { timeout: 900_000 }, async () => {
    const folder = await folderWith('python/two_modules.py');
    const told = { class: 'Embedded', shapes: { ids: '(rows + 1) // 2:i64' }, sizes: { rows: 9 } };
    const report = await adopt({ path: folder, ...told, device: 'cpu', ...QUICK });
    expect(report.tensors.map(({ dtype, shape }) => [dtype, shape?.join()])).toEqual([
      ['i64', '(rows + 1) // 2'],
      ['f32', '8'],
      ['f32', expect.any(String)],
    ]);
    expect(report.run?.result).toBe('good');
    expect(await readdir(folder)).toEqual(['two_modules.py']);
  });

  it.each([
    [
      'python/block.py',
      { shapes },
      'bad-data',
      'Block takes width in its constructor, and no values are given.',
    ],
    [
      'python/block.py',
      { shapes, init: '{"widht": 32}' },
      'bad-data',
      /Block raised TypeError: .*unexpected keyword argument 'widht'/,
    ],
    ['python/block.py', { shapes, init: '32' }, 'usage', '--init 32 is not a JSON list or mapping.'],
    ['python/block.py', { shapes, init: '{width: 32}' }, 'usage', 'is not a JSON list or mapping.'],
    ['python/block.py', { init: '[32]', shapes: { y: '4' } }, 'usage', 'Block has no parameter y.'],
    ['python/block.py', { init: '[32]', shapes: { x: 'rows,31' } }, 'bad-data', 'Block raised'],
    ['python/block.py', { class: 'Blocks' }, 'bad-data', 'block.py has no class Blocks.'],
    ['python/two_modules.py', {}, 'usage', 'has 3 classes and functions that can be adopted'],
    ['hostile/raises_in_init.py', { init: '[4]', shapes: { x: '4' } }, 'bad-data', 'no size 4 today'],
    ['hostile/not_a_module.py', { class: 'Net', shapes: { x: '4' } }, 'bad-data', 'Net is not an nn.Module'],
    [
      'hostile/forward_in_twos.py',
      { shapes: { x: '4' } },
      'bad-data',
      'two tensors that would both be named x',
    ],
  ])('of %s with %j is refused', { timeout: 120_000 }, async (name, told, kind, message) => {
    const folder = await folderWith(name);
    const failed = adopt({ path: join(folder, name.split('/').at(-1)!), device: 'cpu', ...told });
    await expect(failed).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('asks for shapes, and makes no inputs before they are told', { timeout: 120_000 }, async () => {
    const folder = await folderWith('python/block.py');
    const asked = { path: join(folder, 'block.py'), init: '[32]', device: 'cpu', dryRun: true } as const;
    const { missing, files } = await adopt(asked);
    expect(missing.map(({ option }) => option)).toEqual(['--shape x=…']);
    expect(files.find(({ path }) => path === 'oracle/pawl_Block.py')?.text).toContain('None,  # TODO: x');
  });
});

describe.skipIf(!hasTorch)('adopting a task of GPU MODE', () => {
  const taskFolder = async () => {
    const folder = await folderWith();
    await cp(join(import.meta.dirname, '../fixtures/adopt/gpumode'), folder, { recursive: true });
    return folder;
  };

  it(
    'makes cases of its parameter sets, and outputs of memory that it writes to',
    { timeout: 900_000 },
    async () => {
      const folder = await taskFolder();
      const solution = join(folder, 'rowscale/faster.py');
      const report = await adopt({ path: join(folder, 'rowscale'), solution, device: 'cpu' });
      expect(report).toMatchObject({
        entrance: 'gpumode',
        problem: 'rowscale',
        kernels: ['reference', 'mine'],
        dims: ['rows', 'cols', 'spread'],
        tensors: [
          { name: 'x', role: 'input', dtype: 'f32', shape: ['rows', 'cols'] },
          { name: 'factors_row', role: 'input', shape: ['rows'] },
          { name: 'out', role: 'output', shape: ['rows', 'cols'] },
        ],
        cases: { test_1: { rows: 8, cols: 64, spread: 0 }, test_2: { rows: 33, cols: 96, spread: 1 } },
      });
      const text = await readFile(join(folder, 'rowscale/pawl.yaml'), 'utf8');
      expect(text).toContain('tolerance: { atol: 1e-5, rtol: 1e-4 }');
      // What is too large for a CPU stays a case, for a GPU.
      expect(text).toContain('cases: [test_1, test_2]');
      const { result } = await bench({
        config: join(folder, 'rowscale'),
        processes: 1,
        samples: 3,
        history: false,
        wait_s: 600,
      });
      expect(result).toBe('good');
    },
  );

  it('calls zeros wrong, and the reference right', { timeout: 900_000 }, async () => {
    const folder = await taskFolder();
    const solution = join(folder, 'rowscale/zeros.py');
    const { run } = await adopt({
      path: join(folder, 'rowscale/task.yml'),
      solution,
      device: 'cpu',
      cases: ['test_2'],
      ...CHECKED,
    });
    const wrong = run?.report.measurements
      .filter(({ check }) => check === 'failed')
      .map(({ kernel }) => kernel);
    expect([run?.result, wrong]).toEqual(['bad', ['mine']]);
  });

  it('gives an output whose tolerance is blind one that sees', { timeout: 900_000 }, async () => {
    const folder = await taskFolder();
    const path = join(folder, 'faint/task.yml');
    const own = await adopt({ path, device: 'cpu', ...QUICK });
    expect(own.run?.result).toBe('good');
    const told = own.assumed.findLast(({ about }) => about === 'tolerance')?.text;
    expect(told).toMatch(/zeros.*so out has a calibrated one: tolerance: \{ atol: \d\S+e-\d+, rtol: /u);
    const solution = join(folder, 'faint/zeros.py');
    const { run } = await adopt({ path, solution, device: 'cpu', ...CHECKED });
    const checks = run?.report.measurements.map(({ kernel, check }) => [kernel, check]);
    expect(checks).toEqual([
      ['reference', 'passed'],
      ['mine', 'failed'],
    ]);
  });

  it('takes functions in parts, with what another file passes', { timeout: 900_000 }, async () => {
    const folder = await taskFolder();
    const solution = join(folder, 'parts/halves.py');
    const report = await adopt({ path: join(folder, 'parts/task.yml'), solution, device: 'cpu', ...QUICK });
    expect(report.tensors.map(({ name, role, shape }) => [name, role, shape?.join()])).toEqual([
      ['x', 'input', '24,cols'],
      ['scale', 'input', '24'],
      ['upstream', 'input', '24,cols'],
      ['out_0', 'output', '24,cols'],
      ['out_1', 'output', '24'],
    ]);
    expect([report.run?.result, report.kernels]).toEqual(['good', ['reference', 'mine']]);
  });

  it('judges what is returned where a reference returns its input', { timeout: 900_000 }, async () => {
    const folder = join(await taskFolder(), 'unchanged');
    const resultOf = async (solution: string) => {
      const asked = {
        path: join(folder, 'task.yml'),
        solution: join(folder, solution),
        device: 'cpu',
      } as const;
      const { run } = await adopt({ ...asked, ...CHECKED });
      return run?.result;
    };
    expect([await resultOf('copies.py'), await resultOf('zeros.py')]).toEqual(['good', 'bad']);
  });

  it('sees a tolerance without numbers, where results are moved', async () => {
    const folder = await taskFolder();
    const { files } = await adopt({ path: join(folder, 'moved/task.yml'), device: 'cuda', dryRun: true });
    expect(files.at(-1)?.text).toContain('tolerance: { atol: 1e-4, rtol: 1e-3 }');
  });

  it('asks the task itself where its judge looks at properties', { timeout: 900_000 }, async () => {
    const folder = await taskFolder();
    const report = await adopt({ path: join(folder, 'ordered'), device: 'cpu', ...QUICK });
    expect([report.run?.result, report.kernels]).toEqual(['good', ['reference']]);
    // The first set leaves out a parameter that has a default.
    expect(report.cases).toEqual({ test_1: { size: 512, order: 0 }, test_2: { size: 1024, order: 1 } });
  });
});

describe('adopting a definition of FlashInfer-Bench', () => {
  const files = ['flashinfer/bag_sum.json', 'flashinfer/bag_sum.jsonl', 'flashinfer/bag_sum_solution.json'];

  it('writes a project that loads, and says what it chose', async () => {
    const folder = await folderWith(...files);
    const report = await adopt({ path: join(folder, 'bag_sum.json'), device: 'cpu' });
    expect(report).toMatchObject({ entrance: 'flashinfer', kernels: ['reference'], missing: [] });
    const about = report.assumed.map((one) => one.about);
    expect(about).toEqual(['fill', 'oracle', 'scalars', 'sizes', 'tolerance']);
    const plan = planKernel(await loadConfig(folder), 'reference');
    expect(plan.cases.map(({ name }) => name)).toEqual(['first']);
  });

  it.skipIf(!hasTorch)('measures a solution on its workloads', { timeout: 900_000 }, async () => {
    const folder = await folderWith(...files);
    const report = await adopt({
      path: join(folder, 'bag_sum.json'),
      workload: join(folder, 'bag_sum.jsonl'),
      solution: join(folder, 'bag_sum_solution.json'),
      device: 'cpu',
      ...QUICK,
    });
    expect(report.run?.result).toBe('good');
    expect(Object.keys(report.cases)).toEqual(['workload_1', 'workload_2']);
    expect(report.cases['workload_2']).toMatchObject({ batch_size: 16, scale: 0.25 });
    // A reference with the same parameters in another order is called by their names.
    const definition = join(folder, 'bag_sum.json');
    const text = await readFile(definition, 'utf8');
    const other = 'def run(scale, table, indices, indptr, values)';
    await writeFile(definition, text.replace('def run(values, indptr, indices, table, scale)', other));
    const again = await adopt({ path: definition, device: 'cpu', ...CHECKED });
    expect(again.run?.result).toBe('good');
    // The file with recorded indices is not there, and that is said.
    expect(report.assumed.some(({ text }) => text.includes('recorded indices'))).toBe(true);
  });
});

const hasNvcc = (await runCommand('nvcc', ['--version'], { timeout_ms: 20_000 })).status === 'exited';

describe('adopting a CUDA file', () => {
  const shapes = { x: 'rows,cols', y: 'rows,cols' };
  const launch = { function: 'double_rows', grid: 'ceildiv(cols, 256), rows', block: '256' };

  it('takes the host function that launches, and passes the stream', async () => {
    const folder = await folderWith('cuda/scale.cu');
    const report = await adopt({ path: folder, shapes });
    expect(report).toMatchObject({
      entrance: 'cuda',
      adopted: 'launch_double_rows',
      kernels: ['launch_double_rows-cuda'],
    });
    expect(report.tensors.map(({ dtype }) => dtype)).toEqual(['f32', 'f16']);
    const plan = planKernel(await loadConfig(folder), 'launch_double_rows-cuda');
    expect(plan.oracle).toEqual({ cuda: join(folder, 'oracle/pawl_launch_double_rows_oracle.cu') });
    expect(await readFile(join(folder, 'pawl_launch_double_rows.cu'), 'utf8')).toContain(
      'launch_double_rows(x, y, rows, cols, (cudaStream_t)call->stream);',
    );
  });

  it('needs to be told how a __global__ function is launched', async () => {
    const folder = await folderWith('cuda/scale.cu');
    const path = join(folder, 'scale.cu');
    await expect(adopt({ path, shapes, function: 'double_rows' })).rejects.toMatchObject({ kind: 'usage' });
    await writeFile(path, '__global__ void f(float *x, int n) {}');
    await expect(adopt({ path, shapes: { x: 'n' } })).rejects.toMatchObject({
      message: expect.stringContaining('--grid and --block'),
    });
  });

  it.skipIf(!hasNvcc)('writes what nvcc takes without a warning', { timeout: 900_000 }, async () => {
    const folder = await folderWith('cuda/scale.cu');
    await adopt({ path: folder, shapes, ...launch });
    for (const file of ['pawl_double_rows.cu', 'oracle/pawl_double_rows_oracle.cu']) {
      const flags = [
        '-std=c++17',
        '-arch=sm_90',
        '-Werror',
        'all-warnings',
        `-I${join(packageRoot(), 'runner/include')}`,
      ];
      const run = await runCommand('nvcc', [...flags, '-c', '-o', join(folder, 'x.o'), join(folder, file)], {
        timeout_ms: 100_000,
      });
      expect(run).toMatchObject({ status: 'exited', code: 0, stderr: '' });
    }
  });
});

describe.skipIf(!hasTorch)('adopting a definition that draws', () => {
  it(
    'tests how often each is drawn, and refuses one that always takes the likeliest',
    { timeout: 900_000 },
    async () => {
      const folder = await folderWith('flashinfer/drawn.json', 'flashinfer/drawn_likeliest.json');
      const path = join(folder, 'drawn.json');
      const solution = join(folder, 'drawn_likeliest.json');
      const { run, kernels } = await adopt({ path, solution, device: 'cpu', ...CHECKED });
      expect(kernels).toEqual(['reference', 'mine']);
      expect(run?.report.measurements.map(({ check }) => check)).toEqual(['passed', 'failed']);
    },
  );
});
