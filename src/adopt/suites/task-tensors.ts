import type { DraftTensor } from '../draft.ts';
import { pawlName } from '../pawl-name.ts';
import type { StudiedSet } from '../python/task-study.ts';
import { extentFormula } from './extents.ts';
import type { CaseFound, Parameters } from './task-cases.ts';

export interface Roles {
  /** Inputs that are outputs, and which. */
  readonly inPlace: ReadonlyMap<number, number>;
  /** The output that each result is; null: an inout, which is compared in place. */
  readonly results: readonly (number | null)[];
  /** Results that are an inout: which input that is. */
  readonly returned: ReadonlyMap<number, number>;
}

export function rolesOf({ inputs, outputs }: StudiedSet): Roles {
  const inPlace = new Map<number, number>();
  const returned = new Map<number, number>();
  let count = 0;
  const results = outputs.map(({ place }, result) => {
    if (place !== null && inputs[place]?.inout === true) {
      returned.set(result, place);
      return null;
    }
    const at = count++;
    if (place !== null) inPlace.set(place, at);
    return at;
  });
  return { inPlace, results, returned };
}

/** Tensors with formulas for their extents, and dimensions for extents that no formula says. */
export function tensorsOf(
  cases: readonly CaseFound[],
  model: StudiedSet,
  { inPlace, results }: Roles,
  { dims, choices }: Parameters,
): { tensors: DraftTensor[]; extra: Record<string, number>[] } {
  const extra: Record<string, number>[] = cases.map(() => ({}));
  const whole = new Set(
    Object.entries(dims)
      .filter(([name]) => choices[name] === undefined)
      .map(([, dim]) => dim),
  );
  const sizes = cases.map(({ dims: own }) =>
    Object.fromEntries(Object.entries(own).filter(([dim]) => whole.has(dim))),
  );
  const used = new Set(Object.values(dims));
  const shapeOf = (name: string, pick: (set: StudiedSet) => readonly number[]): string[] =>
    pick(model).map((_, axis) => {
      const extents = cases.map(({ set }) => pick(set)[axis]!);
      const formula = extentFormula(extents, sizes);
      if (formula !== undefined) return formula;
      const dim = freeName(`${name}_${axis}`, used);
      for (const [at, extent] of extents.entries()) extra[at]![dim] = extent;
      return dim;
    });
  const tensors: DraftTensor[] = [];
  for (const [at, { name, dtype, inout }] of model.inputs.entries()) {
    if (inPlace.has(at)) continue;
    const own = freeName(name, used);
    const shape = shapeOf(own, (set) => set.inputs[at]!.shape);
    tensors.push({ name: own, role: inout ? 'inout' : 'input', dtype, shape });
  }
  const places = new Map([...inPlace].map(([input, output]) => [output, input]));
  const outputs = model.outputs.filter((_, at) => results[at] !== null);
  for (const [at, { dtype, place }] of outputs.entries()) {
    const index = model.outputs.indexOf(outputs[at]!);
    const input = places.get(at);
    const named = input === undefined ? undefined : model.inputs[input]!;
    const name = freeName(named?.name ?? (outputs.length === 1 ? 'out' : `out_${at}`), used);
    const shape = shapeOf(name, (set) =>
      place === null ? set.outputs[index]!.shape : set.inputs[place]!.shape,
    );
    tensors.push({ name, role: 'output', dtype: named?.dtype ?? dtype, shape });
  }
  return { tensors, extra };
}

function freeName(name: string, used: Set<string>): string {
  let free = pawlName(name.replaceAll(/\W/gu, '_').replace(/^(?=\d)/u, 'data_'));
  while (used.has(free)) free = `${free}_`;
  used.add(free);
  return free;
}
