import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { runCommand } from '../../src/os/run-command.ts';
import { doubledYaml, pawl } from '../e2e/pawl-cli.ts';

const PACKAGES = join(import.meta.dirname, '..', '..', 'runner', 'python');

/** What a few lines of Python print, which find Pawl's packages. */
async function python(lines: string, input = ''): Promise<unknown> {
  const text = `import json, sys\nsys.path.insert(0, ${JSON.stringify(PACKAGES)})\n${lines}`;
  const run = await runCommand('python3', ['-B', '-c', text], { input, timeout_ms: 120_000 });
  if (run.status !== 'exited' || run.code !== 0) throw new Error(JSON.stringify(run));
  return JSON.parse(run.stdout);
}

async function split(source: string): Promise<{ device: string; host: string } | { whole: string }> {
  return (await python(
    `from pawl_extension.split_cuda import split, Unsplittable
try:
    parts = split(sys.stdin.read())
    print(json.dumps({"device": parts.device, "host": parts.host}))
except Unsplittable as why:
    print(json.dumps({"whole": str(why)}))`,
    source,
  )) as { device: string; host: string } | { whole: string };
}

const SCALE = `#include <torch/types.h>
#include <cuda_runtime.h>
namespace {
constexpr int THREADS = 256;  // "{" in a comment
__device__ __forceinline__ float twice(float x) { return 2 * x; }
template <typename T, int N> static __global__ void __launch_bounds__(THREADS) scale(const T *x, T *y, long n) {
  const long i = long(blockIdx.x) * N + threadIdx.x;
  if (i < n) y[i] = twice(x[i]);
}
}
torch::Tensor run(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  if (x.numel() > 0)
    scale<float, THREADS><<<(x.numel() + THREADS - 1) / THREADS, THREADS>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
`;

describe('a CUDA file of a PyTorch extension in two parts', () => {
  it('has its kernels in one, without PyTorch, and its functions in the other, without kernels', async () => {
    const parts = await split(SCALE);
    if ('whole' in parts) throw new Error(parts.whole);
    expect(parts.device).toContain('y[i] = twice(x[i]);');
    expect(parts.device).toContain('(void)&scale<float, THREADS>;');
    expect(parts.device).not.toContain('torch');
    expect(parts.host).toContain('scale(const T *x, T *y, long n) ;');
    expect(parts.host).toContain(
      '__cudaPushCallConfiguration((x.numel() + THREADS - 1) / THREADS, THREADS) ? (void)0 : scale<float, THREADS>(',
    );
    expect(parts.host).not.toContain('twice');
    expect(parts.host).not.toContain('static');
  });

  it.each([
    ['device code that uses PyTorch', '__device__ float f(at::Half x) { return x; }'],
    ['a macro that launches', '#define GO k<<<1, 1>>>()\n'],
    ['a header of its own', '#include "own.h"\n'],
    ['a launch inside an expression', 'void f() { (k<<<1, 1>>>(), g()); }'],
    ['the end of the file', 'void f() {'],
  ])('is compiled whole where there is %s', async (why, source) => {
    expect(await split(source)).toEqual({ whole: why });
  });

  it('becomes one object with every symbol', async (context) => {
    const found = await runCommand('sh', ['-c', 'command -v nvcc && command -v g++'], { timeout_ms: 10_000 });
    if (found.status !== 'exited' || found.code !== 0) context.skip('there is no nvcc here');
    const folder = await mkdtemp(join(tmpdir(), 'pawl-extension-'));
    // In the place of PyTorch's: the same names, so that the parts are told apart in the same way.
    await mkdir(join(folder, 'torch'));
    await writeFile(
      join(folder, 'torch', 'types.h'),
      `#pragma once
namespace torch {
struct Tensor { float *data; long size; long numel() const { return size; } template <class T> T *data_ptr() const { return data; } };
inline Tensor empty_like(Tensor x) { return x; }
}
`,
    );
    await writeFile(join(folder, 'prefix.h'), '#include <torch/types.h>\n#include <cuda_runtime.h>\n');
    await writeFile(join(folder, 'scale.cu'), SCALE);
    const answer = await python(
      `import os, shutil, subprocess
from pawl_extension.flags import read_command
from pawl_extension.split_compile import compile_parts
folder = sys.stdin.read()
nvcc = os.path.realpath(shutil.which("nvcc"))
words = ["-I", folder, "-gencode=arch=compute_90,code=sm_90", "--compiler-options", "-fPIC", "-std=c++17"]
command = read_command([*words, "-c", folder + "/scale.cu", "-o", folder + "/scale.o"])
home = shutil.which("nvcc") if not os.path.isdir("/usr/local/cuda/include") else "/usr/local/cuda/bin/nvcc"
include = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(home))), "include")
compile_parts(command, home, ["g++", *command.host, "-isystem", include], folder + "/prefix.h")
print(json.dumps(subprocess.run(["nm", "-C", folder + "/scale.o"], capture_output=True, text=True).stdout))`,
      folder,
    );
    expect(answer).toMatch(/ T run\(torch::Tensor\)/u);
    expect(answer).not.toMatch(/ U .*scale/u);
  });
});

