import { describe, expect, it } from 'vitest';

import {
  fittingSizes,
  formulasOf,
  freeSizes,
  proportionalSizes,
  viewFormulasOf,
  type FreeSize,
} from '../../src/adopt/python/free-sizes.ts';
import type { Called } from '../../src/adopt/python/inspection.ts';
import { draftFunction } from '../../src/adopt/python/draft-function.ts';
import { draftModule } from '../../src/adopt/python/draft-module.ts';
import { importLines, problemOf } from '../../src/adopt/python/modules.ts';
import { toldTensors } from '../../src/adopt/python/told-tensors.ts';

const called = (input: number[], output: number[], init = '[]', weights: number[][] = []): Called => ({
  ok: true,
  inputs: [{ dtype: 'f32', shape: input }],
  numbers: [],
  init,
  weights: weights.map((shape, at) => ({ name: `w${at}`, dtype: 'f32', shape })),
  outputs: [{ dtype: 'f32', shape: output }],
  call_s: null,
  random: false,
  doubles: true,
});
const tried = (name: string, value: number, other: number, result: Called): FreeSize => ({
  name,
  value,
  tried: other,
  called: result,
});

describe('constants of a file', () => {
  const base = called([16, 64, 8], [1024, 8], '[8]', [[8, 8]]);

  it('are free where only extents change, evenly', () => {
    const tries = [
      tried('batch', 16, 8, called([8, 64, 8], [512, 8], '[8]', [[8, 8]])),
      // The constructor gets it.
      tried('features', 8, 4, called([16, 64, 4], [1024, 4], '[4]', [[4, 4]])),
      // One more than it.
      tried('padded', 63, 31, called([16, 32, 8], [512, 8], '[8]', [[8, 8]])),
      // Nothing changes.
      tried('repeats', 5, 2, base),
      // Another rank.
      tried('rank', 3, 1, called([16, 64], [1024, 8], '[8]', [[8, 8]])),
    ];
    expect(freeSizes(base, tries).map(({ name }) => name)).toEqual(['batch']);
  });

  it('may be a few more or less than an extent', () => {
    const free = [
      tried('batch', 16, 8, called([8, 64, 8], [512, 8], '[8]', [[8, 8]])),
      tried('height', 66, 33, called([16, 31, 8], [1024, 8], '[8]', [[8, 8]])),
    ];
    expect(freeSizes(base, free)).toEqual(free);
    expect(formulasOf(base, free)).toEqual([
      ['batch', 'height - 2', '8'],
      ['8', '8'],
      ['64 * batch', '8'],
    ]);
    expect(proportionalSizes(base, free).map(({ name }) => name)).toEqual(['batch']);
    // An extent of two constants has to be their product.
    const both = [free[0]!, tried('height', 66, 33, called([16, 31, 8], [496, 8], '[8]', [[8, 8]]))];
    expect(freeSizes(base, both).map(({ name }) => name)).toEqual(['batch']);
    // Every second one: 63 and 62 have as many.
    const halved = tried('odd', 63, 31, called([16, 48, 8], [1024, 8], '[8]', [[8, 8]]));
    expect(freeSizes(base, [halved])).toEqual([]);
  });

  it('are factors of the extents', () => {
    const free = [
      tried('batch', 16, 8, called([8, 64, 8], [512, 8], '[8]', [[8, 8]])),
      tried('length', 32, 16, called([16, 32, 8], [512, 8], '[8]', [[8, 8]])),
    ];
    expect(formulasOf(base, free)).toEqual([
      ['batch', '2 * length', '8'],
      ['8', '8'],
      ['2 * batch * length', '8'],
    ]);
  });

  it('are factors of the strides of a view', () => {
    const view = (batch: number): Called => ({
      ...called([64, batch], [batch]),
      inputs: [{ dtype: 'f32', shape: [64, batch], strides: [1, 3 * 64], offset: 64 }],
    });
    const slice = (batch: number): Called => ({
      ...called([64, batch], [batch]),
      inputs: [{ dtype: 'f32', shape: [64, batch], strides: [2 * batch, 1], offset: batch }],
    });
    const sliced = [tried('batch', 16, 8, slice(8))];
    expect(freeSizes(slice(16), sliced)).toEqual(sliced);
    expect(viewFormulasOf(slice(16), sliced)[0]).toEqual(['2 * batch', '1', 'batch']);
    expect(viewFormulasOf(view(16), [tried('batch', 16, 8, view(8))])[0]).toEqual(['1', '192', '64']);
    expect(viewFormulasOf(base, [])[0]).toEqual([]);
    // A view in one size, and contiguous in another.
    expect(freeSizes(slice(16), [tried('batch', 16, 8, called([64, 8], [8]))])).toEqual([]);
  });

  it('are halved, the largest first, until they fit', () => {
    const bytes = ({ a = 1, b = 1 }: Readonly<Record<string, number>>) => a * b;
    expect(fittingSizes({ a: 64, b: 8 }, bytes, 1000)).toEqual({ a: 64, b: 8 });
    expect(fittingSizes({ a: 64, b: 8 }, bytes, 64)).toEqual({ a: 8, b: 8 });
    expect(fittingSizes({ a: 64, b: 3 }, bytes, 0)).toEqual({ a: 4, b: 3 });
    expect(fittingSizes({}, bytes, 0)).toEqual({});
  });
});

