import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, describe, expect, test } from 'vitest';

import type { Code } from '../../src/model/measure/protocol.ts';
import type { TensorSpec } from '../../src/model/problem/tensor.ts';
import type { RawClient } from '../contract/raw-client.ts';
import {
  openRequest,
  prepareRequest,
  rowsum,
  sampleRequest,
  tensor,
} from '../contract/runner-conformance.ts';
import { judgesForPython } from './judges-for-python.ts';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURES = join(ROOT, 'test/fixtures/python-kernels');
const CONFORMANCE = join(ROOT, 'test/fixtures/conformance');
const ROWSUM_ORACLE: Code = { module: join(CONFORMANCE, 'kernels.py'), function: 'rowsum_oracle' };

const start = judgesForPython();

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

function fixture(file: string, name = 'rowsum'): Code {
  return { module: join(FIXTURES, file), function: name };
}

async function prepared(kernel: Code, problem: object = rowsum(3, 4)): Promise<RawClient> {
  const client = start();
  await client.result(openRequest(client, kernel));
  await client.result({ op: 'prepare', ...problem });
  return client;
}

function check(oracle: Code = ROWSUM_ORACLE, tolerance = 1e-4) {
  return { op: 'check', oracle, atol: tolerance, rtol: tolerance, seed: '5' } as const;
}

function hasModule(name: string): boolean {
  const found = `import importlib.util; print(importlib.util.find_spec("${name}") is not None)`;
  return execFileSync('python3', ['-c', found], { encoding: 'utf8' }).trim() === 'True';
}

async function compileOracle(name: string): Promise<Code> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-oracle-'));
  folders.push(folder);
  const library = join(folder, `${name}.so`);
  const source = join(CONFORMANCE, 'oracles.cpp');
  const args = [
    '-shared',
    '-fPIC',
    '-I',
    join(ROOT, 'runner/include'),
    `-DORACLE=${name}`,
    source,
    '-o',
    library,
  ];
  await promisify(execFile)('g++', args);
  return { library };
}

describe('loading', () => {
  test('a module that imports what is not installed is told with the module, the interpreter and the remedy', async () => {
    const client = start();
    const failure = await client.failure(openRequest(client, fixture('needs_absent_module.py')));
    expect(failure.code).toBe('module-missing');
    expect(failure.message).toMatch(
      /needs_absent_module\.py needs the Python module a_module_nobody_has, which \S+ does not have; install it with `\S+ -m pip install a_module_nobody_has`/,
    );
  });

  test('an import that fails only inside the call is told the same way', async () => {
    const client = await prepared(fixture('imports_late.py'));
    const failure = await client.failure(sampleRequest('cold', 1));
    expect(failure.code).toBe('module-missing');
    expect(failure.message).toContain('another_module_nobody_has');
  });

  test.each([
    ['syntax_error.py', /SyntaxError: .* \(syntax_error\.py:2\)/],
    ['raises_on_import.py', /ZeroDivisionError: division by zero \(raises_on_import\.py:1\)/],
  ])('%s is refused with the line that is wrong', async (file, text) => {
    const client = start();
    const failure = await client.failure(openRequest(client, fixture(file)));
    expect(failure.code).toBe('load-failed');
    expect(failure.message).toMatch(text);
  });

  test('modules beside the kernel are found, whatever the runner calls its own', async () => {
    const client = await prepared(fixture('siblings/kernel.py'));
    expect((await client.result(check())).passed).toBe(true);
  });

  test('a kernel is what its sources say, not what compiled files beside them do', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-sources-'));
    folders.push(folder);
    const wrong = 'def total(x): return 0 * x.sum(axis=1)\n';
    const right = 'def total(x): return x.sum(axis=1)\n';
    await writeFile(join(folder, 'helper.py'), wrong);
    await writeFile(join(folder, 'kernel.py'), `def rowsum(x): return 0 * x.sum(axis=1)\n${right}`);
    // Never compared with the source by Python itself.
    const compile =
      'import py_compile, sys\nfor file in sys.argv[1:]: py_compile.compile(file, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)';
    const files = ['helper.py', 'kernel.py'].map((name) => join(folder, name));
    await promisify(execFile)('python3', ['-c', compile, ...files]);
    await writeFile(join(folder, 'helper.py'), right);
    await writeFile(join(folder, 'kernel.py'), 'import helper\ndef rowsum(x): return helper.total(x)\n');
    const client = await prepared({ module: join(folder, 'kernel.py'), function: 'rowsum' });
    expect((await client.result(check())).passed).toBe(true);
  });

  test('installed packages are not compiled at every start', async () => {
    const client = await prepared(fixture('lists_compiled.py', 'rowsum'));
    expect((await client.result(check())).passed).toBe(true);
  });

  test.skipIf(hasModule('torch'))(
    'without PyTorch, framework = "torch" names PyTorch as missing',
    async () => {
      const client = start();
      const failure = await client.failure(openRequest(client, fixture('wants_torch.py')));
      expect(failure.code).toBe('module-missing');
      expect(failure.message).toMatch(/needs the Python module torch, .* -m pip install torch/);
    },
  );

  test.skipIf(hasModule('torch'))('without PyTorch, CUDA names it as missing, too', async () => {
    // The candidate's part alone: a judge with CUDA needs a GPU.
    const load = [
      'import json, sys',
      'sys.path.insert(0, sys.argv[1])',
      'from pawl_candidate.failure import Failure',
      'from pawl_candidate.kernel import Kernel',
      'try: Kernel(print).load({**json.loads(sys.argv[2]), "device_index": 0})',
      'except Failure as failure: print(failure.code, failure.message)',
    ];
    const args = [join(ROOT, 'runner/python'), JSON.stringify(fixture('returns.py'))];
    const { stdout } = await promisify(execFile)('python3', ['-B', '-c', load.join('\n'), ...args]);
    expect(stdout).toMatch(/^module-missing .* needs the Python module torch, .* -m pip install torch/);
  });

  test('a judge without CUDA names the one that has it', async () => {
    const client = start();
    const failure = await client.failure({ ...openRequest(client, fixture('returns.py')), device: 'cuda' });
    expect(failure).toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('pawl-judge-cuda') as string,
    });
  });
});

