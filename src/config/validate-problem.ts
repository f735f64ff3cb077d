import { isFloating } from '../model/problem/tensor.ts';
import { didYouMean } from '../model/text/did-you-mean.ts';
import { fillFormulas } from './fill-schema.ts';
import type { Expression } from './expression/expression.ts';
import type { AddMistake, Path } from './mistake.ts';
import { movedPath, planCase } from './plan-case.ts';
import { varies } from './plan-recorded.ts';
import type { CaseDims, Problem, Tensor } from './problem-schema.ts';

/** What a schema cannot see in one problem: names in formulas, dimensions of cases, extents. */
export function validateProblem(problem: Problem, path: Path, add: AddMistake): void {
  validateScalarNames(problem, path, add);
  if (
    problem.generator !== undefined &&
    [...problem.dims, ...problem.scalars].some(({ name }) => name === 'seed')
  ) {
    add(
      [...path, 'generator'],
      'its function gets a number named `seed` to draw from; call the dimension or scalar `seed` something else',
    );
  }
  validateChecker(problem, path, add);
  validateDistributions(problem, path, add);
  validateRecorded(problem, path, add);
  validateCounts(problem, path, add);
  const formulasKnown = validateFormulas(problem, path, add);
  for (const [name, dims] of Object.entries(problem.cases)) {
    const casePath = [...path, 'cases', name];
    if (!validateCaseDims(problem, dims, casePath, add) || !formulasKnown) continue;
    for (const fault of planCase(problem, name, dims, undefined).faults) {
      add([...path, ...fault.path], fault.message, fault.isData === true ? { isData: true } : undefined);
    }
  }
}

/** Each output is judged once: by what the checker says, or by the oracle's values. */
function validateChecker(
  { checker, oracle, tensors, dims, scalars }: Problem,
  path: Path,
  add: AddMistake,
): void {
  if (checker === undefined) return;
  const at = [...path, 'checker'];
  const written = Object.keys(tensors).filter((name) => tensors[name]?.role !== 'input');
  const { outputs } = checker;
  for (const [index, output] of (outputs ?? []).entries()) {
    if (!written.includes(output))
      add([...at, 'outputs', index], `\`${output}\` is not an output${didYouMean(output, written)}`);
  }
  const left = written.filter((name) => outputs?.includes(name) === false);
  if (oracle !== undefined && left.length === 0)
    add(
      at,
      'beside an oracle, `outputs` names those that the checker judges, and at least one is left to the oracle',
    );
  if (oracle === undefined && left.length > 0)
    add(
      at,
      `nothing judges ${left.map((name) => `\`${name}\``).join(', ')}: leave \`outputs\` out, or add an oracle`,
    );
  const given = ['atol', 'rtol'];
  const taken = [...Object.keys(tensors), ...[...dims, ...scalars].map(({ name }) => name)];
  for (const name of taken.filter((each) => given.includes(each)))
    add(
      at,
      `its function gets the tolerance as \`${name}\`; call the tensor, dimension or scalar of that name something else`,
    );
}

/** Who draws needs somebody who states probabilities, and a seed is an input. */
function validateDistributions(problem: Problem, path: Path, add: AddMistake): void {
  for (const [name, { distribution }] of Object.entries(problem.tensors)) {
    if (distribution === undefined) continue;
    const at = [...path, 'tensors', name, 'distribution'];
    if (problem.oracle === undefined)
      add(at, 'the problem has no oracle, which would state the probabilities');
    if (problem.checker?.outputs?.includes(name) === true) add(at, 'the checker judges this output');
    const { seed } = distribution;
    if (seed === undefined) continue;
    const inputs = Object.keys(problem.tensors).filter((each) => problem.tensors[each]?.role === 'input');
    if (!inputs.includes(seed))
      add([...at, 'seed'], `\`${seed}\` is not an input${didYouMean(seed, inputs)}`);
  }
}

/** With recorded inputs alone that never change, a kernel could answer every call from memory, unnoticed. */
function validateRecorded({ tensors, generator }: Problem, path: Path, add: AddMistake): void {
  const inputs = Object.entries(tensors).filter(([, { role }]) => role !== 'output');
  const recorded = inputs.find(([, { fill }]) => fill?.kind === 'recorded');
  if (recorded === undefined) return;
  const at = [...path, 'tensors', recorded[0], 'fill'];
  if (generator !== undefined) {
    add(at, 'the problem has a `generator`, which makes all inputs');
  } else if (!inputs.some(([, tensor]) => changes(tensor))) {
    add(
      at,
      'no input of this problem changes from call to call, so that a kernel could answer from memory: let the elements of one change places (`vary: true`), fill another input, or write a `generator`',
    );
  }
}

function changes({ fill, dtype }: Tensor): boolean {
  if (fill === undefined) return true;
  return fill.kind === 'recorded' ? varies(fill, dtype) : fill.kind !== 'constant';
}

