import type { DtypeChoice } from '../model/problem/dtype-choice.ts';
import { validateCaseDims, validateNames } from './validate-problem.ts';
import { didYouMean } from '../model/text/did-you-mean.ts';
import { matrixCases } from './fuzz-space.ts';
import type { CaseDims, FuzzSettings } from './fuzz-schema.ts';
import type { AddMistake, Path } from './mistake.ts';
import { planCase } from './plan-case.ts';
import { integerRange, isPacked } from '../model/problem/tensor.ts';
import type { Problem } from './problem-schema.ts';

/** What a schema cannot see in the `fuzz` of a problem or kernel: names, and cases whose formulas come out wrong. */
export function validateFuzz(
  fuzz: FuzzSettings | undefined,
  problem: Problem,
  dtype: DtypeChoice | undefined,
  path: Path,
  add: AddMistake,
): void {
  if (fuzz === undefined) return;
  const dims = problem.dims.map(({ name }) => name);
  validateExtents(fuzz, problem, path, add);
  if (fuzz.where !== undefined) validateNames(fuzz.where, dims, 'a dimension', [...path, 'where'], add);
  validateMatrix(fuzz, problem, dtype, path, add);
  for (const [name, values] of Object.entries(fuzz.cases)) {
    validateCase(name, values, problem, dtype, [...path, 'cases', name], add);
  }
  validateNonfinite(fuzz, problem, path, add);
}

function validateExtents(fuzz: FuzzSettings, problem: Problem, path: Path, add: AddMistake): void {
  const dims = problem.dims.map(({ name }) => name);
  const scalars = problem.scalars.map(({ name }) => name);
  for (const [name, setting] of Object.entries(fuzz.dims)) {
    const at = [...path, 'dims', name];
    if (scalars.includes(name)) {
      if (!Array.isArray(setting)) add(at, 'a scalar takes a list of values');
    } else if (!dims.includes(name)) {
      const kind = scalars.length === 0 ? 'dimension' : 'dimension or scalar';
      add(at, `the problem has no such ${kind}${didYouMean(name, [...dims, ...scalars])}`, { at: 'key' });
    } else if (Array.isArray(setting)) {
      const odd = setting.find((value) => !Number.isSafeInteger(value));
      if (odd !== undefined) add(at, `${odd} is not an integer`);
    }
  }
}

function validateMatrix(
  fuzz: FuzzSettings,
  problem: Problem,
  dtype: DtypeChoice | undefined,
  path: Path,
  add: AddMistake,
): void {
  const at = [...path, 'matrix'];
  const [first, ...rest] = matrixCases(fuzz.matrix);
  // All combinations name the same dimensions; of those that come out wrong, one is enough to tell.
  if (first === undefined || !validateCase(first.name, first.dims, problem, dtype, at, add)) return;
  for (const { name, dims } of rest) {
    if (!validateCase(name, dims, problem, dtype, at, add)) return;
  }
}

/** Whether a case can be planned. */
function validateCase(
  name: string,
  values: CaseDims,
  problem: Problem,
  dtype: DtypeChoice | undefined,
  path: Path,
  add: AddMistake,
): boolean {
  if (!validateCaseDims(problem, values, path, add)) return false;
  const { faults } = planCase(problem, name, values, dtype);
  for (const fault of faults) add(path, fault.message);
  return faults.length === 0;
}

function validateNonfinite(fuzz: FuzzSettings, problem: Problem, path: Path, add: AddMistake): void {
  const tensors = Object.keys(problem.tensors);
  for (const name of Object.keys(fuzz.nonfinite ?? {})) {
    const at = [...path, 'nonfinite', name];
    const tensor = Object.hasOwn(problem.tensors, name) ? problem.tensors[name] : undefined;
    if (tensor === undefined) {
      add(at, `the problem has no such tensor${didYouMean(name, tensors)}`, { at: 'key' });
    } else if (tensor.role === 'output') {
      add(at, 'an output is not filled', { at: 'key' });
    } else if (integerRange(tensor.dtype) !== undefined || isPacked(tensor.dtype)) {
      add(at, `${tensor.dtype} has neither NaN nor infinities`, { at: 'key' });
    }
  }
}
