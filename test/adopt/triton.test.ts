import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { tritonSpace } from '../../src/adopt/python/triton-space.ts';
import type { TritonConfig, TritonHost } from '../../src/adopt/python/inspection.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { spaceOfKernel } from '../../src/tune/space/space-of-kernel.ts';
import { adopt } from '../../src/workflows/adopt.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/adopt/triton');
const RUNNER = resolve(import.meta.dirname, '../../runner/python');

async function folderWith(...names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-triton-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of names) await cp(join(FIXTURES, name), join(folder, name));
  return folder;
}

const KERNEL = `
@triton.jit
def _k(x, BLOCK: tl.constexpr):
    pass
def f(x):
    return _k[(1,)](x)
`;
const IMPORTS = 'import itertools, torch, triton\nimport triton.language as tl\nfrom triton import Config\n';
const source = (lines: string, expression: string, after = ''): string =>
  `${IMPORTS}${lines}\n@triton.autotune(${expression}, key=[])${KERNEL}${after}`;

/** What is read off texts, in one process; the sandbox around it is tested with `pawl adopt`. */
function autotuneOf(texts: readonly string[]): { configs: unknown[] | null; unknown: string | null }[] {
  const script = `import ast, json, sys
sys.path.insert(0, sys.argv[1])
from pawl_inspect_triton import TritonFile
texts = json.load(sys.stdin)
print(json.dumps([TritonFile(ast.parse(text), text).look()["kernels"][0]["autotune"] for text in texts]))`;
  const said = execFileSync('python3', ['-B', '-c', script, RUNNER], {
    encoding: 'utf8',
    input: JSON.stringify(texts),
  });
  return JSON.parse(said) as ReturnType<typeof autotuneOf>;
}

describe('configurations of an autotuner', () => {
  const READ: [string, string, string, number][] = [
    ['a list', '', 'configs=[triton.Config({"BLOCK": 64}, num_warps=4), Config({"BLOCK": 128}, 8)]', 2],
    ['a comprehension', '', '[Config({"BLOCK": b * 2}) for b in (16, 32) if b > 16]', 1],
    [
      'a product',
      '',
      '[Config({"BLOCK": b}, num_stages=s) for b, s in itertools.product([1, 2], range(3))]',
      6,
    ],
    ['a loop', 'CS = []\nfor b in [64, 128]:\n    CS.append(Config({"BLOCK": b}))', 'CS', 2],
    ['a sum of lists', 'A = [Config({"BLOCK": 1})]', 'A + [Config({"BLOCK": 2})]', 2],
    [
      'a function',
      'def all():\n    few = [1, 2]\n    return [Config({"BLOCK": b}) for b in few]',
      'all()',
      2,
    ],
    [
      'a filter',
      'C = [Config({"BLOCK": b}) for b in range(4)]',
      'list(filter(lambda c: c.kwargs["BLOCK"] > 1, C))',
      2,
    ],
    ['what was set before', 'C = [Config({"BLOCK": 1})]', 'C', 1],
  ];
  const read = autotuneOf(READ.map(([, lines, expression]) => source(lines, expression)));
  it.each(READ.map(([what, , , count], at) => [what, count, read[at]!] as const))(
    'are read off %s',
    (_, count, { configs, unknown }) => {
      expect(unknown).toBeNull();
      expect(configs).toHaveLength(count);
    },
  );

  it('are those of the place of the decorator, not of what the file does later', () => {
    const [found] = autotuneOf([source('C = [Config({"BLOCK": 1})]', 'C', 'C = []\nC.append(3)\n')]);
    expect(found!.configs).toEqual([{ BLOCK: 1 }]);
  });

  it('have the options that one of them names', () => {
    const [found] = autotuneOf([source('', '[Config({"BLOCK": 1}), Config({"BLOCK": 2}, num_warps=8)]')]);
    expect(found!.configs).toEqual([
      { BLOCK: 1, num_warps: 4 },
      { BLOCK: 2, num_warps: 8 },
    ]);
  });

  const UNKNOWN: [string, string, string, string][] = [
    [
      'what only the machine knows',
      '',
      '[Config({"BLOCK": torch.cuda.device_count()})]',
      'torch.cuda.device_count()',
    ],
    ['what another module has', 'import mine', 'mine.CONFIGS', 'mine.CONFIGS'],
    ['a name that is not set', '', 'NONE', '`NONE` is not set'],
    ['itself', 'A = A + [1]', 'A', 'depends on itself'],
    ['a billion values', '', '[Config({"BLOCK": b}) for b in range(10**9)]', 'more than 10000 items'],
    ['numbers without end', '', '[Config({"BLOCK": 9 ** 9 ** 9})]', 'too large'],
    ['a loop without end', 'def go(n):\n    return go(n + 1)', 'go(0)', 'too deep'],
    ['texts repeated', '', '[Config({"BLOCK": "a" * 10**12})]', 'has to be run'],
    ['what raises', '', '[Config({"BLOCK": 1 // 0})]', 'ZeroDivisionError'],
    ['other parameters each', '', '[Config({"A": 1}), Config({"B": 1})]', 'the same parameters'],
    ['tensors', '', '[Config({"BLOCK": [1]})]', 'not all numbers'],
    ['nothing', '', '[]', 'not a list of configurations'],
  ];
  const refused = autotuneOf(UNKNOWN.map(([, lines, expression]) => source(lines, expression)));
  it.each(UNKNOWN.map(([what, , , why], at) => [what, why, refused[at]!] as const))(
    'are not made up from %s',
    (_, why, { configs, unknown }) => {
      expect(configs).toBeNull();
      expect(unknown).toContain(why);
    },
  );
});