describe('tensors that are told', () => {
  const parameter = (name: string, has_default = false) => ({ name, has_default, by_name: false });
  const found = { name: 'f', line: 1, parameters: [parameter('x'), parameter('n'), parameter('axis', true)] };

  it('are parameters without a default, with their types; sizes are dimensions', () => {
    const { inputs, dims, sizes } = toldTensors(
      found,
      { x: 'n, 2 * n:f16' },
      { sizes: { n: 8 }, scalars: {} },
      'cpu',
    );
    expect(inputs).toEqual([{ name: 'x', role: 'input', dtype: 'f16', shape: ['n', '2 * n'] }]);
    expect([dims, sizes]).toEqual([['n'], { n: 8 }]);
  });

  it('are missing where nothing gives them a value', () => {
    const { inputs } = toldTensors(found, { x: 'rows' }, { sizes: {}, scalars: {} }, 'cpu');
    expect(inputs.map(({ name, shape }) => [name, shape])).toEqual([
      ['x', ['rows']],
      ['n', undefined],
    ]);
  });

  it('are not asked for where a scalar has their name', () => {
    const { inputs } = toldTensors(found, { x: 'rows' }, { sizes: {}, scalars: { n: 0.5 } }, 'cpu');
    expect(inputs.map(({ name }) => name)).toEqual(['x']);
  });

  it.each([
    [{ y: '4' }, 'f has no parameter y'],
    [{ x: '4:f8' }, 'Unknown type of x: f8'],
    [{ x: '4,' }, 'is invalid at'],
  ])('refuse %j', (shapes, message) => {
    expect(() => toldTensors(found, shapes, { sizes: {}, scalars: {} }, 'cpu')).toThrow(message);
  });
});

describe('modules', () => {
  it('are imported whatever their names, from wherever the project is', () => {
    expect(importLines({ out: '/a' }, '/a/19_ReLU.py', 'problem')).toContain(
      'importlib.import_module("19_ReLU")',
    );
    expect(importLines({ out: '/a' }, '/a/19_ReLU.py', 'problem')).not.toContain('sys.path');
    expect(importLines({ out: '/a/b' }, '/a/x.py', 'problem')).toContain('os.path.abspath(__file__)), "..")');
    expect(importLines({ out: undefined }, '/a/x.py', 'problem')).toContain('sys.path.insert(0, "/a")');
  });

  it.each([
    ['/a/19_ReLU.py', 'ReLU'],
    ['/a/1.py', 'problem'],
    ['/a/my kernel.py', 'my_kernel'],
  ])('%s is the problem %s', (file, name) => {
    expect(problemOf(file)).toBe(name);
  });
});

