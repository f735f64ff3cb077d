import { basename } from 'node:path';

import type { AdoptCandidate, Assumption } from '../../model/reports/adopt-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { sizesComment } from '../default-sizes.ts';
import type { Draft, DraftFile, DraftLine, DraftTensor } from '../draft.ts';
import { pawlName } from '../pawl-name.ts';
import { toleranceOf } from '../tolerance.ts';
import { inlineText } from '../yaml-text.ts';
import type { Inspector } from './inspect.ts';
import type { Looked, TritonFound, TritonHost } from './inspection.ts';
import { pathFrom } from './modules.ts';
import type { PythonRequest } from './python-request.ts';
import { copiesOf } from './read-modules.ts';
import { studyTold } from './study-told.ts';
import { OUT, toldTensors, type ToldTensors } from './told-tensors.ts';
import { linesText, tritonOracle, tritonWrapper, tunablesOf, type TritonCall } from './triton-files.ts';
import { tritonSpace, type TritonSpace, type TritonTunable } from './triton-space.ts';

type Reference = TritonFound['references'][number];

/** Parameters that a function writes into, by their names. */
const OUTPUTS = ['out', 'output', 'dst', 'result'];

/** A function that launches Triton kernels: the file is read and not run, for which a GPU would be needed. */
export async function draftTriton(
  request: PythonRequest,
  looked: Looked,
  triton: TritonFound,
  inspector: Inspector,
): Promise<Draft> {
  const { file } = request;
  const host = chooseHost(triton, request);
  const out = host.parameters.find(
    ({ name }) => OUTPUTS.includes(name) && !request.inout.includes(name),
  )?.name;
  if (!host.returns && out === undefined && request.inout.length === 0) {
    throw new PawlError(
      'usage',
      `${host.name} does not return anything: name the tensors that it writes.`,
      `--inout NAME says that it changes one in place. It has ${host.parameters.map(({ name }) => name).join(', ')}.`,
    );
  }
  const told = toldTensors(
    { ...host, parameters: host.parameters.filter(({ name }) => name !== out) },
    out === undefined || out === OUT ? request.shapes : renamed(request.shapes, out, OUT),
    request,
    'cuda',
  );
  const reference = referenceFor(triton, host, told, request);
  const outputs = await outputsOf(request, told, reference, inspector);
  const problem = pawlName(host.name);
  const taken = [
    ...told.dims,
    ...Object.keys(told.scalars),
    ...[...told.inputs, ...outputs].map(({ name }) => name),
  ];
  const space = tritonSpace(triton, host, taken);
  const numbers = [...told.dims, ...Object.keys(told.scalars)].filter((name) =>
    host.parameters.some((parameter) => parameter.name === name),
  );
  const call: TritonCall = { host, space, inputs: told.inputs, numbers, out };
  const wrapper = tritonWrapper(request, file, call);
  const oracle = await oracleOf(request, looked, call, outputs, reference, inspector);
  const tensors = [...told.inputs, ...outputs];
  const scalars = Object.entries(told.scalars).map(([name, value]) => `${name}: ${value}`);
  return {
    entrance: 'triton',
    candidates: candidatesOf(triton),
    adopted: host.name,
    problem,
    dims: told.dims,
    tensors,
    lines: [
      ...(scalars.length > 0 ? [{ key: 'scalars', value: `{ ${scalars.join(', ')} }` }] : []),
      oracle.line,
      {
        key: 'tolerance',
        value: toleranceOf(tensors.filter(({ role }) => role !== 'input').map(({ dtype }) => dtype)),
        comment: 'assumed from the type of the outputs',
      },
    ],
    cases: { first: told.sizes },
    caseComments: told.dims.length === 0 ? {} : { first: sizesComment(told.dims, request.sizes) },
    kernels: [
      {
        name: `${problem}-triton`,
        lines: [
          { key: 'problem', value: problem },
          { key: 'device', value: 'cuda' },
          { key: 'language', value: 'python' },
          { key: 'module', value: wrapper?.path ?? pathFrom(request, file) },
          { key: 'function', value: host.name },
          ...spaceLines(space),
        ],
      },
    ],
    device: 'cuda',
    files: [...(wrapper === undefined ? [] : [wrapper]), ...oracle.files],
    assumed: assumptions(request, call, told, outputs, reference),
    missing: tensors
      .filter(({ shape }) => shape === undefined)
      .map(({ name }) => ({ kind: 'shape', name, option: `--shape ${name}=…` })),
  };
}

