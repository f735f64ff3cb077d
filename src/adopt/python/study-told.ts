import { basename } from 'node:path';

import { PawlError } from '../../model/pawl-error.ts';
import type { DraftTensor } from '../draft.ts';
import { formulasOf, type FreeSize } from './free-sizes.ts';
import type { Inspector } from './inspect.ts';
import type { CallRequest, InspectedFile, Looked } from './inspection.ts';
import { formsFrom, type ToldTensors } from './told-tensors.ts';

/** What calling with inputs that were told showed. */
export interface ToldStudy {
  /** Parameters of a class. */
  readonly weights: readonly DraftTensor[];
  readonly outputs: readonly DraftTensor[];
  readonly versions: Readonly<Record<string, string>>;
  /** Of a module: it works on double precision. */
  readonly doubles: boolean;
}

/** What a function returns for inputs that were told: it is called once, and once more for each dimension changed. */
export async function studyTold(
  file: InspectedFile,
  { parameters }: Pick<Looked['functions'][number], 'parameters'>,
  { inputs, dims, sizes, scalars }: ToldTensors,
  inspector: Inspector,
): Promise<ToldStudy> {
  const request = (these: Readonly<Record<string, number>>, on: CallRequest['on']): CallRequest => ({
    constants: {},
    on,
    inputs: formsFrom(inputs, these),
    keywords: {
      ...scalars,
      ...Object.fromEntries(
        Object.entries(these).filter(([dim]) => parameters.some(({ name }) => name === dim)),
      ),
    },
  });
  const changes = dims.map((name) => ({ name, value: sizes[name]!, tried: otherSize(sizes[name]!) }));
  const all = [sizes, ...changes.map(({ name, tried }) => ({ ...sizes, [name]: tried }))];
  const call = (on: CallRequest['on']) =>
    inspector.call(
      file,
      all.map((these) => request(these, on)),
    );
  const tried = file.framework === 'torch' ? await call('meta') : undefined;
  const { calls, versions } = tried?.calls[0]?.ok === true ? tried : await call('cpu');
  const [base, ...others] = calls;
  if (base?.ok !== true) {
    throw new PawlError('bad-data', `${basename(file.file)}: ${base?.message ?? 'it did not answer'}.`);
  }
  const free = changes.flatMap((one, at): FreeSize[] => {
    const called = others[at];
    return called?.ok === true ? [{ ...one, called }] : [];
  });
  const made = formulasOf(base, free).slice(base.inputs.length);
  const formulas = made.slice(base.weights.length);
  return {
    weights: base.weights.map(({ name, dtype, shape }, at) => ({
      name: name.replaceAll('.', '_'),
      role: 'input',
      dtype,
      shape: shape.length === 0 ? ['1'] : made[at],
    })),
    outputs: base.outputs.map(({ dtype, shape }, at) => ({
      name: base.outputs.length === 1 ? 'out' : `out_${at}`,
      role: 'output',
      dtype,
      shape: shape.length === 0 ? ['1'] : formulas[at],
    })),
    versions,
    doubles: base.doubles,
  };
}

function otherSize(size: number): number {
  return size >= 2 ? Math.floor(size / 2) : 2;
}
