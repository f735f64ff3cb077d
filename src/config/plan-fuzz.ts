import { VALUE_KINDS } from '../model/problem/fuzz-case.ts';
import type { Expression } from './expression/expression.ts';
import { constantFill } from './fill-schema.ts';
import type { CaseDims, FuzzDimSetting, FuzzSettings } from './fuzz-schema.ts';
import { allows, FuzzSpace, matrixCases } from './fuzz-space.ts';
import type { FuzzDim, FuzzInput, NamedDims } from './fuzz-space.ts';
import type { Kernel } from './kernel-schema.ts';
import type { LoadedConfig } from './load-config.ts';
import { pick } from './plan-kernel.ts';
import { integerRange } from '../model/problem/tensor.ts';
import type { Problem, Tensor } from './problem-schema.ts';
import type { Scalar } from './scalars-schema.ts';
import { casesOf } from './under-judge.ts';

/** exp overflows f32 beyond 88.7: products of two such numbers, summed over a row of 64 and scaled, go far beyond. */
const DEFAULT_HUGE = 30;

/** What a check takes a fraction of a second for: an oracle does about 10 (CPU) and 1000 (CUDA) operations a ns. */
const LIMITS = {
  cpu: { bytes: 64 * 2 ** 20, operations: 2e9 },
  cuda: { bytes: 512 * 2 ** 20, operations: 2e11 },
} as const;

/** What `pawl fuzz` draws cases of a kernel from: its own `fuzz`, its problem's, and what the declared cases tell. */
export function planFuzz(loaded: LoadedConfig, kernelName: string): FuzzSpace {
  const { config } = loaded;
  const kernel = pick(config.kernels, kernelName, 'kernel');
  const problem = pick(config.problems, kernel.problem, 'problem');
  const [general, own] = [problem.fuzz, kernel.fuzz];
  const declared = [...casesOf(loaded, kernelName).values()];
  const limits = LIMITS[kernel.device];
  const matrix = matrixCases(own?.matrix ?? general?.matrix);
  const nonfinite = own?.nonfinite ?? general?.nonfinite ?? {};
  const isAccepted = accepts(own);
  return new FuzzSpace(problem, {
    dims: [
      ...problem.dims.map(({ name, default: value }) => {
        const setting = own?.dims[name] ?? general?.dims[name];
        return { name, ...(setting === undefined ? dimFromCases(name, value, declared) : dimOf(setting)) };
      }),
      ...problem.scalars.flatMap((scalar): FuzzDim[] => {
        const setting = own?.dims[scalar.name] ?? general?.dims[scalar.name];
        const values = Array.isArray(setting) ? setting : scalarFromCases(scalar, declared);
        return values.length === 0 ? [] : [{ name: scalar.name, values }];
      }),
    ],
    dtypes: kernel.dtypes ?? [kernel.dtype],
    // What a generator makes has its own structure, which other values would break.
    inputs: Object.entries(problem.tensors).flatMap(([name, tensor]): FuzzInput[] =>
      isDrawn(tensor) && problem.generator === undefined ? [{ name, nonfinite: nonfinite[name] ?? [] }] : [],
    ),
    kinds: own?.values ?? general?.values ?? VALUE_KINDS,
    huge: own?.huge ?? general?.huge ?? DEFAULT_HUGE,
    matrix: matrix.filter(({ dims }) => isAccepted(dims)),
    edges: [...named(general?.cases).filter(({ dims }) => isAccepted(dims)), ...named(own?.cases)].filter(
      ({ name }, index, all) => all.findLastIndex((other) => other.name === name) === index,
    ),
    ...(Object.values(problem.tensors).some(({ fill }) => fill?.kind === 'recorded') && {
      recordedFor: declared.map((values) => valuesOf(problem, values)),
    }),
    hints: hintsOf(kernel, [...declared, ...matrix.map(({ dims }) => dims)]),
    wheres: [general?.where, own?.where].filter((where): where is Expression => where !== undefined),
    maxBytes: own?.max_bytes ?? general?.max_bytes ?? limits.bytes,
    maxOperations: own?.max_operations ?? general?.max_operations ?? limits.operations,
  });
}

/** Defaults included, but for those that dimensions decide. */
function valuesOf({ dims, scalars }: Problem, values: CaseDims): CaseDims {
  const standards = [
    ...dims.map((dim): [string, number | null] => [dim.name, dim.default]),
    ...scalars.map(({ name, default: standard }): [string, number | null] => [
      name,
      standard === null || standard.names.length > 0 ? null : standard.evaluateNumber({}),
    ]),
  ];
  const known = standards.flatMap(([name, standard]): [string, number][] => {
    const value = values[name] ?? standard;
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(known);
}

/** Whether a case of the problem is one for a kernel that says which dimensions it takes. */
function accepts(own: FuzzSettings | undefined): (dims: CaseDims) => boolean {
  const narrowed = Object.entries(own?.dims ?? {}).map(([name, setting]) =>
    Object.assign({ name }, dimOf(setting)),
  );
  return (dims) => narrowed.every((dim) => dims[dim.name] === undefined || allows(dim, dims[dim.name]));
}

type Extent = { readonly values: readonly number[] } | { min: number; max: number; multiple: number };

function dimOf(setting: FuzzDimSetting): Extent {
  return Array.isArray(setting) ? { values: setting } : setting;
}

/** A switch keeps its settings; a size goes from 1 to the largest that anybody asked for. */
function dimFromCases(name: string, value: number | null, cases: readonly CaseDims[]): Extent {
  const seen = [...new Set(cases.map((dims) => dims[name] ?? value ?? 0))].sort((a, b) => a - b);
  if (seen.length === 0) return { values: [value ?? 1] };
  if (seen.every((each) => each <= 1)) return { values: seen };
  return { min: Math.max(0, Math.min(1, seen[0] ?? 1)), max: seen.at(-1) ?? 1, multiple: 1 };
}

/** What the cases and the default say. A default that depends on dimensions is computed for each case instead. */
function scalarFromCases({ name, default: standard }: Scalar, cases: readonly CaseDims[]): number[] {
  if (standard !== null && standard.names.length > 0) return [];
  const own = cases.flatMap((dims) => dims[name] ?? []);
  return [...new Set([...(standard === null ? [] : [standard.evaluateNumber({})]), ...own])];
}

/** Integers may be indices, and a fill that is a constant or keeps to one side of zero says what the kernel expects. */
function isDrawn({ role, dtype, fill }: Tensor): boolean {
  if (role === 'output' || integerRange(dtype) !== undefined) return false;
  if (fill === undefined) return true;
  const known = constantFill(fill);
  // One that depends on dimensions says what the kernel expects, too.
  if (known === undefined) return false;
  if (known.kind === 'uniform') return known.low < 0 && known.high > 0;
  return known.kind !== 'constant' && known.kind !== 'integers';
}

function named(cases: Problem['cases'] | undefined): NamedDims[] {
  return Object.entries(cases ?? {}).map(([name, dims]) => ({ name, dims }));
}

function hintsOf(kernel: Kernel, cases: readonly CaseDims[]): number[] {
  const tunables = Object.values(kernel.tunables).flatMap(({ values }) => values);
  const sizes = [...tunables, ...cases.flatMap((dims) => Object.values(dims))].filter(
    (value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 1,
  );
  return [...new Set(sizes)].sort((a, b) => a - b);
}