/** A count is an output of one integer, by value: it says how much of another output is compared. */
function validateCounts({ tensors, checker, oracle }: Problem, path: Path, add: AddMistake): void {
  for (const [name, { counted_by, distribution }] of Object.entries(tensors)) {
    if (counted_by === undefined) continue;
    const at = [...path, 'tensors', name, 'counted_by'];
    const count = Object.hasOwn(tensors, counted_by) ? tensors[counted_by] : undefined;
    if (count === undefined)
      add(at, `there is no tensor \`${counted_by}\`${didYouMean(counted_by, Object.keys(tensors))}`);
    else if (
      count.role !== 'output' ||
      isFloating(count.dtype) ||
      count.shape.some(({ source }) => source !== '1')
    )
      add(at, `\`${counted_by}\` is not an output of one integer (shape [] or [1])`);
    else if (oracle !== undefined && checker?.outputs?.includes(counted_by) === true)
      add(at, `the checker judges \`${counted_by}\`, which the oracle has to say`);
    if (distribution !== undefined) add(at, 'draws are not counted');
  }
}

/** Cases name dimensions and scalars alike, and a Python function gets all of them, and the tensors, by name. */
function validateScalarNames(problem: Problem, path: Path, add: AddMistake): void {
  for (const { name } of problem.scalars) {
    const isDim = problem.dims.some((dim) => dim.name === name);
    if (!isDim && !Object.hasOwn(problem.tensors, name)) continue;
    const other = isDim ? 'dimension' : 'tensor';
    add([...path, 'scalars', name], `the problem has a ${other} of this name`, { at: 'key' });
  }
}

/** Whether every formula of a problem uses only its dimensions. */
export function validateFormulas(problem: Problem, path: Path, add: AddMistake): boolean {
  const dims = problem.dims.map(({ name }) => name);
  const formulas: [Expression | undefined, Path][] = [
    ...Object.entries(problem.tensors).flatMap(([tensor, { shape }]) =>
      shape.map((extent, axis): [Expression, Path] => [extent, ['tensors', tensor, 'shape', axis]]),
    ),
    ...Object.entries(problem.tensors).flatMap(([tensor, { strides = [] }]) =>
      strides.map((stride, axis): [Expression, Path] => [stride, ['tensors', tensor, 'strides', axis]]),
    ),
    ...Object.entries(problem.tensors).map(([tensor, { offset }]): [Expression | undefined, Path] => [
      offset,
      ['tensors', tensor, 'offset'],
    ]),
    ...Object.entries(problem.tensors).flatMap(([tensor, { fill }]) =>
      (fill === undefined ? [] : fillFormulas(fill)).map(([key, formula]): [Expression, Path] => [
        formula,
        ['tensors', tensor, 'fill', key],
      ]),
    ),
    ...Object.entries(problem.tensors).map(([tensor, { distribution }]): [Expression | undefined, Path] => [
      distribution?.outcomes,
      ['tensors', tensor, 'distribution', 'outcomes'],
    ]),
    ...toleranceFormulas(problem.tolerance, ['tolerance']),
    ...Object.entries(problem.tensors).flatMap(([tensor, { tolerance }]) =>
      toleranceFormulas(tolerance, ['tensors', tensor, 'tolerance']),
    ),
    ...problem.scalars.map(({ name, default: value }): [Expression | undefined, Path] => [
      value ?? undefined,
      ['scalars', name],
    ]),
    [problem.operations, ['operations']],
    [problem.bytes?.moved, movedPath(problem)],
    [problem.bytes?.least, ['bytes', 'least']],
  ];
  return formulas
    .map(
      ([formula, at]) =>
        formula === undefined || validateNames(formula, dims, 'a dimension', [...path, ...at], add),
    )
    .every(Boolean);
}

function toleranceFormulas(tolerance: Tensor['tolerance'], path: Path): [Expression | undefined, Path][] {
  return [
    [tolerance?.atol, [...path, 'atol']],
    [tolerance?.rtol, [...path, 'rtol']],
  ];
}

/** Whether a formula uses only known names, or further ones that are too many to list to everybody. */
export function validateNames(
  formula: Expression,
  known: readonly string[],
  kind: string,
  path: Path,
  add: AddMistake,
  further: readonly string[] = [],
): boolean {
  const unknown = formula.names.filter(({ name }) => !known.includes(name) && !further.includes(name));
  for (const { name, offset } of unknown) {
    const suggestion = didYouMean(name, [...known, ...further]);
    const there = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
    add(path, `\`${name}\` is not ${kind}${suggestion || `; ${there}`}`, { offset });
  }
  return unknown.length === 0;
}

/** Whether a case gives values to dimensions and scalars that the problem has, and to all that have no default. */
export function validateCaseDims(problem: Problem, dims: CaseDims, path: Path, add: AddMistake): boolean {
  const parts = [...problem.dims, ...problem.scalars];
  const known = parts.map(({ name }) => name);
  const kind = problem.scalars.length === 0 ? 'dimension' : 'dimension or scalar';
  const extra = Object.keys(dims).filter((name) => !known.includes(name));
  for (const name of extra) {
    add([...path, name], `the problem has no such ${kind}${didYouMean(name, known)}`, { at: 'key' });
  }
  const missing = parts.filter((part) => part.default === null && !Object.hasOwn(dims, part.name));
  if (missing.length > 0) {
    add(path, `missing ${missing.map(({ name }) => `\`${name}\``).join(', ')}`, { at: 'key' });
  }
  return extra.length === 0 && missing.length === 0;
}
