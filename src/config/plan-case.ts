import { chosenDtypes } from '../model/problem/dtype-choice.ts';
import type { DtypeChoice } from '../model/problem/dtype-choice.ts';
import { defined } from '../model/defined.ts';
import type { ScalarDtype, ScalarSpec } from '../model/problem/scalar.ts';
import { integerRange, isPacked, isReplaceable, tensorBytes } from '../model/problem/tensor.ts';
import type { Dtype, Fill, TensorSpec } from '../model/problem/tensor.ts';
import { ExpressionError } from './expression/expression-error.ts';
import type { Expression } from './expression/expression.ts';
import { computeFill, constantFill, fillFault } from './fill-schema.ts';
import type { FillSetting } from './fill-schema.ts';
import type { Path } from './mistake.ts';
import { planRecorded, unevenRecordings } from './plan-recorded.ts';
import { planStrides, viewFault } from './strides.ts';
import { planTolerance } from './tolerance.ts';
import type { Coarsening, Tolerance } from './tolerance.ts';
import type { CaseDims, Problem, Tensor } from './problem-schema.ts';

/** A case with every formula computed: what a runner is asked to prepare. */
export interface CasePlan {
  readonly name: string;
  readonly dims: readonly { readonly name: string; readonly value: number }[];
  /** Absent where the problem has none. */
  readonly scalars?: readonly ScalarSpec[];
  readonly tensors: readonly TensorSpec[];
  readonly tolerance: Tolerance;
  /** By output. */
  readonly coarsening: Readonly<Record<string, Coarsening>>;
  /** Arithmetic operations of one call, when the problem says. */
  readonly operations: number | undefined;
  /** Bytes one call moves, each tensor once where the problem does not say. */
  readonly bytes: number;
  /** Bytes one call touches at least, when the problem says; `leastBytes` knows what else is known. */
  readonly leastBytes?: number;
}

/** A formula that gives no usable number for a case; `path` begins at the problem. */
interface CaseFault {
  readonly path: Path;
  readonly message: string;
  /** A file that the problem names is wrong. */
  readonly isData?: boolean;
}

interface PlannedCase {
  readonly plan: CasePlan;
  readonly faults: readonly CaseFault[];
}

