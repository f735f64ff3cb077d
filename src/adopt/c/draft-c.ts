import { basename, extname } from 'node:path';

import type { Assumption } from '../../model/reports/adopt-report.ts';
import { isFloating } from '../../model/problem/tensor.ts';
import { defaultSizes, sizesComment } from '../default-sizes.ts';
import type { Draft, DraftFile, DraftLine, DraftTensor } from '../draft.ts';
import { toleranceOf } from '../tolerance.ts';
import { bind, type Binding, type ToldRoles } from './bind.ts';
import { candidatesOf, chooseFunction } from './choose.ts';
import { findDefinitions, type Definitions } from './functions.ts';
import { oracleText } from './oracle.ts';
import { signaturesOf, type Signature } from './signature.ts';
import type { ReadSources } from './read-sources.ts';
import { wrapperText } from './wrapper.ts';

export interface CRequest extends ToldRoles {
  readonly sources: ReadSources;
  /** The file as the command named it. */
  readonly named: string;
  /** The source's path as pawl.yaml and \`#include\` write it. */
  readonly path: string;
  readonly function: string | undefined;
  readonly sizes: Readonly<Record<string, number>>;
  readonly flags: readonly string[] | undefined;
  /** A function of the file that is called once, before the first call. */
  readonly setup?: string | undefined;
  readonly oracle: PythonOracle | undefined;
}

/** A function in Python that says what is right: its module's path in pawl.yaml, and its name. */
export interface PythonOracle {
  readonly module: string;
  readonly function: string;
}

/** A C or C++ function as a project. */
export function draftC(request: CRequest): Draft {
  const { sources, named } = request;
  const definitions = findDefinitions(
    sources.main.tokens,
    sources.headers.map((header) => header.tokens),
  );
  const signatures = signaturesOf(definitions).filter(({ place }) => place === 'host');
  const signature = chooseFunction(signatures, request.function, basename(named));
  const binding = bind(signature, request, identifierIn(sources));
  const problem = problemName(signature.name);
  const extension = extname(request.path) === '.c' ? '.c' : '.cpp';
  const source = {
    named,
    include: request.path,
    definesMain: definitions.functions.some(({ name }) => name === 'main'),
  };
  const flags = request.flags ?? ['-O3', ...(sources.usesOpenMp ? ['-fopenmp'] : [])];
  const sizes = defaultSizes(
    binding.dims,
    binding.tensors.map(({ shape }) => shape),
    request.sizes,
    'cpu',
  );
  const oracle = oracleOf(request, binding, problem, extension, source.definesMain);
  const outside = sources.outside.length > 0;
  return {
    entrance: 'c',
    candidates: candidatesOf(signatures),
    adopted: signature.name,
    problem,
    dims: binding.dims,
    tensors: binding.tensors.map(draftTensor),
    lines: [
      ...scalarLines(binding),
      oracle.line,
      {
        key: 'tolerance',
        value: toleranceOf(outputTypes(binding)),
        comment: 'assumed from the type of the outputs',
      },
    ],
    cases: { first: sizes },
    caseComments: { first: sizesComment(binding.dims, request.sizes) },
    kernels: [
      {
        name: `${problem}-cpu`,
        lines: [
          { key: 'problem', value: problem },
          { key: 'device', value: 'cpu' },
          { key: 'language', value: extension === '.c' ? 'c' : 'c++' },
          { key: 'sources', value: `[pawl_${problem}${extension}]`, comment: `includes ${basename(named)}` },
          // Where copies in oracle/ find the headers that are outside of the source's folder.
          ...(outside ? [{ key: 'include_dirs', value: '[.]' }] : []),
          {
            key: 'flags',
            value: `[${flags.join(', ')}]`,
            comment: request.flags === undefined ? 'assumed: replace them with yours' : undefined,
          },
          ...(sources.usesOpenMp
            ? [
                { key: 'links', value: '[-fopenmp]' },
                { key: 'threads', value: '1', comment: 'assumed: the number of CPUs that one call uses' },
              ]
            : []),
          ...tunableLines(binding),
        ].map(withoutUndefined),
      },
    ],
    device: 'cpu',
    files: [{ path: `pawl_${problem}${extension}`, text: wrapperText(binding, source) }, ...oracle.files],
    assumed: [
      ...oracle.assumed,
      ...typeAssumption(signature, definitions),
      ...assumptions(binding, request, flags),
    ],
    missing: missingShapes(binding),
  };
}

