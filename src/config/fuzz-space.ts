import type { NonFinite, ValueKind } from '../model/problem/fuzz-case.ts';
import { omit } from '../model/omit.ts';
import { storageBytes, type TensorSpec } from '../model/problem/tensor.ts';
import type { DtypeChoice } from '../model/problem/dtype-choice.ts';
import { ExpressionError } from './expression/expression-error.ts';
import type { Expression } from './expression/expression.ts';
import type { CaseDims, FuzzSettings } from './fuzz-schema.ts';
import { planCase } from './plan-case.ts';
import type { CasePlan } from './plan-case.ts';
import type { Problem } from './problem-schema.ts';

/** What a dimension of a generated case may be. */
export type FuzzDim = { readonly name: string } & (
  | { readonly values: readonly number[] }
  | { readonly min: number; readonly max: number; readonly multiple: number }
);

/** An input whose values are drawn. Others are always filled as pawl.yaml says. */
export interface FuzzInput {
  readonly name: string;
  readonly nonfinite: readonly NonFinite[];
}

export interface NamedDims {
  readonly name: string;
  readonly dims: CaseDims;
}

export interface FuzzSpaceParts {
  readonly dims: readonly FuzzDim[];
  /** Floating types that the kernel accepts; `undefined`: the problem's own. */
  readonly dtypes: readonly (DtypeChoice | undefined)[];
  readonly inputs: readonly FuzzInput[];
  readonly kinds: readonly ValueKind[];
  readonly huge: number;
  readonly matrix: readonly NamedDims[];
  readonly edges: readonly NamedDims[];
  /** Sizes at which kernels change what they do: tunables, and extents that pawl.yaml names. */
  readonly hints: readonly number[];
  /** With recorded inputs, which have one size: the dimensions and scalars that they are recorded for. */
  readonly recordedFor?: readonly CaseDims[];
  readonly wheres: readonly Expression[];
  readonly maxBytes: number;
  readonly maxOperations: number;
  /** Inputs are contiguous, also where the problem says that they are views. */
  readonly contiguous?: boolean;
}

/** Everything that cases of one kernel are drawn from, and what tells whether a case is one of them. */
export class FuzzSpace {
  readonly parts: FuzzSpaceParts;
  readonly #problem: Problem;

  constructor(problem: Problem, parts: FuzzSpaceParts) {
    this.#problem = problem;
    this.parts = parts;
  }

  /** The same with some parts replaced. */
  with(parts: Partial<FuzzSpaceParts>): FuzzSpace {
    return new FuzzSpace(this.#problem, { ...this.parts, ...parts });
  }

  /** The case with every formula computed; undefined where one of them comes out wrong. */
  plan(name: string, dims: CaseDims, dtype: DtypeChoice | undefined): CasePlan | undefined {
    const parts = [...this.#problem.dims, ...this.#problem.scalars];
    const known = parts.every((dim) => Object.hasOwn(dims, dim.name) || dim.default !== null);
    if (!known) return undefined;
    const { plan, faults } = planCase(this.#problem, name, dims, dtype);
    if (faults.length > 0) return undefined;
    return this.parts.contiguous === true ? { ...plan, tensors: plan.tensors.map(contiguous) } : plan;
  }

  /** Whether the case is small enough for this device; a `share` of 0.1 leaves a tenth of the room. */
  fits({ tensors, operations }: CasePlan, share = 1): boolean {
    const bytes = tensors.reduce((sum, tensor) => sum + storageBytes(tensor), 0);
    return bytes <= share * this.parts.maxBytes && (operations ?? 0) <= share * this.parts.maxOperations;
  }

  /** Whether dimensions are among those that may be drawn. */
  contains(dims: CaseDims): boolean {
    const { recordedFor } = this.parts;
    if (recordedFor !== undefined && !recordedFor.some((each) => hasValues(each, dims))) return false;
    return this.parts.dims.every((dim) => allows(dim, dims[dim.name])) && this.#satisfies(dims);
  }

  #satisfies(dims: CaseDims): boolean {
    try {
      return this.parts.wheres.every((where) => where.holds(dims));
    } catch (error) {
      if (error instanceof ExpressionError) return false;
      throw error;
    }
  }
}

function contiguous(tensor: TensorSpec): TensorSpec {
  return omit(tensor, 'strides', 'offset');
}

function hasValues(some: CaseDims, dims: CaseDims): boolean {
  return Object.entries(some).every(([name, value]) => dims[name] === value);
}

export function allows(dim: FuzzDim, value: number | undefined): boolean {
  if (value === undefined) return false;
  if ('values' in dim) return dim.values.includes(value);
  return value >= dim.min && value <= dim.max && value % dim.multiple === 0;
}

/** Every combination of a matrix, the last dimension fastest, named by what varies. */
export function matrixCases(matrix: FuzzSettings['matrix']): NamedDims[] {
  if (matrix === undefined) return [];
  const axes = Object.entries(matrix);
  let cases: CaseDims[] = [{}];
  for (const [name, values] of axes) {
    cases = cases.flatMap((before) => values.map((value) => Object.assign({}, before, { [name]: value })));
  }
  const varying = axes.filter(([, values]) => values.length > 1).map(([name]) => name);
  return cases.map((dims) => ({
    name: ['matrix', ...varying.map((name) => `${name}${dims[name]}`)].join('_'),
    dims,
  }));
}