describe('the space of a Triton function', () => {
  const host = (over: Partial<TritonHost> = {}): TritonHost => ({
    name: 'f',
    line: 1,
    parameters: [],
    applied: false,
    returns: true,
    launches: [{ kernel: '_k', line: 1, literals: {} }],
    settings: {},
    left_out: [],
    ...over,
  });
  const kernel = (configs: TritonConfig[] | null, name = '_k') => ({
    name,
    line: 1,
    constants: [],
    autotune: configs === null ? null : { configs, unknown: null },
  });

  it('has one tunable for each parameter that changes, and the first configuration as the default', () => {
    const { kernels } = tritonSpace(
      {
        kernels: [
          kernel([
            { A: 128, B: 1, C: 'x' },
            { A: 64, B: 1, C: 'y' },
          ]),
        ],
      },
      host(),
      [],
    );
    expect(kernels[0]!.tunables).toEqual([
      { parameter: 'A', tunable: { name: 'A', values: [64, 128], default: 128 } },
      { parameter: 'C', tunable: { name: 'C', values: ['x', 'y'], default: 'x' } },
    ]);
    expect(kernels[0]!.listed).toBe('(A == 64 and C == "y") or (A == 128 and C == "x")');
  });

  it('needs no constraint where every combination is listed', () => {
    const all = [1, 2].flatMap((A) => [true, false].map((B) => ({ A, B })));
    expect(tritonSpace({ kernels: [kernel(all)] }, host(), []).kernels[0]).toMatchObject({
      listed: undefined,
      count: 4,
      product: 4,
    });
  });

  it('has nothing to tune with one configuration', () => {
    expect(tritonSpace({ kernels: [kernel([{ A: 1 }])] }, host(), []).kernels).toEqual([]);
  });

  it('tells tunables of two kernels, and dimensions of the same name, apart', () => {
    const launches = ['_k', '_l'].map((name) => ({ kernel: name, line: 1, literals: {} }));
    const configs = [{ N: 1 }, { N: 2 }];
    const { kernels } = tritonSpace(
      { kernels: [kernel(configs), kernel(configs, '_l')] },
      host({ launches }),
      ['N'],
    );
    expect(kernels.map(({ tunables }) => tunables[0]!.tunable.name)).toEqual(['k_N', 'l_N']);
  });

  it('has values around a number of the launch, where all launches have the same', () => {
    const launch = (literals: Record<string, number>) => ({ kernel: '_k', line: 1, literals });
    const space = (...launches: ReturnType<typeof launch>[]) =>
      tritonSpace({ kernels: [kernel(null)] }, host({ launches }), []).kernels.flatMap(
        ({ tunables }) => tunables,
      );
    expect(
      space(launch({ BLOCK: 64, num_warps: 1, num_stages: 5 })).map(({ tunable }) => tunable.values),
    ).toEqual([
      [32, 64, 128, 256],
      [1, 2],
      [1, 2, 3, 4, 5],
    ]);
    expect(space(launch({ BLOCK: 64 }), launch({ BLOCK: 128 }))).toEqual([]);
  });
});