/** Computes a case of a problem. With faults the plan is incomplete and not to be used. */
export function planCase(
  problem: Problem,
  name: string,
  values: CaseDims,
  choice: DtypeChoice | undefined,
): PlannedCase {
  const faults: CaseFault[] = [];
  const dims = problem.dims.map((dim) => ({
    name: dim.name,
    value: (Object.hasOwn(values, dim.name) ? values[dim.name] : undefined) ?? dim.default ?? 0,
  }));
  const scope = Object.fromEntries(dims.map((dim) => [dim.name, dim.value]));
  const notHeld = (of: string, value: number, wanted: string) =>
    faults.push({
      path: ['cases', name, of],
      message: `\`${of}\` is ${value} in case ${name}, not ${wanted}`,
    });
  for (const dim of dims) if (!Number.isSafeInteger(dim.value)) notHeld(dim.name, dim.value, 'an integer');

  const compute = (formula: Expression, path: Path, isRight: (value: number) => boolean, wanted: string) => {
    try {
      const value = formula.evaluateNumber(scope);
      if (isRight(value)) return value;
      faults.push({ path, message: `\`${formula.source}\` is ${value} in case ${name}, not ${wanted}` });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      faults.push({ path, message: `${error.message}, in case ${name}` });
    }
    return undefined;
  };
  const isAmount = (value: number) => value >= 0;

  /** One without names was looked at when the file was read. */
  const fillOf = (
    tensorName: string,
    setting: FillSetting,
    { dtype, shape }: { readonly dtype: Dtype; readonly shape: readonly number[] },
  ): Fill => {
    const path = ['tensors', tensorName, 'fill'];
    if (setting.kind === 'recorded') {
      const recorded = planRecorded(setting, { problem, name, values, dtype, shape });
      faults.push(...recorded.faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] })));
      return recorded.fill;
    }
    const before = faults.length;
    const fill = computeFill(
      setting,
      (formula, key) => compute(formula, [...path, key], Number.isFinite, 'a number') ?? 0,
    );
    const fault = faults.length === before && constantFill(setting) === undefined && fillFault(fill, dtype);
    if (!fault) return fill;
    const at = fault.key === undefined ? path : [...path, fault.key];
    faults.push({ path: at, message: `${fault.message}, in case ${name}` });
    return fill;
  };
  const planDistribution = (
    tensorName: string,
    { outcomes, slack, seed }: NonNullable<Tensor['distribution']>,
  ): NonNullable<TensorSpec['distribution']> => {
    const path = ['tensors', tensorName, 'distribution', 'outcomes'];
    const count = compute(outcomes, path, isExtent, 'a positive integer') ?? 1;
    return { outcomes: count, slack, ...defined({ seed }) };
  };
  const chosen = choice === undefined ? new Map<string, Dtype>() : chosenDtypes(choice);
  const tensors = Object.entries(problem.tensors).map(([tensorName, tensor]): TensorSpec => {
    const shape = tensor.shape.map(
      (extent, axis) =>
        compute(extent, ['tensors', tensorName, 'shape', axis], isExtent, 'a positive integer') ?? 1,
    );
    const replaced = chosen.get(tensorName) ?? chosen.get('');
    const dtype = replaced !== undefined && isReplaceable(tensor.dtype) ? replaced : tensor.dtype;
    const fill =
      tensor.fill === undefined
        ? standardFill(tensor)
        : fillOf(tensorName, tensor.fill, { dtype: tensor.dtype, shape });
    const distribution = tensor.distribution && planDistribution(tensorName, tensor.distribution);
    const { role, counted_by } = tensor;
    const planned: TensorSpec = { name: tensorName, role, dtype, shape, fill };
    Object.assign(planned, planStrides(tensor, ['tensors', tensorName], compute));
    if (counted_by !== undefined) planned.counted_by = counted_by;
    if (distribution !== undefined) planned.distribution = distribution;
    if (!Number.isSafeInteger(tensorBytes(planned))) {
      const message = `has more than 2^53 bytes in case ${name}`;
      faults.push({ path: ['tensors', tensorName, 'shape'], message });
    }
    if (isPacked(dtype) && (shape.at(-1) ?? 1) % 2 !== 0) {
      const message = `a byte holds two elements of ${dtype}, so its last axis has to be even, and it is ${shape.at(-1) ?? 1} in case ${name}`;
      faults.push({ path: ['tensors', tensorName, 'shape'], message });
    }
    const misplaced = viewFault(planned);
    if (misplaced !== undefined)
      faults.push({
        path: ['tensors', tensorName, misplaced.key],
        message: `${misplaced.message}, in case ${name}`,
      });
    return planned;
  });
  const uneven = unevenRecordings(tensors);
  if (uneven !== undefined) {
    const message = `${uneven.message}, in case ${name}`;
    faults.push({ path: ['tensors', uneven.tensor, 'fill', 'file'], message });
  }
  const scalars = problem.scalars.map(({ name: scalarName, dtype, default: standard }): ScalarSpec => {
    const given = Object.hasOwn(values, scalarName) ? values[scalarName] : undefined;
    const { isHeld, wanted } = SCALAR_VALUES[dtype];
    if (given !== undefined && !isHeld(given)) notHeld(scalarName, given, wanted);
    const value = given ?? (standard && compute(standard, ['scalars', scalarName], isHeld, wanted)) ?? 0;
    return { name: scalarName, dtype, value };
  });
  const computeTolerance = (formula: Expression, path: Path) =>
    compute(formula, path, isAmount, 'zero or more') ?? 0;
  const operations =
    problem.operations && compute(problem.operations, ['operations'], isAmount, 'zero or more');
  const { moved, least } = problem.bytes ?? {};
  const bytes =
    (moved && compute(moved, movedPath(problem), isAmount, 'zero or more')) ?? trafficBytes(tensors);
  const isLeast = (value: number) => isAmount(value) && value <= bytes;
  const leastBytes = least && compute(least, ['bytes', 'least'], isLeast, `0 to ${bytes}, which it moves`);
  return {
    plan: {
      name,
      dims,
      ...(scalars.length > 0 && { scalars }),
      tensors,
      ...planTolerance(problem, tensors, computeTolerance),
      operations,
      bytes,
      ...defined({ leastBytes }),
    },
    faults,
  };
}

/** What a case is: the values of its dimensions and scalars. Another value under the same name is another case. */
export function caseValues({
  dims,
  scalars = [],
}: Pick<CasePlan, 'dims' | 'scalars'>): Record<string, number> {
  return Object.fromEntries([...dims, ...scalars].map(({ name, value }) => [name, value]));
}

/** What a scalar may be. Floating ones are rounded by the judge, and stay finite. */
const SCALAR_VALUES: Readonly<
  Record<ScalarDtype, { readonly isHeld: (value: number) => boolean; readonly wanted: string }>
> = {
  f64: { isHeld: Number.isFinite, wanted: 'a finite number' },
  f32: { isHeld: (value) => Number.isFinite(Math.fround(value)), wanted: 'a number that f32 holds' },
  i64: { isHeld: Number.isSafeInteger, wanted: 'an integer below 2^53' },
  i32: {
    isHeld: (value) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31,
    wanted: 'an integer that i32 holds',
  },
};

/** Where the bytes that are moved stand: alone, or beside `least`. */
export function movedPath({ bytes }: Problem): Path {
  return bytes?.least === undefined ? ['bytes'] : ['bytes', 'moved'];
}

/** Each tensor once; what is read and written, twice. */
function trafficBytes(tensors: readonly TensorSpec[]): number {
  return tensors.reduce((sum, tensor) => sum + tensorBytes(tensor) * (tensor.role === 'inout' ? 2 : 1), 0);
}

function isExtent(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** Integers default to 0…127, as far as the type holds them. */
function standardFill({ dtype }: Tensor): Fill {
  const [, most] = integerRange(dtype) ?? [];
  return most === undefined
    ? { kind: 'normal', mean: 0, std: 1 }
    : { kind: 'integers', low: 0, high: Math.min(127, most) };
}
