import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { packageRoot } from '../../src/build/package-root.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import type { KernelPlan } from '../../src/config/plan-kernel.ts';
import { runCommand } from '../../src/os/run-command.ts';
import type { Variant } from '../../src/model/problem/variant.ts';
import { findPython } from '../../src/device/python.ts';
import { bench } from '../../src/workflows/runs/bench.ts';
import { fuzz } from '../../src/workflows/runs/fuzz.ts';
import { initProject } from '../../src/workflows/init.ts';
import { hasTorch } from '../services/has-torch.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-init-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const include = join(packageRoot(), 'runner', 'include');
const defines = (variant: Variant) =>
  Object.entries(variant).map(([name, value]) => `-D${name}=${String(value)}`);

async function compile(command: string, args: readonly string[]): Promise<void> {
  const run = await runCommand(command, args, { timeout_ms: 100_000 });
  if (run.status !== 'exited' || run.code !== 0) throw new Error(JSON.stringify(run));
}

async function sha256(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** Every value of every tunable beside the defaults of the others, where the constraints allow it. */
function neighbours(plan: KernelPlan, values: Readonly<Record<string, readonly number[]>>): Variant[] {
  return Object.entries(values).flatMap(([name, choices]) =>
    choices.map((value) => ({ ...plan.variant, [name]: value })),
  );
}

async function hasNumpy(): Promise<boolean> {
  const python = await findPython();
  if (python.status !== 'found') return false;
  const asked = await runCommand(python.path, ['-c', 'import numpy'], { timeout_ms: 120_000 });
  return asked.status === 'exited' && asked.code === 0;
}

describe('initProject', () => {
  it('writes a project that loads, and nothing else', async () => {
    const directory = join(await emptyFolder(), 'new', 'project');
    expect(await initProject({ directory, device: 'cpu', force: false })).toEqual({
      device: 'cpu',
      template: 'cpu',
      written: ['kernels/softmax/oracle.cpp', 'kernels/softmax/softmax.cpp', 'pawl.yaml', '.gitignore'],
      kept: [],
    });
    const plan = planKernel(await loadConfig(directory), 'softmax-cpu');
    expect(plan.cases.map(({ name }) => name)).toEqual(['small', 'wide', 'ragged']);
    expect(await readFile(join(directory, '.gitignore'), 'utf8')).toBe('.pawl/\n');
  });

  it.each([
    ['python', 'cpu', 'softmax-numpy', { BLOCK: 16 }],
    ['pytorch', 'cpu', 'softmax-pytorch', {}],
    ['pytorch', 'cuda', 'softmax-builtin', {}],
    ['triton', 'cuda', 'softmax-triton', { BLOCK: 1024, num_warps: 4 }],
  ] as const)('writes an example in %s for %s', async (template, device, kernel, variant) => {
    const directory = await emptyFolder();
    const { written } = await initProject({ directory, device, template, force: false });
    expect(written).toContain('kernels/softmax/softmax.py');
    expect(planKernel(await loadConfig(directory), kernel)).toMatchObject({ device, variant });
  });

  it('refuses a template on a device that it does not run on', async () => {
    const asked = { directory: await emptyFolder(), force: false } as const;
    await expect(initProject({ ...asked, template: 'triton', device: 'cpu' })).rejects.toMatchObject({
      kind: 'usage',
    });
    expect(await initProject({ ...asked, template: 'triton', device: 'auto' })).toMatchObject({
      device: 'cuda',
    });
  });

  // NumPy is where the tests run; PyTorch is not in CI.
  it.for(['python', 'pytorch'] as const)(
    'an example in %s passes',
    { timeout: 900_000 },
    async (template, { skip }) => {
      if (!(template === 'python' ? await hasNumpy() : hasTorch))
        skip(`needs what ${template} kernels import`);
      const directory = await emptyFolder();
      await initProject({ directory, device: 'cpu', template, force: false });
      const { result, report } = await bench({
        config: directory,
        processes: 1,
        samples: 3,
        history: false,
        wait_s: 600,
      });
      expect(result).toBe('good');
      expect(report.measurements).toHaveLength(template === 'python' ? 3 : 6);
    },
  );

  it('points editors at a schema that is there, inside a checkout of Pawl', async () => {
    const directory = await mkdtemp(join(packageRoot(), '.pawl-init-test-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    await initProject({ directory, device: 'cpu', force: false });
    const [line = ''] = (await readFile(join(directory, 'pawl.yaml'), 'utf8')).split('\n');
    const path = /^# yaml-language-server: \$schema=(.+)$/.exec(line)?.[1] ?? '';
    const schema = JSON.parse(await readFile(resolve(directory, path), 'utf8')) as { title: string };
    expect(schema.title).toBe('pawl.yaml');
  });

  it('keeps what is there, and says so', async () => {
    const directory = await emptyFolder();
    await initProject({ directory, device: 'cpu', force: false });
    await writeFile(join(directory, 'kernels/softmax/softmax.cpp'), '// mine\n');
    const again = await initProject({ directory, device: 'cpu', force: false });
    expect(again.written).toEqual([]);
    expect(again.kept).toHaveLength(4);
    expect(await readFile(join(directory, 'kernels/softmax/softmax.cpp'), 'utf8')).toBe('// mine\n');
  });

  it('adds no example beside a pawl.yaml of the user', async () => {
    const directory = await emptyFolder();
    await writeFile(join(directory, 'pawl.yaml'), 'version: 1\n');
    expect(await initProject({ directory, device: 'cpu', force: false })).toMatchObject({
      written: ['.gitignore'],
      kept: ['pawl.yaml'],
    });
    expect(await readFile(join(directory, 'pawl.yaml'), 'utf8')).toBe('version: 1\n');
  });

  it('overwrites when forced', async () => {
    const directory = await emptyFolder();
    await writeFile(join(directory, 'pawl.yaml'), 'version: 1\n');
    const { written } = await initProject({ directory, device: 'cpu', force: true });
    expect(written).toContain('pawl.yaml');
    await loadConfig(directory);
  });

  it('adds one line to a .gitignore, once', async () => {
    const directory = await emptyFolder();
    await writeFile(join(directory, '.gitignore'), 'build');
    await initProject({ directory, device: 'cpu', force: true });
    await initProject({ directory, device: 'cpu', force: true });
    expect(await readFile(join(directory, '.gitignore'), 'utf8')).toBe('build\n.pawl/\n');
  });

  it('says what is in the way', async () => {
    const directory = await emptyFolder();
    await writeFile(join(directory, 'kernels'), '');
    await expect(initProject({ directory, device: 'cpu', force: true })).rejects.toMatchObject({
      name: 'PawlError',
      kind: 'usage',
    });
  });

  it.skipIf(process.getuid?.() === 0)('says that it may not write', async () => {
    const directory = await emptyFolder();
    await chmod(directory, 0o500);
    await expect(initProject({ directory, device: 'cpu', force: false })).rejects.toMatchObject({
      kind: 'permission',
    });
  });

  it('chooses a device by itself', async () => {
    const { device } = await initProject({ directory: await emptyFolder(), device: 'auto', force: false });
    expect(['cpu', 'cuda']).toContain(device);
  });
});

describe('the example for the CPU', () => {
  it('computes what its oracle computes, in each kind of variant', async () => {
    const directory = await emptyFolder();
    await initProject({ directory, device: 'cpu', force: false });
    const plan = planKernel(await loadConfig(directory), 'softmax-cpu');
    const oracle = plan.oracle !== undefined && 'source' in plan.oracle ? plan.oracle.source : '';
    const checker = new URL('../fixtures/config/check-softmax.cpp', import.meta.url).pathname;
    for (const variant of [plan.variant, { BLOCK: 64, LANES: 8 }, { BLOCK: 1024, LANES: 1 }]) {
      const program = join(directory, 'check');
      const warnings = ['-Wall', '-Wextra', '-Werror'];
      const args = ['-std=c++17', '-O2', ...warnings, `-I${include}`, ...defines(variant), '-o', program];
      await compile('g++', [...args, checker, oracle, ...plan.sources]);
      const run = await runCommand(program, [], { timeout_ms: 60_000 });
      expect(run).toMatchObject({ status: 'exited', code: 0, stdout: '' });
    }
  });

  it('has an oracle that can be asked whether this machine can judge', async () => {
    const directory = await emptyFolder();
    await initProject({ directory, device: 'cpu', force: false });
    const asked = { config: directory, oracleOnly: true, wait_s: 600 };
    expect((await fuzz(asked)).report.kernels).toMatchObject([{ state: 'passed' }]);
    const oracle = join(directory, 'kernels/softmax/oracle.cpp');
    const text = await readFile(oracle, 'utf8');
    await writeFile(oracle, text.replace('int pawl_reference(', 'int another_name('));
    const without = JSON.stringify(await fuzz(asked).catch((error: unknown) => String(error)));
    expect(without).toContain('the library has no function pawl_reference');
    expect(without).not.toContain('library.so has');
  });

  it('has tunables that each change the machine code', async () => {
    const directory = await emptyFolder();
    await initProject({ directory, device: 'cpu', force: false });
    const plan = planKernel(await loadConfig(directory), 'softmax-cpu');
    const variants = [plan.variant, ...neighbours(plan, { BLOCK: [64], LANES: [4] })];
    const objects = await Promise.all(
      variants.map(async (variant, index) => {
        const object = join(directory, `${index}.o`);
        await compile('g++', [
          '-std=c++17',
          ...plan.flags,
          `-I${include}`,
          ...defines(variant),
          '-c',
          '-o',
          object,
          ...plan.sources,
        ]);
        return sha256(object);
      }),
    );
    expect(new Set(objects).size).toBe(variants.length);
  });
});

const hasNvcc = (await runCommand('nvcc', ['--version'], { timeout_ms: 20_000 })).status === 'exited';

describe.skipIf(!hasNvcc)('the example for CUDA', () => {
  it('compiles without a warning, and its tunables each change the machine code', async () => {
    const directory = await emptyFolder();
    await initProject({ directory, device: 'cuda', force: false });
    const plan = planKernel(await loadConfig(directory), 'softmax-cuda');
    const variants = [plan.variant, ...neighbours(plan, { THREADS: [64], UNROLL: [1] })];
    const cubins: string[] = [];
    for (const [index, variant] of variants.entries()) {
      const cubin = join(directory, String(index), 'softmax.cubin');
      await mkdir(dirname(cubin));
      const args = ['-std=c++17', '-O3', '-arch=sm_90', '-Werror', 'all-warnings', `-I${include}`];
      await compile('nvcc', [...args, ...defines(variant), '-cubin', '-o', cubin, ...plan.sources]);
      cubins.push(await sha256(cubin));
    }
    expect(new Set(cubins).size).toBe(variants.length);
  });
});