describe('the compilers that PyTorch starts', () => {
  it.each([
    ['--generate-dependencies-with-compile', '--dependency-output', 'x.o.d'],
    ['-MD', '-MF', 'x.o.d'],
  ])('are told about dependencies by %s', async (...words) => {
    const command = await python(
      `from pawl_extension.flags import read_command
command = read_command([*json.load(sys.stdin), "-ccbin", "/usr/bin/gcc", "-std=c++17", "-c", "x.cu", "-o", "x.o"])
print(json.dumps([command.source, command.output, command.depfile, command.host]))`,
      JSON.stringify(words),
    );
    expect(command).toEqual(['x.cu', 'x.o', 'x.o.d', ['-std=c++17']]);
  });

  it.each([
    ['the one that $CXX names', '/usr/bin/g++', '/usr/bin/g++'],
    ['none where $CXX is not GCC', '/usr/bin/clang++', null],
    ['none where $CXX has options', 'ccache /usr/bin/g++', null],
  ])('stand in front of %s', async (_, given, compiler) => {
    const wrapped = await python(
      `import os, tempfile
from pawl_extension.use import put_compilers
os.environ["CXX"] = given = sys.stdin.read()
with tempfile.TemporaryDirectory() as folder:
    put_compilers(folder)
    changed = os.environ["CXX"] != given
    print(json.dumps(open(os.environ["CXX"]).read().split()[-2] if changed else None))`,
      given,
    );
    expect(wrapped).toBe(compiler);
  });
});

describe('a candidate whose extensions are built', () => {
  const settled = `import os
from pawl_extension.use import use_compilers
given = json.load(sys.stdin)
os.environ.pop("TORCH_EXTENSIONS_DIR", None)
os.environ.update(given)
use_compilers()
print(json.dumps([os.environ["CXX"], os.environ.get("TORCH_EXTENSIONS_DIR"), os.getpid()]))`;

  it('has compilers in its scratch folder', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'pawl-scratch-1-'));
    const given = JSON.stringify({ PAWL_EXTENSION_HEADERS: scratch, TMPDIR: scratch, CXX: '/usr/bin/g++' });
    const [compiler] = (await python(settled, given)) as string[];
    expect(compiler).toBe(join(scratch, 'pawl-compilers', 'g++'));
  });

  it('takes what is kept, in a folder of its own, where it has no scratch folder', async () => {
    const top = await mkdtemp(join(tmpdir(), 'pawl-extension-'));
    const objects = await mkdtemp(join(tmpdir(), 'pawl-extension-'));
    const given = { PAWL_EXTENSION_HEADERS: top, PAWL_EXTENSION_OBJECTS: objects, TMPDIR: top };
    const asked = JSON.stringify({ ...given, CXX: '/usr/bin/g++' });
    expect(((await python(settled, asked)) as unknown[]).slice(0, 2)).toEqual(['/usr/bin/g++', null]);
    expect(await readdir(top)).toEqual([]);

    await writeFile(join(objects, 'a'.repeat(64)), 'an object');
    let last = '';
    // The second one removes what the first one left.
    for (let run = 0; run < 2; run += 1) {
      const [compiler, built, pid] = (await python(settled, asked)) as [string, string, number];
      const [folder, ...others] = await readdir(top);
      expect(others).toEqual([]);
      expect(folder).toMatch(new RegExp(`^pawl-scratch-${pid}-`));
      expect(folder).not.toBe(last);
      expect(compiler).toBe(join(top, folder!, 'pawl-compilers', 'g++'));
      expect(dirname(built)).toBe(join(top, folder!));
      last = folder!;
    }
  });
});