describe('calling', () => {
  const tunables = { variant: { TILE: 16, FAST: true } };

  test.each(['dims_and_tunables', 'everything', 'neither'])(
    'dims and tunables reach the parameters that bear their names: %s',
    async (name) => {
      const client = await prepared(fixture('parameters.py', name), { ...rowsum(3, 4), ...tunables });
      expect((await client.result(check())).passed).toBe(true);
    },
  );

  test('a parameter that is no dim and no tunable is refused when the case is prepared', async () => {
    const client = start();
    await client.result(openRequest(client, fixture('parameters.py', 'unknown')));
    const failure = await client.failure(rowsum(3, 4));
    expect(failure.code).toBe('kernel-failed');
    expect(failure.message).toContain("missing a required argument: 'WIDTH'");
  });

  test.each(['two_outputs', 'two_returned'])(
    'two outputs are compared in declared order: %s',
    async (name) => {
      const outputs: TensorSpec[] = [tensor('sums', 'output', [3]), tensor('largest', 'output', [3])];
      const problem = prepareRequest({ R: 3, C: 4 }, [tensor('x', 'input', [3, 4]), ...outputs]);
      const client = await prepared(fixture('parameters.py', name), problem);
      const result = await client.result(check(fixture('parameters.py', 'two_oracle')));
      expect(result).toMatchObject({ passed: true, tensors: [{ name: 'sums' }, { name: 'largest' }] });
    },
  );

  test.each([
    ['wrong_shape', 'wrong_shape returned s as f32[4]; f32[3] is declared'],
    ['wrong_dtype', 'wrong_dtype returned s as f64[3]; f32[3] is declared'],
    ['too_many', 'too_many returned 2 outputs where 1 are declared'],
    ['a_list_of_floats', 'a_list_of_floats returned 3 outputs where 1 are declared'],
    ['nothing', 'nothing returned builtins.NoneType for s where a NumPy array was due'],
    ['a_subclass', '.Odd for s where a NumPy array was due'],
    ['a_list_that_computes', 'a_list_that_computes returned 0 outputs where 1 are declared'],
    ['a_number_of_its_own', '.Number for s where a NumPy array was due'],
    ['leaves', 'the kernel leaves raised SystemExit: 3 (returns.py:'],
    [
      'deep',
      'the kernel deep raised numpy.linalg.LinAlgError: Last 2 dimensions of the array must be square (returns.py:',
    ],
  ])('%s fails in words', async (name, message) => {
    const client = await prepared(fixture('returns.py', name));
    for (const request of [check(), sampleRequest('hot', 1)]) {
      const failure = await client.failure(request);
      expect(failure.code).toBe('kernel-failed');
      expect(failure.message).toContain(message);
    }
  });

  test('the kernel runs on as many CPUs and library threads as it was given', async () => {
    const client = await prepared(fixture('environment.py'));
    await client.result({ op: 'profile', launches: 1 });
    await client.result({ op: 'quit' });
    await client.ended;
    expect(client.printed).toContain('cpus 1 threads 1');
  });

  test("a kernel that patches Python's clock, JSON and signatures changes neither times nor answers", async () => {
    const client = start();
    const opened = await client.result(openRequest(client, fixture('patches.py')));
    expect(opened.versions).toHaveProperty('numpy');
    await client.result(rowsum(3, 4));
    const checked = await client.result(check(fixture('patches.py', 'rowsum_oracle')));
    expect(checked).toMatchObject({ passed: true, tampering: [], tensors: [{ mismatches: 0 }] });
    const { samples_ms, tampering } = await client.result(sampleRequest('hot', 3));
    expect(tampering).toEqual([]);
    expect(Math.min(...samples_ms)).toBeGreaterThan(1e-5);
  });

  test('a failure keeps its words where the kernel patched JSON', async () => {
    const client = await prepared(fixture('patches.py', 'fails'));
    const failure = await client.failure(sampleRequest('cold', 1));
    expect(failure.code).toBe('kernel-failed');
    expect(failure.message).toContain('the kernel fails raised ValueError: as it should (patches.py:');
  });
});

