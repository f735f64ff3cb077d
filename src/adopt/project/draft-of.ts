import { basename, resolve } from 'node:path';

import { draftC, type PythonOracle } from '../c/draft-c.ts';
import { draftCuda } from '../c/draft-cuda.ts';
import { readSources } from '../c/read-sources.ts';
import type { Draft } from '../draft.ts';
import { draftPython } from '../python/draft-python.ts';
import { defaultLimits, inspector, type Inspector } from '../python/inspect.ts';
import { pathFrom } from '../python/modules.ts';
import type { PythonRequest } from '../python/python-request.ts';
import { adoptDefinition } from '../suites/adopt-definition.ts';
import { adoptTask } from '../suites/adopt-task.ts';
import { listGpus } from '../../device/gpus.ts';
import type { Entrance } from '../../model/reports/adopt-report.ts';
import { defined } from '../../model/defined.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { entranceOf } from './file-to-adopt.ts';

/** What a person said about the file. */
export interface Told {
  /** The function or class to adopt; needed where there are several. */
  readonly function?: string;
  /** An `nn.Module` of a Python file. */
  readonly class?: string;
  /** What it is built with: JSON, a list or a mapping. */
  readonly init?: string;
  /** Extents by tensor: `rows,cols`. */
  readonly shapes?: Readonly<Record<string, string>>;
  /** Tensors that are read and written. */
  readonly inout?: readonly string[];
  /** Sizes of the first case, by dimension. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Floating numbers beside the tensors, by parameter. */
  readonly scalars?: Readonly<Record<string, number>>;
  /** Integers of a C, C++ or CUDA function that are tunables, with their values. */
  readonly tunables?: Readonly<Record<string, readonly [number, ...number[]]>>;
  /** Pointers that are not to const, and only read. */
  readonly inputs?: readonly string[];
  /** Pointers to memory to work in, with their elements: a formula over the dimensions. */
  readonly workspaces?: Readonly<Record<string, string>>;
  /** A function of a CUDA file that is called once, before the first call. */
  readonly setup?: string;
  /** For the compiler. */
  readonly flags?: readonly string[];
  /** `FILE.py:NAME`: a Python function that says what is right. */
  readonly oracle?: string;
  /** How a `__global__` function is launched: formulas over the dimensions. */
  readonly grid?: string;
  readonly block?: string;
  readonly shared?: string;
  /** A solution beside a problem of a suite: a file with `ModelNew`, with `custom_kernel`, or in JSON. */
  readonly solution?: string;
  /** Workloads of a definition: a file of JSON lines. */
  readonly workload?: string;
  /** Default `auto`: CUDA where there is an NVIDIA GPU. */
  readonly device?: 'cpu' | 'cuda' | 'auto';
  /** How long code of the file may run while it is looked at. */
  readonly timeout_s?: number;
  readonly signal?: AbortSignal;
  /** What looks at Python files. Default: one that asks again each time. */
  readonly inspector?: Inspector;
}

/**
 * What the project would be.
 *
 * @param out its folder; undefined: a temporary one, from which files are named by their whole paths
 */
export async function draftOf(file: string, out: string | undefined, told: Told): Promise<Draft> {
  const entrance = entranceOf(file);
  const common = {
    named: basename(file),
    path: pathFrom({ out }, file),
    function: told.function,
    shapes: told.shapes ?? {},
    inout: told.inout ?? [],
    sizes: told.sizes ?? {},
    scalars: told.scalars ?? {},
  };
  refuseWhatDoesNotApply(entrance, told);
  if (entrance === 'python') {
    const look = inspectorOf(told);
    const solution = told.solution === undefined ? undefined : resolve(told.solution);
    const device = await deviceFor(told.device ?? 'auto');
    const built = { class: told.class, init: initOf(told) };
    return draftPython(
      { ...common, ...built, file, out, solution, device, oracle: oracleOf(told, out) },
      look,
    );
  }
  if (entrance === 'gpumode' || entrance === 'flashinfer') return suiteDraft(entrance, file, out, told);
  const { flags, grid, block, shared, tunables, inputs, workspaces, setup } = told;
  const native = {
    ...common,
    ...defined({ tunables, inputs, workspaces, setup }),
    sources: await readSources(file, flags),
    flags,
    oracle: oracleOf(told, out),
  };
  return entrance === 'c' ? draftC(native) : draftCuda({ ...native, grid, block, shared });
}

/** What is told of native functions only, or of CUDA only, is not silently left aside elsewhere. */
function refuseWhatDoesNotApply(entrance: Entrance, told: Told): void {
  const isNative = entrance === 'c' || entrance === 'cuda';
  const misplaced = (
    [
      ['--tunable', told.tunables, isNative, 'functions in C, C++ and CUDA'],
      ['--input', told.inputs, isNative, 'functions in C, C++ and CUDA'],
      ['--workspace', told.workspaces, entrance === 'cuda', 'functions in CUDA'],
      ['--setup', told.setup, entrance === 'cuda', 'functions in CUDA'],
    ] as const
  ).find(([, value, applies]) => value !== undefined && !applies);
  if (misplaced === undefined) return;
  const [option, , , where] = misplaced;
  const hint =
    option === '--tunable'
      ? 'Tunables of Triton kernels are read from the file; others are written into pawl.yaml as `tunables`.'
      : undefined;
  throw new PawlError('usage', `${option} is for ${where}.`, hint);
}

async function suiteDraft(
  entrance: 'gpumode' | 'flashinfer',
  file: string,
  out: string | undefined,
  told: Told,
): Promise<Draft> {
  const look = inspectorOf(told);
  const solution = told.solution === undefined ? undefined : resolve(told.solution);
  const workload = told.workload === undefined ? undefined : resolve(told.workload);
  const device = await deviceFor(told.device ?? 'auto');
  const request = { file, out, solution, workload, device, sizes: told.sizes ?? {} };
  return entrance === 'gpumode' ? adoptTask(request, look) : adoptDefinition(request);
}

export function inspectorOf(told: Told): Inspector {
  return told.inspector ?? inspector(defaultLimits(told.timeout_s), told.signal);
}

async function deviceFor(device: 'cpu' | 'cuda' | 'auto'): Promise<'cpu' | 'cuda'> {
  if (device !== 'auto') return device;
  return (await listGpus()).status === 'found' ? 'cuda' : 'cpu';
}

function oracleOf({ oracle }: Told, out: string | undefined): PythonOracle | undefined {
  if (oracle === undefined) return undefined;
  const colon = oracle.lastIndexOf(':');
  if (colon < 1 || colon === oracle.length - 1) {
    throw new PawlError(
      'usage',
      `--oracle ${oracle} does not name a function.`,
      'Give --oracle FILE.py:NAME',
    );
  }
  return { module: pathFrom({ out }, resolve(oracle.slice(0, colon))), function: oracle.slice(colon + 1) };
}

function initOf({ init }: Told): PythonRequest['init'] {
  if (init === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(init);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null) return value as PythonRequest['init'];
  throw new PawlError(
    'usage',
    `--init ${init} is not a JSON list or mapping.`,
    "Give --init '{\"in_features\": 256}', or --init '[256]'",
  );
}
