import { basename } from 'node:path';

import { torchType } from './torch-types.ts';
import type { DraftFile, DraftTensor } from '../draft.ts';
import type { TritonHost } from './inspection.ts';
import { pathFrom, type Names } from './modules.ts';
import { pawlName } from '../pawl-name.ts';
import type { TritonSpace, TritonTunable, TunedParameter, TunedTriton } from './triton-space.ts';

/** What the call of a host function consists of. */
export interface TritonCall {
  readonly host: TritonHost;
  readonly space: TritonSpace;
  readonly inputs: readonly DraftTensor[];
  /** Dimensions and scalars that it has parameters for. */
  readonly numbers: readonly string[];
  /** The parameter that it writes its output into. */
  readonly out: string | undefined;
}

/** The function with the settings of its kernels as keyword parameters, where it has any or the file does more than define. */
export function tritonWrapper(names: Names, file: string, call: TritonCall): DraftFile | undefined {
  const { host, space, out } = call;
  const tunables = tunablesOf(space);
  const isPlain = tunables.length === 0 && host.left_out.length === 0 && !host.applied;
  if (isPlain && (out === undefined || out === 'out')) return undefined;
  const keywords = [
    ...call.numbers,
    ...tunables.map(({ name }) => name),
    ...(out === undefined ? [] : ['out']),
  ];
  const parameters = [
    ...call.inputs.map(({ name }) => name),
    ...(keywords.length === 0 ? [] : ['*']),
    ...keywords,
  ];
  const uses = space.kernels.map(
    ({ kernel, tunables: own }) => `    ${useOf(kernel, own, ({ name }) => name)}\n`,
  );
  const values = new Map([
    ...call.inputs.map(({ name }) => [name, name] as const),
    ...space.settings.map(({ parameter, tunable }) => [parameter, tunable.name] as const),
  ]);
  return {
    path: `pawl_${host.name}.py`,
    text: `"""Written by \`pawl adopt\` from ${basename(file)}: ${host.name}${space.kernels.length === 0 ? '' : ', with the settings of its kernels as variants'}."""

${moduleLines(names, file, call)}${space.kernels.map(tunedLine).join('')}

def ${host.name}(${parameters.join(', ')}):
${uses.join('')}    return adopted.${host.name}(${argumentsOf(call, values, 'out')})
`,
  };
}

/** The function as it was adopted, from a copy beside it, in the types that it is declared with. */
export function tritonOracle(file: string, call: TritonCall, outputs: readonly DraftTensor[]): DraftFile {
  const { host, space, inputs, numbers, out } = call;
  const parameters = [
    ...inputs.map(({ name }) => name),
    ...(numbers.length === 0 && out === undefined ? [] : ['*']),
    ...numbers,
    ...(out === undefined ? [] : ['out']),
  ];
  const settled = space.kernels.map(
    ({ kernel, tunables }) => `${useOf(kernel, tunables, (tunable) => pythonValue(tunable.default))}\n`,
  );
  const inouts = inputs.filter(({ role }) => role === 'inout');
  const values = new Map(
    inputs.map(({ name, dtype, role }) => [
      name,
      role === 'inout' ? `own_${name}` : dtype === 'bool' ? name : `${name}.to(${torchType(dtype)})`,
    ]),
  );
  const before = [
    ...inouts.map(({ name, dtype }) => `    own_${name} = ${name}.to(${torchType(dtype)})\n`),
    ...(out === undefined
      ? []
      : [`    own_out = torch.empty_like(out, dtype=${torchType(outputs[0]?.dtype ?? 'f32')})\n`]),
  ];
  const after = [
    ...inouts.map(({ name }) => `    ${name}.copy_(own_${name})\n`),
    ...(out === undefined ? [] : ['    out.copy_(own_out)\n']),
  ];
  const called = `adopted.${host.name}(${argumentsOf(call, values, 'own_out')})`;
  const body =
    after.length === 0
      ? `    return ${called}\n`
      : `${before.join('')}    result = ${called}\n${after.join('')}    return result\n`;
  return {
    path: `oracle/pawl_${host.name}_oracle.py`,
    text: `"""Written by \`pawl adopt\`: ${host.name} as it was adopted, from the copy beside this file. Plain PyTorch would be a better judge."""

${moduleLines({ out: '/oracle' }, `/oracle/${basename(file)}`, call, 'import torch\n')}${space.kernels.map(tunedLine).join('')}${settled.join('')}

def ${host.name}(${parameters.join(', ')}):
    # An oracle gets double precision, and the function gets its own types.
${body}`,
  };
}

export function tunablesOf({ kernels, settings }: TritonSpace): TritonTunable[] {
  return [...settings, ...kernels.flatMap(({ tunables }) => tunables)].map(({ tunable }) => tunable);
}

function useOf(
  kernel: string,
  tunables: readonly TunedParameter[],
  value: (tunable: TritonTunable) => string,
): string {
  const given = tunables.map(({ parameter, tunable }) => `${parameter}=${value(tunable)}`);
  return `${variable(kernel)}.use(${given.join(', ')})`;
}

/** Imports what the function needs of the file. */
function moduleLines(names: Names, file: string, { host, space }: TritonCall, imports = ''): string {
  const path = pathFrom(names, file);
  const place = path.startsWith('/')
    ? JSON.stringify(path)
    : `os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(path)})`;
  const why =
    host.left_out.length === 0
      ? ''
      : `# Only what ${host.name} needs: the file computes more when it is imported (${linesText(host.left_out)}).\n`;
  const tuned = space.kernels.length === 0 ? '' : 'from pawl_candidate.triton_kernels import tuned\n';
  return `import os

${imports}from pawl_candidate.definitions import definitions_of  # Pawl's own
${tuned}
${why}adopted = definitions_of(${place}, ${JSON.stringify(host.name)})
`;
}

function tunedLine({ kernel }: TunedTriton): string {
  return `${variable(kernel)} = tuned(adopted, ${JSON.stringify(kernel)})\n`;
}

/** Tensors by position as far as that goes, everything else by name; `apply` knows positions alone. */
function argumentsOf(
  { host, numbers, out }: TritonCall,
  values: ReadonlyMap<string, string>,
  outValue: string,
): string {
  let isInOrder = true;
  return host.parameters
    .flatMap(({ name, by_name }) => {
      const number = numbers.includes(name) ? name : undefined;
      const value = name === out ? outValue : (values.get(name) ?? values.get(pawlName(name)) ?? number);
      if (value === undefined) {
        isInOrder = false;
        return [];
      }
      return [(isInOrder && !by_name) || host.applied ? value : `${name}=${value}`];
    })
    .join(', ');
}

/** `1, 3–5`: lines of a file. */
export function linesText(lines: TritonHost['left_out']): string {
  const merged: [number, number][] = [];
  for (const [first, last] of lines) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = last;
    else merged.push([first, last]);
  }
  const texts = merged.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`));
  return `line${texts.length === 1 && !texts[0]!.includes('–') ? '' : 's'} ${texts.join(', ')}`;
}

/** A name of the wrapper for a kernel, which is not the function's. */
function variable(kernel: string): string {
  return `tuned_${kernel.replace(/^_+/u, '')}`;
}

function pythonValue(value: number | boolean | string): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