describe('guards on what a function returns', () => {
  test('an output that lies in the memory of an input is found', async () => {
    const client = await prepared(fixture('returns.py', 'its_input'));
    const aliased = { detector: 'aliased-output', tensor: 's' };
    const wrong = { detector: 'wrong-result', tensor: 's' };
    expect(await client.result(check())).toMatchObject({ passed: false, tampering: [aliased, wrong] });
    expect(await client.result(sampleRequest('cold', 2))).toMatchObject({ tampering: [aliased] });
  });

  test('an element that is left as the allocator gave it is found', async () => {
    const client = await prepared(fixture('returns.py', 'partly_written'));
    const result = await client.result(check());
    expect(result).toMatchObject({
      passed: false,
      tampering: [
        { detector: 'unwritten-output', tensor: 's' },
        { detector: 'wrong-result', tensor: 's' },
      ],
    });
  });
});

describe('oracles', () => {
  test('a native oracle judges a Python kernel', async () => {
    const oracle = await compileOracle('rowsum_oracle');
    const right = await prepared({ module: join(CONFORMANCE, 'kernels.py'), function: 'rowsum' });
    expect(await right.result(check(oracle))).toMatchObject({ passed: true, oracle: 'rowsum_oracle.so' });
    const wrong = await prepared({ module: join(CONFORMANCE, 'kernels.py'), function: 'wrong' });
    expect(await wrong.result(check(oracle))).toMatchObject({ passed: false, tensors: [{ mismatches: 1 }] });
  });

  test('a native oracle gets integers as integers, 64 bits wide', async () => {
    const dtype = 'i64';
    const fill = {
      kind: 'integers',
      low: Number.MAX_SAFE_INTEGER - 9,
      high: Number.MAX_SAFE_INTEGER,
    } as const;
    const tensors = [tensor('x', 'input', [9], { dtype, fill }), tensor('y', 'output', [9], { dtype })];
    const client = await prepared(
      { module: join(CONFORMANCE, 'kernels.py'), function: 'copy' },
      prepareRequest({ N: 9 }, tensors),
    );
    expect(await client.result(check(await compileOracle('copy_oracle'), 0))).toMatchObject({ passed: true });
  });

  test.each([0, 1])('NumPy attention is right, causal %i', async (causal) => {
    const shape = [2, 3, 17, 8];
    const tensors = ['q', 'k', 'v'].map((name) =>
      tensor(name, 'input', shape, { fill: { kind: 'normal', mean: 0, std: 4 } }),
    );
    const problem = prepareRequest({ B: 2, H: 3, S: 17, D: 8, CAUSAL: causal }, [
      ...tensors,
      tensor('o', 'output', shape),
    ]);
    const kernel = {
      module: join(ROOT, 'kernels/attention/python/numpy_attention.py'),
      function: 'attention',
    };
    const client = await prepared(kernel, problem);
    expect(await client.result(check(fixture('naive_attention.py', 'attention')))).toMatchObject({
      passed: true,
    });
  });
});

describe('a function with numbers between its tensors', () => {
  const problem = {
    ...prepareRequest({ N: 50 }, [
      tensor('x', 'input', [50]),
      tensor('y', 'input', [50]),
      tensor('out', 'output', [50]),
    ]),
    scalars: [{ name: 'scale', dtype: 'f64', value: 0.5 }],
  };

  test.each(['scaled_difference', 'shadows'])('is called with each at its place: %s', async (name) => {
    const client = await prepared(fixture('numbers_between.py', name), problem);
    const checked = await client.result(check(fixture('numbers_between.py', 'oracle')));
    expect(checked).toMatchObject({ passed: true });
  });
});