/** The function that is named, or the only one that launches kernels. */
function chooseHost({ hosts }: TritonFound, { function: named, file }: PythonRequest): TritonHost {
  const usable = hosts.filter(({ name, parameters }) => !name.startsWith('_') && parameters.length > 0);
  const listed = `Its kernels are launched by ${(usable.length > 0 ? usable : hosts).map(({ name }) => name).join(', ')}.`;
  const found = named === undefined ? undefined : hosts.find(({ name }) => name === named);
  if (found !== undefined) return found;
  const [only, ...others] = usable;
  if (only === undefined || others.length > 0) {
    throw new PawlError(
      'usage',
      `${basename(file)} has ${usable.length} functions that can be adopted: choose one with --function NAME.`,
      listed,
    );
  }
  return only;
}

function renamed(
  shapes: Readonly<Record<string, string>>,
  from: string,
  to: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(shapes).map(([name, text]) => [name === from ? to : name, text]));
}

/** The only plain function that by its name says what is right, or the one with the host's name in its own. */
function referenceFor(
  { references }: TritonFound,
  host: TritonHost,
  { inputs, scalars, dims }: ToldTensors,
  { oracle }: PythonRequest,
): Reference | undefined {
  if (oracle !== undefined || inputs.some(({ role }) => role === 'inout')) return undefined;
  const numbers = [...dims, ...Object.keys(scalars)];
  // It is called as the host is: tensors by position, numbers by name.
  const fitting = references.filter(({ parameters }) => {
    const tensors = parameters.filter(({ name }) => !numbers.includes(name));
    const needed = tensors.filter(({ has_default }) => !has_default).length;
    return needed <= inputs.length && inputs.length <= tensors.length;
  });
  const named = fitting.filter(({ name }) => name.includes(host.name.replace(/^triton_|_triton$/gu, '')));
  const [found, ...others] = named.length > 0 ? named : fitting;
  return others.length > 0 ? undefined : found;
}

/** As told; else what the reference returns, where PyTorch is at hand to call it. */
async function outputsOf(
  { file }: PythonRequest,
  told: ToldTensors,
  reference: Reference | undefined,
  inspector: Inspector,
): Promise<readonly DraftTensor[]> {
  const isOpen = told.outputs.some(({ shape }) => shape === undefined);
  if (!isOpen || reference === undefined || told.inputs.some(({ shape }) => shape === undefined)) {
    return told.outputs;
  }
  try {
    const inspected = { file, function: reference.name, framework: 'torch', only: true } as const;
    return (await studyTold(inspected, reference, told, inspector)).outputs;
  } catch (error) {
    // What it returns has to be told then, and that is said.
    if (error instanceof PawlError && error.kind === 'bad-data') return told.outputs;
    throw error;
  }
}

/** What was named, the reference of the file, or the function itself as it was adopted. */
async function oracleOf(
  request: PythonRequest,
  looked: Looked,
  call: TritonCall,
  outputs: readonly DraftTensor[],
  reference: Reference | undefined,
  inspector: Inspector,
): Promise<{ readonly line: DraftLine; readonly files: readonly DraftFile[] }> {
  const { file, oracle } = request;
  const lineOf = (module: string, name: string, comment?: string): DraftLine => ({
    key: 'oracle',
    value: `{ module: ${inlineText(module)}, function: ${name} }`,
    ...(comment !== undefined && { comment }),
  });
  if (oracle !== undefined) return { line: lineOf(oracle.module, oracle.function), files: [] };
  if (reference === undefined) {
    const own = tritonOracle(file, call, outputs);
    return {
      line: lineOf(own.path, call.host.name, 'a copy of the adopted function'),
      files: [own, ...(await copiesOf(file, looked, 'oracle', inspector))],
    };
  }
  const [, ...beside] = await copiesOf(file, { imports: reference.imports }, 'oracle', inspector);
  const path = `oracle/${reference.name}.py`;
  const text = `"""Written by \`pawl adopt\`: ${reference.name} of ${basename(file)}, with what it needs."""\n\n${reference.source}`;
  return {
    line: lineOf(path, reference.name, `of ${basename(file)}, in double precision`),
    files: [{ path, text }, ...beside],
  };
}

