import { DEVICE_LIMIT_NAMES } from '../model/device/device-limits.ts';
import type { TunableValue } from '../model/problem/variant.ts';
import { validateNames } from './validate-problem.ts';
import { brokenConstraint, constraintText, defaultVariant, dimValues, idleTunables } from './constraints.ts';
import { ExpressionError } from './expression/expression-error.ts';
import type { Expression } from './expression/expression.ts';
import { kernelCases } from './kernel-cases.ts';
import { defaultDtype } from './kernel-schema.ts';
import type { Kernel } from './kernel-schema.ts';
import type { AddMistake, Path } from './mistake.ts';
import { type CasePlan, planCase } from './plan-case.ts';
import type { Problem } from './problem-schema.ts';

/** Formulas about a launch, and what each must come to. */
const LAUNCH_FORMULAS = {
  block_threads: { cuda: true, least: 1 },
  blocks_per_sm: { cuda: true, least: 1 },
  registers: { cuda: true, least: 1 },
  shared_memory: { cuda: true, least: 0 },
  scratch: { cuda: false, least: 0 },
  prefetch: { cuda: true, least: undefined },
} as const;

/**
 * Constraints, conditions of tunables and formulas about a launch: that they name what there is, and that the defaults
 * satisfy them in every case. What names a limit of the device can only be asked where there is one.
 */
export function validateTunables(
  kernel: Kernel,
  problem: Problem | undefined,
  path: Path,
  add: AddMistake,
): void {
  validateConditions(kernel, path, add);
  const tunables = Object.keys(kernel.tunables);
  const dims = problem?.dims.map(({ name }) => name) ?? [];
  const cases = problem === undefined ? [] : plannedCases(kernel, problem);
  const isKnown = (formula: Expression, at: Path): boolean => {
    const names = new Set([...tunables, ...dims, ...DEVICE_LIMIT_NAMES]);
    // Without its problem, a dimension cannot be told from a typing mistake.
    if (problem === undefined) return formula.names.every(({ name }) => names.has(name));
    return validateNames(formula, [...tunables, ...dims], 'a tunable, dimension or device limit', at, add, [
      ...DEVICE_LIMIT_NAMES,
    ]);
  };
  for (const [index, constraint] of kernel.constraints.entries()) {
    const at = [...path, 'constraints', index];
    if (!isKnown(constraint.expression, at)) continue;
    const variant = defaultVariant(kernel);
    computed(at, ', with the defaults', add, () => {
      const broken = brokenConstraint({ constraints: [constraint] }, variant, { cases });
      if (broken === undefined) return;
      const scope: Record<string, TunableValue> = {
        ...dimsOf(cases, broken.caseName),
        ...variant,
      };
      const values = constraint.expression.names.map(({ name }) => `${name} = ${String(scope[name])}`);
      add(at, `the defaults break ${constraintText(broken)}: ${values.join(', ')}`);
    });
  }
  for (const key of Object.keys(LAUNCH_FORMULAS) as (keyof typeof LAUNCH_FORMULAS)[]) {
    const formula = kernel[key];
    if (formula === undefined) continue;
    const at = [...path, key];
    if (LAUNCH_FORMULAS[key].cuda && kernel.device !== 'cuda') {
      add(at, 'only a kernel on cuda has it', { at: 'key' });
    } else if (isKnown(formula, at)) {
      validateLaunchFormula(kernel, formula, LAUNCH_FORMULAS[key].least, cases, at, add);
    }
  }
}

function validateConditions(kernel: Kernel, path: Path, add: AddMistake): void {
  const variant = defaultVariant(kernel);
  for (const [name, { when }] of Object.entries(kernel.tunables)) {
    if (when === undefined) continue;
    const at = [...path, 'tunables', name, 'when'];
    const others = Object.keys(kernel.tunables).filter((other) => other !== name);
    if (!validateNames(when, others, 'another tunable', at, add)) continue;
    computed(at, ', with the defaults', add, () => void idleTunables(kernel, variant));
  }
}

function validateLaunchFormula(
  kernel: Kernel,
  formula: Expression,
  least: number | undefined,
  cases: readonly CasePlan[],
  at: Path,
  add: AddMistake,
): void {
  if (formula.names.some(({ name }) => isLimit(name, kernel, cases))) return;
  for (const one of cases) {
    computed(at, `, with the defaults in case ${one.name}`, add, () => {
      const value = formula.evaluate({ ...dimValues(one), ...defaultVariant(kernel) });
      if (least === undefined) return;
      if (typeof value !== 'string' && Number.isSafeInteger(Number(value)) && Number(value) >= least) return;
      add(
        at,
        `is ${String(value)} with the defaults in case ${one.name}, not a whole number from ${least} on`,
      );
    });
  }
}

function isLimit(name: string, kernel: Kernel, cases: readonly CasePlan[]): boolean {
  return (
    !Object.hasOwn(kernel.tunables, name) && !cases.some(({ dims }) => dims.some((dim) => dim.name === name))
  );
}

function dimsOf(cases: readonly CasePlan[], name: string | undefined): Record<string, number> {
  const found = cases.find((one) => one.name === name);
  return found === undefined ? {} : dimValues(found);
}

/** Cases whose own formulas are broken are told of where they stand. */
function plannedCases(kernel: Kernel, problem: Problem): CasePlan[] {
  return [...kernelCases(kernel, problem)].flatMap(([name, values]) => {
    const { plan, faults } = planCase(problem, name, values, defaultDtype(kernel));
    return faults.length === 0 ? [plan] : [];
  });
}

function computed(at: Path, where: string, add: AddMistake, compute: () => void): void {
  try {
    compute();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    add(at, `${error.message}${where}`, { offset: error.offset });
  }
}