describe('what is adopted under torch.compile', () => {
  const told = {
    inputs: [{ name: 'x', role: 'input', dtype: 'f32', shape: ['rows', '8'] }],
    outputs: [{ name: 'out', role: 'output', dtype: 'f32', shape: ['rows', '8'] }],
    dims: ['rows'],
    sizes: { rows: 4 },
    scalars: {},
  } as const;
  const request = {
    out: '/a',
    file: '/a/net.py',
    function: undefined,
    class: undefined,
    init: { width: 8 },
    shapes: {},
    inout: [],
    sizes: {},
    scalars: {},
    solution: undefined,
    oracle: undefined,
    device: 'cuda',
    candidates: [],
    copies: [],
  } as const;
  const parameters = [{ name: 'x', has_default: false, by_name: false }];
  const found = { name: 'Net', line: 1, forward: parameters, init: [], is_module: true };
  const study = { weights: [], outputs: told.outputs, doubles: true };

  it('is a second kernel of a class, where PyTorch has it', () => {
    const draft = draftModule({ ...request, found, told, study: { ...study, versions: { torch: '2.4.1' } } });
    expect(draft.kernels.map(({ name }) => name)).toEqual(['Net-python', 'compiled']);
    const lines = draft.kernels[1]!.lines.map(({ key, value }) => `${key}: ${value}`);
    expect(lines).toEqual(
      expect.arrayContaining([
        'module: pawl_Net_compiled.py',
        'function: Compiled',
        'init: { module: pawl_Net.py, function: init }',
      ]),
    );
    const { text } = draft.files.find(({ path }) => path === 'pawl_Net_compiled.py')!;
    expect(text).toContain('problem = importlib.import_module("pawl_Net")\n');
    expect(text).toContain(
      'class Compiled(problem.Net):\n    forward = torch.compile(problem.Net.forward)\n',
    );
  });

  it('is not there before PyTorch 2, and that is said', () => {
    const draft = draftModule({
      ...request,
      found,
      told,
      study: { ...study, versions: { torch: '1.13.0' } },
    });
    expect(draft.kernels).toHaveLength(1);
    expect(draft.assumed.at(-1)?.text).toContain(
      'no kernel for torch.compile, which needs PyTorch 2.0: this is 1.13.0',
    );
  });

  it.each([
    [true, 'function: Net, init:'],
    [false, 'function: Net, precision: own, init:'],
  ])('a class that works on double precision, or does not, is its oracle: %s', (doubles, wanted) => {
    const draft = draftModule({ ...request, found, told, study: { ...study, doubles, versions: {} } });
    expect(draft.lines.find(({ key }) => key === 'oracle')?.value).toContain(wanted);
  });

  it('is a second kernel of a function, which keeps its parameters', () => {
    const tensors = [...told.inputs, ...told.outputs];
    const common = { ...request, tensors, dims: told.dims, told: {}, makesInputs: false, seesOutputs: true };
    const named = { ...common, function: { name: 'scaled', parameters } };
    const draft = draftFunction({ ...named, versions: { torch: '2.4.1' } });
    expect(draft.kernels.map(({ name }) => name)).toEqual(['scaled-python', 'compiled']);
    const { path, text } = draft.files[0]!;
    expect(path).toBe('pawl_scaled_compiled.py');
    expect(text).toContain('problem = importlib.import_module("net")\n');
    expect(text).toContain(
      '_compiled = torch.compile(problem.scaled)\n\n\n@functools.wraps(problem.scaled)\ndef scaled(*given, **named):\n    return _compiled(*given, **named)\n',
    );
    expect(draftFunction({ ...named, versions: {} }).kernels).toHaveLength(1);
  });
});