function spaceLines(space: TritonSpace): DraftLine[] {
  const tunables = tunablesOf(space);
  if (tunables.length === 0) return [];
  const listed = space.kernels.filter((one) => one.listed !== undefined);
  return [
    {
      key: 'tunables',
      value: `# keyword parameters of the wrapper; a variant is one value for each\n${tunables.map((one) => `      ${tunableText(one)}`).join('\n')}`,
    },
    ...(listed.length === 0
      ? []
      : [
          {
            key: 'constraints',
            value: listed
              .map(
                ({ kernel, listed: expression }) =>
                  `\n      - { expression: ${inlineText(expression!)}, why: "what ${kernel} lists; without it every combination is a variant" }`,
              )
              .join(''),
          },
        ]),
  ];
}

function tunableText({ name, values, default: first }: TritonTunable): string {
  const texts = values.map((value) => inlineText(value));
  return `${name}: { values: [${texts.join(', ')}], default: ${inlineText(first)} }`;
}

function candidatesOf({ hosts }: TritonFound): AdoptCandidate[] {
  return hosts.map(({ name, line, parameters }) => ({
    name,
    line,
    signature: `def ${name}(${parameters.map((one) => one.name).join(', ')})`,
  }));
}

function assumptions(
  { file, oracle, sizes }: PythonRequest,
  { host, space, inputs, out }: TritonCall,
  { dims }: ToldTensors,
  outputs: readonly DraftTensor[],
  reference: Reference | undefined,
): Assumption[] {
  const found: Assumption[] = [];
  if (reference !== undefined) {
    found.push({
      about: 'oracle',
      text: `the oracle is ${reference.name} of ${basename(file)}, in double precision (a copy in oracle/); choose another with --oracle FILE.py:NAME`,
    });
  } else if (oracle === undefined) {
    found.push({
      about: 'oracle',
      text: `no oracle was found, so ${host.name} as it is now is the reference (a copy in oracle/): later versions must compute the same. Give a better one with --oracle FILE.py:NAME`,
    });
  }
  if (out !== undefined) found.push({ about: 'roles', text: `${host.name} writes its output into ${out}` });
  for (const { kernel, isAutotuned, tunables, listed, count, product } of space.kernels) {
    const names = tunables.map(({ tunable }) => tunable.name).join(', ');
    const only = listed === undefined && count < product ? `, of which the file lists ${count}` : '';
    found.push({
      about: 'tunables',
      text: isAutotuned
        ? `the ${count} configurations of ${kernel} are variants (${names}${only === '' ? '' : `; all ${product} combinations${only}`}): the first one is measured, and \`pawl tune\` searches for the best. Triton's own tuning is off`
        : `${names} of ${kernel}: constants in its launch, now tunables with values around the written ones`,
    });
  }
  if (space.settings.length > 0) {
    const names = space.settings.map(({ tunable }) => tunable.name).join(', ');
    found.push({
      about: 'tunables',
      text: `${names} of ${host.name}: constants of its kernels, now tunables with values around their defaults`,
    });
  }
  for (const { kernel, why } of space.unread) {
    found.push({
      about: 'tunables',
      text: `the configurations of ${kernel} cannot be read without running the file (${why}): Triton tunes it in every process, at its first call, and may choose differently each time. Write \`tunables\` into pawl.yaml for what should be fixed`,
    });
  }
  if (host.left_out.length > 0) {
    found.push({
      about: 'import',
      text: `${basename(file)} does more at import than ${host.name} needs; that is left out (${linesText(host.left_out)})`,
    });
  }
  const guessed = dims.filter((dim) => sizes[dim] === undefined);
  if (guessed.length > 0) {
    found.push({
      about: 'sizes',
      text: `the sizes ${guessed.join(', ')} of the case \`first\`: say --size ${guessed[0]!}=…`,
    });
  }
  const [first] = inputs;
  if (first !== undefined) {
    found.push({
      about: 'fill',
      text: `${inputs.map(({ name }) => name).join(', ')}: normally distributed f32 numbers by default (--shape ${first.name}=…:f16 sets a type)`,
    });
  }
  if (outputs.length > 0)
    found.push({ about: 'tolerance', text: 'the tolerance follows from the type of the outputs' });
  return found;
}