function withoutUndefined({
  key,
  value,
  comment,
}: {
  key: string;
  value: string;
  comment?: string | undefined;
}): DraftLine {
  return comment === undefined ? { key, value } : { key, value, comment };
}

interface DraftOracle {
  readonly line: DraftLine;
  readonly files: readonly DraftFile[];
  readonly assumed: readonly Assumption[];
}

function oracleOf(
  request: CRequest,
  binding: Binding,
  problem: string,
  extension: string,
  definesMain: boolean,
): DraftOracle {
  if (request.oracle !== undefined) {
    const { module, function: name } = request.oracle;
    return {
      line: { key: 'oracle', value: `{ module: ${module}, function: ${name} }` },
      files: [],
      assumed: [],
    };
  }
  const copy = basename(request.named);
  const path = `oracle/pawl_${problem}_oracle${extension}`;
  const source = { named: request.named, include: copy, definesMain };
  return {
    line: {
      key: 'oracle',
      value: `{ source: ${path} }`,
      comment: 'a copy of the adopted function',
    },
    files: [
      { path, text: oracleText(binding, source) },
      { path: `oracle/${copy}`, text: request.sources.main.text },
      ...request.sources.headers.map((header) => ({ path: `oracle/${header.path}`, text: header.text })),
    ],
    assumed: [
      {
        about: 'oracle',
        text: `no oracle was found, so ${binding.signature.name} as it is now is the reference (a copy in oracle/): later versions must compute the same. To check this version too, write a correct implementation into ${path}, or name a Python function with --oracle FILE.py:NAME`,
      },
    ],
  };
}

function outputTypes({ tensors }: Binding): DraftTensor['dtype'][] {
  return tensors.filter(({ role }) => role !== 'input').map(({ dtype }) => dtype);
}

/** Numbers beside the tensors, as pawl.yaml has them. */
export function scalarLines({ scalars }: Binding): DraftLine[] {
  if (scalars.length === 0) return [];
  const assumed = scalars.filter(({ isAssumed }) => isAssumed).map(({ name }) => name);
  const value = `{ ${scalars.map((one) => `${one.name}: ${one.value}`).join(', ')} }`;
  return [
    assumed.length === 0
      ? { key: 'scalars', value }
      : { key: 'scalars', value, comment: `assumed: ${assumed.join(', ')}` },
  ];
}

/** A name that stands for one type or another, by what the compiler is told. */
export function typeAssumption({ typeNames }: Signature, { aliases, redefined }: Definitions): Assumption[] {
  const used = [...redefined].filter((name) => typeNames.has(name));
  return used.map((name) => ({
    about: 'types',
    text: `${name} is ${aliases
      .get(name)!
      .map((token) => token.text)
      .join(' ')}: it is defined in several ways, and the last one counts`,
  }));
}

/** Whether a name stands in a source, where a macro of it would be in the way. */
export function identifierIn({ main, headers }: ReadSources): (name: string) => boolean {
  const texts = [main.text, ...headers.map(({ text }) => text)];
  return (name) => texts.some((text) => new RegExp(`\\b${name}\\b`, 'u').test(text));
}

export function tunableLines({ tunables }: Binding): DraftLine[] {
  if (tunables.length === 0) return [];
  const listed = tunables.map(({ macro, values }) => `${macro}: [${values.join(', ')}]`);
  return [{ key: 'tunables', value: `{ ${listed.join(', ')} }` }];
}

