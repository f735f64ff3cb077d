import { defined } from '../model/defined.ts';
import type { Dtype, TensorSpec } from '../model/problem/tensor.ts';
import type { Expression } from './expression/expression.ts';
import type { Path } from './mistake.ts';
import { DTYPES, isFloating } from '../model/problem/tensor.ts';
import type { Problem } from './problem-schema.ts';

interface ToleranceRule {
  readonly atol: number;
  readonly rtol: number;
  /** The calibrated rule, where the oracle has a reference to calibrate with. */
  readonly factor?: number;
  /** The share of elements that must be within; absent: all. */
  readonly share?: number;
}

/** When the outputs of a case are right. */
export interface Tolerance extends ToleranceRule {
  /** By name, for outputs that have rules of their own. */
  readonly outputs?: Readonly<Record<string, ToleranceRule>>;
}

/** How many times what pawl.yaml declares the tolerance of an output is: above 1 in a coarser type than the problem's. */
export interface Coarsening {
  readonly atol: number;
  readonly rtol: number;
}

interface PlannedTolerance {
  readonly tolerance: Tolerance;
  readonly coarsening: Readonly<Record<string, Coarsening>>;
}

/**
 * The problem's tolerance is meant for the problem's own types, and for the coarsest of its outputs. An output in a
 * coarser type rounds in larger steps, so its tolerance grows with the step; in a finer one it stays as declared.
 */
export function planTolerance(
  problem: Problem,
  planned: readonly TensorSpec[],
  compute: (formula: Expression, path: Path) => number,
): PlannedTolerance {
  const written = planned.filter(({ role }) => role !== 'input');
  const coarsest = Math.min(
    ...written.flatMap(({ name }) => {
      const own = problem.tensors[name]!;
      return own.tolerance?.atol === undefined ? bitsOf(own) : [];
    }),
  );
  /** What an output declares itself is meant for its own type. */
  const timesFor = (tensor: TensorSpec, isOwn: boolean): number => {
    const meantFor = isOwn ? bitsOf(problem.tensors[tensor.name]!) : coarsest;
    return Number.isFinite(bitsOf(tensor)) ? 2 ** Math.max(0, meantFor - bitsOf(tensor)) : 1;
  };
  const coarsening = Object.fromEntries(
    written.map((tensor): [string, Coarsening] => {
      const own = problem.tensors[tensor.name]?.tolerance;
      return [
        tensor.name,
        {
          atol: timesFor(tensor, own?.atol !== undefined),
          rtol: timesFor(tensor, own?.rtol !== undefined),
        },
      ];
    }),
  );
  const rule = (declared: Problem['tolerance'], path: Path, times: Coarsening): ToleranceRule => ({
    atol: times.atol * compute(declared.atol, [...path, 'atol']),
    rtol: times.rtol * compute(declared.rtol, [...path, 'rtol']),
    ...defined({ factor: declared.factor, share: declared.share }),
  });
  const shared = written.filter(({ name }) => problem.tensors[name]?.tolerance === undefined);
  const most = Math.max(1, ...shared.map((tensor) => timesFor(tensor, false)));
  const outputs = written.flatMap(({ name }): [string, ToleranceRule][] => {
    const own = problem.tensors[name]?.tolerance;
    const times = coarsening[name]!;
    if (own === undefined && times.atol === most) return [];
    const declared = { ...problem.tolerance, ...defined(own ?? {}) };
    return [
      [name, rule(declared, own === undefined ? ['tolerance'] : ['tensors', name, 'tolerance'], times)],
    ];
  });
  const tolerance = rule(problem.tolerance, ['tolerance'], { atol: most, rtol: most });
  return {
    tolerance: outputs.length === 0 ? tolerance : { ...tolerance, outputs: Object.fromEntries(outputs) },
    coarsening,
  };
}

/** The rules of one output. */
export function ruleOf(tolerance: Tolerance, output: string): ToleranceRule {
  const { outputs = {} } = tolerance;
  return (Object.hasOwn(outputs, output) ? outputs[output] : undefined) ?? tolerance;
}

/** The same with every `atol` so many times as large. */
export function scaledTolerance(tolerance: Tolerance, times: number): Tolerance {
  const scaled = <Rule extends ToleranceRule>(rule: Rule): Rule => ({ ...rule, atol: rule.atol * times });
  const { outputs } = tolerance;
  if (outputs === undefined) return scaled(tolerance);
  const entries = Object.entries(outputs).map(([name, rule]) => [name, scaled(rule)] as const);
  return { ...scaled(tolerance), outputs: Object.fromEntries(entries) };
}

/** Infinite for integers, which are not rounded. */
function bitsOf({ dtype }: { readonly dtype: Dtype }): number {
  return isFloating(dtype) ? DTYPES[dtype].fraction_bits : Infinity;
}