describe("PyTorch's headers", () => {
  it('are precompiled with options that name no file and run no program, and with no others', async () => {
    const judge = `from pawl_extension.headers import harmless
print(json.dumps([harmless([word]) for word in json.load(sys.stdin)]))`;
    const plain = [
      '-O3',
      '-std=c++17',
      '-DNDEBUG',
      '-DN=4',
      '-march=native',
      '-fopenmp',
      '-Wall',
      '-ffast-math',
    ];
    const others = [
      '-fplugin=x.so',
      '-include',
      '@x',
      '-B/tmp',
      '-wrapper',
      '-specs=x',
      '-Wl,-x',
      '-I/tmp',
      'x.o',
    ];
    expect(await python(judge, JSON.stringify(plain))).toEqual(plain.map(() => true));
    expect(await python(judge, JSON.stringify(others))).toEqual(others.map(() => false));
  });

  it('are made for the options that a module writes out, which is read and not run', async () => {
    const module = `raise SystemExit
load_inline(name="a", extra_cflags=["-O3"], extra_cuda_cflags=["-O3", "-gencode", "arch=compute_90,code=sm_90"])
cpp_extension.load("b", sources)
load_inline(name="c", extra_cflags=made_up())
load_inline(name="d", extra_cflags=[""])
`;
    const found = await python(
      `from pawl_extension.precompile import calls_of\nprint(json.dumps(calls_of(sys.stdin.read())))`,
      module,
    );
    expect(found).toEqual([
      { extra_cflags: ['-O3'], extra_cuda_cflags: ['-O3', '-gencode', 'arch=compute_90,code=sm_90'] },
      {},
      { extra_cflags: [] },
    ]);
  });
});

describe('what a candidate compiled', () => {
  it('is not compiled again, also where no headers are precompiled for it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-extension-'));
    await writeFile(join(folder, 'x.cpp'), 'int x() { return 7; }\n');
    const again = await python(
      `import os, subprocess
folder = sys.stdin.read()
objects = {"PAWL_EXTENSION_OBJECTS": folder + "/objects", "PAWL_EXTENSION_NEW_OBJECTS": folder + "/objects"}
def compile(program, output):
    words = [sys.path[0] + "/pawl_extension/compiler.py", "c++", program, "-c", folder + "/x.cpp", "-o", folder + "/" + output]
    return subprocess.run([sys.executable, "-B", *words], env={**os.environ, **objects}).returncode
with open(folder + "/no-compiler", "w") as file:
    file.write('#!/bin/sh\\n[ "$1" = --version ] && exec g++ --version\\nexit 9\\n')
os.chmod(folder + "/no-compiler", 0o755)
codes = [compile("g++", "first.o"), compile(folder + "/no-compiler", "second.o")]
os.remove(folder + "/objects/" + os.listdir(folder + "/objects")[0])
codes.append(compile(folder + "/no-compiler", "third.o"))
print(json.dumps([codes, open(folder + "/first.o", "rb").read() == open(folder + "/second.o", "rb").read()]))`,
      folder,
    );
    expect(again).toEqual([[0, 0, 9], true]);
  });

  it('is kept for kernels of the same contents, and nothing else that it leaves there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-extension-'));
    const object = 'a'.repeat(64);
    const kernel = `import os  # as torch.utils.cpp_extension does
made = os.path.join(os.environ["TMPDIR"], "pawl-compilers", "objects")
known = os.listdir(os.environ["PAWL_EXTENSION_OBJECTS"])
os.makedirs(made, exist_ok=True)
open(os.path.join(made, "${object}"), "w").write("first" if not known else "again")
open(os.path.join(made, "other"), "w").write("no key")
os.symlink("/etc/passwd", os.path.join(made, "${'b'.repeat(64)}"))
try:
    open(os.path.join(os.environ["PAWL_EXTENSION_OBJECTS"], "${'c'.repeat(64)}"), "w").write("poison")
except OSError:
    pass
def double(x):
    return 2 * x
`;
    await writeFile(join(folder, 'kernel.py'), kernel);
    await writeFile(join(folder, 'oracle.py'), 'def double(x):\n    return 2 * x\n');
    const kernels = [
      '  double: { problem: doubled, device: cpu, language: python, module: kernel.py, function: double }',
    ];
    await writeFile(
      join(folder, 'pawl.yaml'),
      doubledYaml('module: oracle.py, function: double', kernels, 'measure: { processes: 2, samples: 10 }'),
    );
    const { code, stderr } = await pawl(folder, 'bench', '--no-history', '--wait', '600', '--verified');
    expect(code, stderr).toBe(0);
    const cache = process.env['PAWL_CACHE_DIR'];
    if (cache === undefined) throw new Error('tests have a cache of their own');
    const kept = join(cache, 'extensions', 'objects');
    const mine: string[][] = [];
    for (const name of await readdir(kept)) {
      const files = await readdir(join(kept, name));
      if (files.includes(object)) mine.push([name, ...files]);
    }
    const [[name, ...files] = []] = mine;
    expect(files).toEqual([object]);
    expect(await readFile(join(kept, name!, object), 'utf8')).toBe('first');
  });
});
