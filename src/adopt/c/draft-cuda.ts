import { basename } from 'node:path';

import type { Assumption } from '../../model/reports/adopt-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { defaultSizes, sizesComment } from '../default-sizes.ts';
import type { Draft, DraftLine } from '../draft.ts';
import { toleranceOf } from '../tolerance.ts';
import { bind, type Binding } from './bind.ts';
import { candidatesOf, chooseFunction } from './choose.ts';
import { cudaOracleText } from './cuda-oracle.ts';
import {
  assumptions,
  draftTensor,
  identifierIn,
  missingShapes,
  problemName,
  scalarLines,
  tunableLines,
  typeAssumption,
  type CRequest,
} from './draft-c.ts';
import { extentsInC } from './formula-in-c.ts';
import { findDefinitions } from './functions.ts';
import { signaturesOf, type Signature } from './signature.ts';
import { integersOf, local, wrapperText, type Launch } from './wrapper.ts';

export interface CudaRequest extends CRequest {
  /** Of a `__global__` function: formulas over the dimensions. */
  readonly grid: string | undefined;
  readonly block: string | undefined;
  readonly shared: string | undefined;
}

/** A host function that launches kernels, or one `__global__` function with its launch told. */
export function draftCuda(request: CudaRequest): Draft {
  const { sources, named } = request;
  const definitions = findDefinitions(
    sources.main.tokens,
    sources.headers.map((header) => header.tokens),
  );
  const signatures = signaturesOf(definitions);
  const signature = chooseLaunchable(signatures, request);
  const binding = bind(signature, request, identifierIn(sources));
  const launch = signature.place === 'global' ? launchOf(binding, request) : undefined;
  const problem = problemName(signature.name);
  const definesMain = definitions.functions.some(({ name }) => name === 'main');
  const sizes = defaultSizes(
    binding.dims,
    binding.tensors.map(({ shape }) => shape),
    request.sizes,
    'cuda',
  );
  const flags = request.flags ?? ['-O3'];
  const { oracle } = request;
  const oraclePath = `oracle/pawl_${problem}_oracle.cu`;
  const { setup } = request;
  const copy = { named, include: basename(named), definesMain, setup };
  const outputs = binding.tensors.filter(({ role }) => role !== 'input').map(({ dtype }) => dtype);
  const libraries = linkLines(sources);
  const lines: DraftLine[] = [
    ...scalarLines(binding),
    oracle === undefined
      ? {
          key: 'oracle',
          value: `{ cuda: ${[oraclePath, ...libraries.map(({ key, value }) => `${key}: ${value}`)].join(', ')} }`,
          comment: 'a copy of the adopted function',
        }
      : { key: 'oracle', value: `{ module: ${oracle.module}, function: ${oracle.function} }` },
    { key: 'tolerance', value: toleranceOf(outputs), comment: 'assumed from the type of the outputs' },
  ];
  return {
    entrance: 'cuda',
    candidates: candidatesOf(signatures),
    adopted: signature.name,
    problem,
    dims: binding.dims,
    tensors: binding.tensors.map(draftTensor),
    lines,
    cases: { first: sizes },
    caseComments: { first: sizesComment(binding.dims, request.sizes) },
    kernels: [
      {
        name: `${problem}-cuda`,
        lines: [
          { key: 'problem', value: problem },
          { key: 'device', value: 'cuda' },
          { key: 'language', value: 'cuda' },
          { key: 'sources', value: `[pawl_${problem}.cu]`, comment: `includes ${basename(named)}` },
          ...(sources.outside.length > 0 ? [{ key: 'include_dirs', value: '[.]' }] : []),
          { key: 'flags', value: `[${flags.join(', ')}]` },
          ...libraries,
          { key: 'arch', value: 'auto', comment: 'that of the GPU at hand' },
          ...tunableLines(binding),
        ],
      },
    ],
    device: 'cuda',
    files: [
      {
        path: `pawl_${problem}.cu`,
        text: wrapperText(binding, { named, include: request.path, definesMain, setup }, launch),
      },
      ...(oracle === undefined
        ? [
            { path: oraclePath, text: cudaOracleText(binding, copy, launch) },
            { path: `oracle/${basename(named)}`, text: sources.main.text },
            ...sources.headers.map((header) => ({ path: `oracle/${header.path}`, text: header.text })),
          ]
        : []),
    ],
    assumed: [
      ...oracleAssumption(request, signature, oraclePath),
      ...typeAssumption(signature, definitions),
      ...launchAssumption(binding, launch),
      ...scratchAssumption(binding),
      ...assumptions(binding, request, flags),
    ],
    missing: missingShapes(binding),
  };
}