/** Integers are mostly indices or labels; these are inside of every extent but 1. */
const INDEX_FILL = '{ kind: integers, low: 0, high: 1 }';

export function draftTensor({ name, role, dtype, shape }: Binding['tensors'][number]): DraftTensor {
  const isIndex = role !== 'output' && !isFloating(dtype);
  return {
    name,
    role,
    dtype,
    shape,
    ...(isIndex && { fill: INDEX_FILL, comment: 'assumed: the range of values' }),
  };
}

export function missingShapes({ tensors }: Binding): Draft['missing'] {
  return tensors
    .filter(({ shape }) => shape === undefined)
    .map(({ name }) => ({ kind: 'shape', name, option: `--shape ${name}=…` }));
}

/** Integers that may be choices of the implementation; unknown while a shape is. */
function unshapedIntegers({ dims, tensors, workspaces }: Binding): string[] {
  if (tensors.some(({ shape }) => shape === undefined)) return [];
  const formulas = [...tensors.flatMap(({ shape }) => shape!), ...workspaces.map(({ count }) => count)];
  return dims.filter((name) => !formulas.some((formula) => new RegExp(`\\b${name}\\b`, 'u').test(formula)));
}

/** The last part of a function's name, as pawl.yaml allows it. */
export function problemName(name: string): string {
  const last = name
    .split('::')
    .at(-1)!
    .replace(/^[^A-Za-z]+/u, '');
  return last === '' ? 'problem' : last.slice(0, 60);
}

export function assumptions(binding: Binding, told: CRequest, flags: readonly string[]): Assumption[] {
  const { tensors, dims, signature, result } = binding;
  const found: Assumption[] = [];
  const names = (role: string) =>
    tensors.filter((tensor, at) => tensor.role === role && at !== result).map(({ name }) => name);
  const outputs = names('output');
  if (outputs.length > 0) {
    found.push({
      about: 'roles',
      text: `${outputs.join(', ')} ${outputs.length === 1 ? 'is' : 'are'} written and not read: an output. Where it is read too, say --inout ${outputs[0]!}`,
    });
  }
  const unshaped = unshapedIntegers(binding);
  if (unshaped.length > 0) {
    const [first] = unshaped;
    found.push({
      about: 'tunables',
      text: `${unshaped.join(', ')} ${unshaped.length === 1 ? 'is' : 'are'} in no shape: if ${first} says how to compute and not what, as a block size does, say --tunable ${first}=128,256`,
    });
  }
  const guessed = dims.filter((name) => told.sizes[name] === undefined);
  if (guessed.length > 0) {
    found.push({
      about: 'sizes',
      text: `the sizes ${guessed.join(', ')} of the case \`first\`: say --size ${guessed[0]!}=N`,
    });
  }
  const scalars = binding.scalars.filter(({ isAssumed }) => isAssumed).map(({ name }) => name);
  if (scalars.length > 0) {
    found.push({
      about: 'scalars',
      text: `${scalars.join(', ')} ${scalars.length === 1 ? 'is' : 'are'} 1: say --scalar ${scalars[0]!}=VALUE`,
    });
  }
  const indices = tensors
    .filter(({ role, dtype }) => role !== 'output' && !isFloating(dtype))
    .map(({ name }) => name);
  if (indices.length > 0) {
    found.push({
      about: 'fill',
      text: `${indices.join(', ')} ${indices.length === 1 ? 'is' : 'are'} filled with 0 and 1: write the right range into \`fill\``,
    });
  }
  if (told.flags === undefined)
    found.push({
      about: 'flags',
      text: `it is built with ${flags.join(' ')}: give your own flags with --flags="…"`,
    });
  found.push({ about: 'tolerance', text: 'the tolerance follows from the type of the outputs' });
  if (result === undefined && signature.returns.kind !== 'nothing' && signature.returns.kind !== 'status') {
    found.push({
      about: 'result',
      text: `the return value of ${signature.name} is ignored`,
    });
  }
  return found;
}
