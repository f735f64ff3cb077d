import { basename, dirname } from 'node:path';

import { PawlError } from '../../model/pawl-error.ts';
import { pawlName } from '../pawl-name.ts';
import type { StudiedSet } from '../python/task-study.ts';
import { toleranceFormula } from './extents.ts';
import type { TaskDraftRequest } from './task-draft-request.ts';
import type { ParameterSet, ParameterValue } from './task-file.ts';

/** What a case may take on a CPU to be measured there. */
export const QUICK_S = 0.05;
/** All inputs of a case on a GPU: Pawl holds several sets of them. */
const MOST_CUDA_BYTES = 2 ** 32;

export interface CaseFound {
  readonly name: string;
  readonly dims: Readonly<Record<string, number>>;
  readonly set: StudiedSet;
}

export interface Parameters {
  /** The dimension of each parameter. */
  readonly dims: Readonly<Record<string, string>>;
  /** The values of those that are not whole numbers: their dimension is the place in this list. */
  readonly choices: Readonly<Record<string, readonly ParameterValue[]>>;
}

export function parametersOf(sets: readonly ParameterSet[]): Parameters {
  const names = [...new Set(sets.flatMap((set) => Object.keys(set)))];
  const dims = Object.fromEntries(names.map((name) => [name, pawlName(name)]));
  const choices: Record<string, ParameterValue[]> = {};
  for (const name of names) {
    const values = sets.flatMap((set) => set[name] ?? []);
    const all = sets.map((set) => set[name]);
    if (all.every((value) => Number.isSafeInteger(value)) && values.length > 0) continue;
    const texts = [
      ...new Set(all.filter((value) => value !== undefined).map((value) => JSON.stringify(value))),
    ];
    choices[name] = texts.map((text) => JSON.parse(text) as ParameterValue);
    // false is 0 and true is 1, whichever comes first.
    if (choices[name].every((value) => typeof value === 'boolean')) choices[name] = [false, true];
  }
  return { dims, choices };
}

/** Cases whose tensors are like those of the first that is known. */
export function casesOf(
  { task, study, file, device }: TaskDraftRequest,
  { dims, choices }: Parameters,
): { cases: CaseFound[]; model: StudiedSet; left: readonly string[] } {
  const entries = Object.entries(task.sets);
  const known = entries.flatMap(([name, parameters], at) => {
    const set = study.sets[at];
    const isWhole = Object.keys(dims).every((parameter) => parameter in parameters);
    return set?.ok === true && isWhole ? [{ name, parameters, set }] : [];
  });
  const model = known.find(({ set }) => set.call_s !== null) ?? known[0];
  if (model === undefined) {
    const message = study.sets.flatMap((set) => (set.ok ? [] : [set.message]))[0] ?? 'it did not answer';
    throw new PawlError('bad-data', `${basename(dirname(file))}: ${message}.`);
  }
  // On a GPU it may work anyway.
  if (device === 'cpu' && model.set.obstacle !== undefined) {
    throw new PawlError('bad-data', `${basename(dirname(file))}: ${model.set.obstacle}.`);
  }
  if (model.set.inputs.length === 0) {
    throw new PawlError(
      'bad-data',
      `${basename(dirname(file))}: generate_input does not return any tensors.`,
    );
  }
  const alike = known.filter(({ set }) => formOf(set) === formOf(model.set));
  const cases = alike.map(({ name, parameters, set }) => ({
    name,
    set,
    dims: Object.fromEntries(
      Object.entries(dims).map(([parameter, dim]) => {
        const value = parameters[parameter]!;
        const at = choices[parameter]?.findIndex(
          (choice) => JSON.stringify(choice) === JSON.stringify(value),
        );
        return [dim, at ?? Number(value)];
      }),
    ),
  }));
  const names = new Set(alike.map(({ name }) => name));
  return { cases, model: model.set, left: entries.map(([name]) => name).filter((name) => !names.has(name)) };
}

/** Types and axes: what cases of one problem have in common. */
function formOf({ inputs, outputs }: StudiedSet): string {
  return JSON.stringify([
    inputs.map(({ name, dtype, shape }) => [name, dtype, shape.length]),
    outputs.map(({ dtype, shape }) => [dtype, shape.length]),
  ]);
}

/** What is measured on this machine. */
export function measuredCases(cases: readonly CaseFound[], device: 'cpu' | 'cuda'): string[] {
  const fits = cases.filter(({ set }) =>
    device === 'cuda' ? set.bytes <= MOST_CUDA_BYTES : set.call_s !== null && set.call_s <= QUICK_S,
  );
  if (fits.length > 0) return fits.map(({ name }) => name);
  const [least] = cases.toSorted(
    (a, b) => (a.set.call_s ?? Infinity) - (b.set.call_s ?? Infinity) || a.set.bytes - b.set.bytes,
  );
  return least === undefined ? [] : [least.name];
}

export function toleranceOf(cases: readonly CaseFound[], file: string): string {
  const task = basename(dirname(file));
  const seen = cases.flatMap(({ set, dims }) =>
    set.tolerance === null ? [] : [{ tolerance: set.tolerance, dims }],
  );
  const close = seen.flatMap(({ tolerance, dims }) =>
    tolerance.kind === 'close' ? [{ ...tolerance, dims }] : [],
  );
  if (close.length > 0) {
    const dims = close.map((one) => one.dims);
    const [atol, rtol] = [close.map((one) => one.atol), close.map((one) => one.rtol)];
    return `{ atol: ${toleranceFormula(atol, dims)}, rtol: ${toleranceFormula(rtol, dims)} }`;
  }
  const failed = seen.flatMap(({ tolerance }) => (tolerance.kind === 'failed' ? [tolerance.message] : []));
  if (failed[0] !== undefined) {
    throw new PawlError(
      'bad-data',
      `${task}: check_implementation rejects the reference's own result: ${failed[0]}.`,
    );
  }
  throw new PawlError(
    'bad-data',
    `${task}: Pawl could not find out what check_implementation compares the output with.`,
  );
}