/** Host functions that launch something, unless one is named or a launch is told. */
function chooseLaunchable(
  all: readonly Signature[],
  { function: named, grid, named: file }: CudaRequest,
): Signature {
  const globals = all.filter(({ place }) => place === 'global');
  const launchers = all.filter(({ place, launches }) => place === 'host' && launches);
  if (named !== undefined) return chooseFunction(all, named, file);
  if (grid !== undefined) return chooseFunction(globals, undefined, file);
  if (launchers.some(({ obstacle }) => obstacle === undefined) || globals.length === 0) {
    return chooseFunction(launchers.length > 0 ? launchers : all, undefined, file);
  }
  const names = globals.map(({ text }) => `  ${text}`).join('\n');
  throw new PawlError(
    'usage',
    `${file} has no host function that launches its kernels: give the launch with --function, --grid and --block.`,
    `It defines\n${names}`,
  );
}

function launchOf(binding: Binding, { grid, block, shared }: CudaRequest): Launch {
  if (grid === undefined || block === undefined) {
    throw new PawlError(
      'usage',
      `${binding.signature.name} is a __global__ function: give its launch with --grid and --block.`,
      'They are formulas over its integer parameters: --grid "ceildiv(n, 256)" --block 256',
    );
  }
  const inC = (text: string, option: string) => extentsInC(text, option, integersOf(binding), local);
  return {
    grid: inC(grid, '--grid'),
    block: inC(block, '--block'),
    shared: inC(shared ?? '0', '--shared')[0]!,
  };
}

/** Libraries of CUDA by the header that a source includes. */
const LIBRARIES = {
  cublas_v2: 'cublas',
  cublasLt: 'cublasLt',
  curand: 'curand',
  cufft: 'cufft',
  cusparse: 'cusparse',
};

function linkLines({ main, headers }: CudaRequest['sources']): DraftLine[] {
  const texts = [main.text, ...headers.map(({ text }) => text)];
  const links = Object.entries(LIBRARIES)
    .filter(([header]) =>
      texts.some((text) => new RegExp(`#\\s*include\\s*[<"]${header}\\.h[>"]`, 'u').test(text)),
    )
    .map(([, library]) => `-l${library}`);
  return links.length === 0 ? [] : [{ key: 'links', value: `[${links.join(', ')}]` }];
}

function oracleAssumption({ oracle }: CudaRequest, { name }: Signature, path: string): Assumption[] {
  if (oracle !== undefined) return [];
  return [
    {
      about: 'oracle',
      text: `no oracle was found, so ${name} as it is now is the reference (a copy in oracle/): later versions must compute the same. To check this version too, write a correct implementation into ${path}, or name a Python function with --oracle FILE.py:NAME`,
    },
  ];
}

/** Names of memory in which a function works. */
const SCRATCH = /^(?:d_?)?(?:scratch|workspace|work|ws|te?mp|partials?|buf(?:fer)?)(?:_|\d|$)/iu;

function scratchAssumption({ tensors }: Binding): Assumption[] {
  const named = tensors.filter(({ name, role }) => role === 'output' && SCRATCH.test(name));
  return named.map(({ name }) => ({
    about: 'roles',
    text: `${name} is compared like every output: if the function only works in it, say --workspace ${name}=ELEMENTS`,
  }));
}

function launchAssumption(
  { signature, arguments: passed }: Binding,
  launch: Launch | undefined,
): Assumption[] {
  const found: Assumption[] = [{ about: 'device', text: 'every pointer points to device memory' }];
  if (launch === undefined && !passed.some(({ kind }) => kind === 'stream')) {
    found.push({
      about: 'launch',
      text: `${signature.name} does not take a stream: it is measured on the stream that it uses`,
    });
  }
  return found;
}