describe('adopting a Triton file', () => {
  const shapes = { x: 'rows,cols', out: 'rows,cols' };

  it('takes the function that launches, with configurations as variants and its own reference as oracle', async () => {
    const folder = await folderWith('row_softmax.py');
    const report = await adopt({ path: folder, shapes });
    expect(report).toMatchObject({ entrance: 'triton', adopted: 'softmax', kernels: ['softmax-triton'] });
    expect(await readdir(folder)).toEqual(
      expect.arrayContaining(['pawl_softmax.py', 'oracle', 'pawl.yaml', 'row_softmax.py']),
    );
    const loaded = await loadConfig(folder);
    const plan = planKernel(loaded, 'softmax-triton');
    expect(plan).toMatchObject({ device: 'cuda', variant: { BLOCK: 512, num_warps: 2 } });
    const { size } = spaceOfKernel(loaded.config.kernels['softmax-triton']!, {
      cases: plan.cases,
      limits: {},
    });
    expect(size).toBe(7);
    const oracle = await readFile(join(folder, 'oracle/naive_softmax.py'), 'utf8');
    expect(oracle).toContain('def naive_softmax(x):');
    expect(oracle).not.toMatch(/triton|benchmark|plots/u);
    expect(report.assumed.map(({ about }) => about)).toEqual([
      'oracle',
      'tunables',
      'import',
      'sizes',
      'fill',
      'tolerance',
    ]);
  });

  it('says what it cannot read, and leaves the tuning to Triton then', async () => {
    const folder = await folderWith('computed.py');
    const { assumed, files } = await adopt({ path: folder, shapes: { x: 'n', out: 'n' } });
    expect(assumed.find(({ about }) => about === 'tunables')?.text).toContain(
      'torch.cuda.get_device_capability()',
    );
    expect(files.map(({ path }) => path)).not.toContain('pawl_double.py');
    expect(planKernel(await loadConfig(folder), 'double-triton').variant).toEqual({});
  });

  it.each([
    [
      'scaled_add',
      { scalars: { alpha: 0.5 }, shapes: { x: 'n', y: 'n', out: 'n' } },
      'adopted.scaled_add(x, alpha, y)',
    ],
    [
      'applied_add',
      { scalars: { alpha: 2 }, shapes: { x: 'n', y: 'n', out: 'n' } },
      'adopted.applied_add(x, alpha, y)',
    ],
    ['given_block', { shapes: { x: 'n', y: 'n', output: 'n' } }, 'adopted.given_block(x, y, out, block)'],
    ['add_in_place', { shapes: { x: 'n', y: 'n' }, inout: ['y'] }, 'adopted.add_in_place(x, y)'],
  ])('calls %s as it wants to be called', async (name, told, call) => {
    const folder = await folderWith('scaled_add.py');
    await adopt({ path: folder, function: name, ...told });
    expect(await readFile(join(folder, `pawl_${name}.py`), 'utf8')).toContain(call);
    await loadConfig(folder);
    for (const file of [`pawl_${name}.py`, `oracle/pawl_${name}_oracle.py`]) {
      execFileSync('python3', [
        '-B',
        '-c',
        'import ast, sys; ast.parse(open(sys.argv[1]).read())',
        join(folder, file),
      ]);
    }
  });

  it('offers no number that the grid depends on too', async () => {
    const folder = await folderWith('scaled_add.py');
    const asked = { path: folder, function: 'fixed_grid', shapes: { x: 'n', y: 'n', out: 'n' } };
    const { assumed } = await adopt({ ...asked, dryRun: true });
    expect(assumed.filter(({ about }) => about === 'tunables')).toEqual([]);
  });

  it.each([
    ['launches_itself.py', {}, 'bad-data', 'no function that launches them'],
    ['scaled_add.py', {}, 'usage', '5 functions that can be adopted'],
    ['scaled_add.py', { function: 'add_in_place' }, 'usage', 'does not return anything'],
    ['scaled_add.py', { function: 'scaled_add', inout: ['z'] }, 'usage', 'no parameter z'],
  ])('refuses %s %j', async (name, told, kind, message) => {
    const folder = await folderWith(name);
    await expect(adopt({ path: folder, ...told })).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(message),
    });
    expect(await readdir(folder)).toEqual([name]);
  });

  it('leaves what nobody told as TODO', async () => {
    const folder = await folderWith('computed.py');
    const { missing } = await adopt({ path: folder });
    expect(missing.map(({ name }) => name)).toEqual(['x', 'out']);
  });
});

/** Stands in for Triton, which needs a GPU: objects with the attributes that the wrappers use. */
const STAND_IN = `
import sys
sys.path.insert(0, sys.argv[1])
from types import SimpleNamespace
from pawl_candidate.triton_kernels import tuned
class Config:
    def __init__(self, kwargs, num_warps=4): self.kwargs, self.num_warps, self.pre_hook = kwargs, num_warps, "hook"
`;
const python = (script: string, ...args: readonly string[]): string =>
  execFileSync('python3', ['-B', '-c', script, RUNNER, ...args], { encoding: 'utf8' }).trim();

describe('a wrapper', () => {
  it('gives an autotuner one configuration at a time, and one that is not listed as the first changed', () => {
    const said = python(`${STAND_IN}
autotuner = SimpleNamespace(configs=[Config({"A": 1, "B": 5}, 2), Config({"A": 2, "B": 5}, 8)], cache={"shape": 1})
module = SimpleNamespace(kernel=SimpleNamespace(fn=autotuner))
kernel = tuned(module, "kernel")
for values in ({"A": 2, "num_warps": 8}, {"A": 7, "num_warps": 1}, {"A": 1, "num_warps": 2}):
    kernel.use(**values)
    [one] = autotuner.configs
    print(one.kwargs, one.num_warps, one.pre_hook, autotuner.cache)
`);
    expect(said.split('\n')).toEqual([
      "{'A': 2, 'B': 5} 8 hook {}",
      "{'A': 7, 'B': 5} 1 hook {}",
      "{'A': 1, 'B': 5} 2 hook {}",
    ]);
  });

  it('gives launches of a plain kernel its keywords', () => {
    const said = python(`${STAND_IN}
class Kernel:
    def __getitem__(self, grid): return lambda *a, **k: (grid, a, k)
module = SimpleNamespace(kernel=Kernel())
tuned(module, "kernel").use(BLOCK=64)
print(module.kernel["grid"](1, BLOCK=32, other=3))
`);
    expect(said).toBe("('grid', (1,), {'BLOCK': 64, 'other': 3})");
  });

  it('imports what a function needs, settings of modules, and nothing that computes', async () => {
    const folder = await folderWith();
    const file = join(folder, 'script.py');
    await writeFile(
      file,
      `import os, json
import nobody_has_this
from math import pi
os.environ["SETTING"] = "kept"
SIZE = json.loads("3")
SIZE += 1
print("imported")
def helper(x): return SIZE * x
def area(x): return helper(x) * pi
def tries(): return nobody_has_this.plot(area(1))
x = [area(i) for i in range(3)]
tries()
if __name__ == "__main__":
    raise SystemExit
`,
    );
    const said = python(
      `import sys, inspect; sys.path.insert(0, sys.argv[1])
from pawl_candidate.definitions import definitions_of
module = definitions_of(sys.argv[2], "area")
import os
print(module.area(1) > 12, hasattr(module, "x"), hasattr(module, "tries"), os.environ["SETTING"])
print(inspect.getsource(module.area).strip())`,
      file,
    );
    expect(said.split('\n')).toEqual(['True False False kept', 'def area(x): return helper(x) * pi']);
  });
});
