import { basename } from 'node:path';

import { PawlError } from '../../model/pawl-error.ts';
import { tensorBytes } from '../../model/problem/tensor.ts';
import { Expression } from '../../config/expression/expression.ts';
import {
  fittingSizes,
  formsOf,
  formulasOf,
  freeSizes,
  proportionalSizes,
  type Formulas,
  type FreeSize,
} from './free-sizes.ts';
import type { Inspector } from './inspect.ts';
import type { Called, CalledAll, CallRequest, InspectedFile, Looked } from './inspection.ts';

/** What calling a file showed: its tensors, and in which sizes it can be called here. */
export interface Study {
  /** Called as the file is. */
  readonly base: Called;
  /** The constants that cases set; none where the file is called as it is. */
  readonly free: readonly FreeSize[];
  readonly formulas: Formulas;
  /** The sizes of this machine's case. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * What one call on a CPU may take. A run makes several hundred calls, so these come to seconds and stay within the
 * caches of a server.
 */
const MOST_BYTES = 16 * 2 ** 20;
const MOST_S = 0.02;
/**
 * What calls that compute nothing may take together, after the first: each step of a recurrent layer is a call. Sizes
 * that were not tried stay as they are.
 */
const MOST_META_S = 30;
/** Each is a quarter of the next one. */
const TRIES = 4;

/** Calls the file as it is, sees which of its constants are free, and looks for sizes that fit the device. */
export async function studyFile(
  file: InspectedFile,
  { constants }: Pick<Looked, 'constants'>,
  inspector: Inspector,
  device: 'cpu' | 'cuda',
): Promise<Study> {
  // A GPU takes the file as it is.
  const names = device === 'cuda' ? [] : Object.keys(constants).filter((name) => constants[name]! >= 2);
  const changed = names.map((name) => ({
    name,
    value: constants[name]!,
    tried: Math.floor(constants[name]! / 2),
  }));
  const requests = (on: CallRequest['on']): CallRequest[] => [
    { constants: {}, on },
    ...changed.map(({ name, tried }) => ({ constants: { ...constants, [name]: tried }, on })),
  ];
  const answer = await onMetaOrCpu(file, requests, inspector);
  const [base, ...others] = answer.calls;
  if (base?.ok !== true) throw refused(file, base?.message);
  const tries = changed.flatMap((one, at) => {
    const called = others[at];
    return called?.ok === true ? [{ ...one, called }] : [];
  });
  const asIs = { base, free: [], formulas: formulasOf(base, []), sizes: {}, versions: answer.versions };
  if (device === 'cuda') return asIs;
  const free = freeSizes(base, tries);
  for (const some of [free, proportionalSizes(base, free)]) {
    const fitted = await fit(file, base, some, constants, inspector);
    if (fitted === undefined) return asIs;
    if (isTold(fitted, base, some))
      return { ...asIs, free: some, formulas: formulasOf(base, some), sizes: fitted.sizes };
  }
  return asIs;
}

interface Fitted {
  readonly sizes: Readonly<Record<string, number>>;
  readonly called: Called;
}

/** Whether the formulas of the extents hold in these sizes, too. */
function isTold({ sizes, called }: Fitted, base: Called, free: readonly FreeSize[]): boolean {
  const formulas = formulasOf(base, free);
  return formsOf(called).every(({ shape }, tensor) =>
    shape.every((extent, at) => Expression.parse(formulas[tensor]![at]!).evaluateNumber(sizes) === extent),
  );
}

/** PyTorch's meta device needs no memory and no time; what does not work there is computed. */
async function onMetaOrCpu(
  file: InspectedFile,
  requests: (on: CallRequest['on']) => CallRequest[],
  inspector: Inspector,
): Promise<CalledAll> {
  if (file.framework === 'torch') {
    const answer = await inspector.call({ ...file, all_s: MOST_META_S }, requests('meta'));
    if (answer.calls[0]?.ok === true) return answer;
  }
  return inspector.call(file, requests('cpu'));
}

/** Sizes in which a call is quick on this machine; undefined where those of the file are, or nothing can be changed. */
async function fit(
  file: InspectedFile,
  base: Called,
  free: readonly FreeSize[],
  constants: Readonly<Record<string, number>>,
  inspector: Inspector,
): Promise<Fitted | undefined> {
  const full = Object.fromEntries(free.map(({ name, value }) => [name, value]));
  const bytesOf = bytesIn(base, free);
  const tries = [fittingSizes(full, bytesOf, MOST_BYTES)];
  while (tries.length < TRIES) {
    const last = tries.at(-1)!;
    const next = fittingSizes(last, bytesOf, bytesOf(last) / 4);
    if (bytesOf(next) === bytesOf(last)) break;
    tries.push(next);
  }
  // The smallest first: the next one takes about four times as long, and what is too large is never waited for.
  const ascending = tries.reverse();
  const calls = ascending.map((sizes): CallRequest => ({ constants: { ...constants, ...sizes }, on: 'cpu' }));
  const answer = await inspector.call({ ...file, most_s: MOST_S }, calls);
  const quick = answer.calls.findLastIndex((call) => call.ok && (call.call_s ?? 0) <= MOST_S);
  const at = quick === -1 ? answer.calls.findIndex(({ ok }) => ok) : quick;
  const called = answer.calls[at];
  if (called?.ok !== true) {
    const asIs = free.length === 0 ? undefined : await inspector.call(file, [{ constants: {}, on: 'cpu' }]);
    // It works only in sizes like its own.
    if (asIs?.calls[0]?.ok === true) return undefined;
    const [first] = answer.calls;
    throw refused(
      file,
      first?.ok === false ? first.message : undefined,
      free.length === 0 ? TOO_LARGE : undefined,
    );
  }
  const sizes = ascending[at]!;
  return free.every(({ name, value }) => sizes[name] === value) ? undefined : { sizes, called };
}

/** Of the tensors that grow with the sizes: no size makes the others smaller. */
function bytesIn(
  base: Called,
  free: readonly FreeSize[],
): (sizes: Readonly<Record<string, number>>) => number {
  const formulas = formulasOf(base, free);
  const tensors = formsOf(base).flatMap(({ dtype, shape }, at) =>
    shape.every((extent, index) => formulas[at]![index] === String(extent))
      ? []
      : [{ dtype, formulas: formulas[at]!.map((text) => Expression.parse(text)) }],
  );
  return (sizes) =>
    tensors.reduce((sum, { dtype, formulas }) => {
      const shape = formulas.map((formula) => formula.evaluateNumber(sizes));
      return sum + tensorBytes({ dtype, shape });
    }, 0);
}

const TOO_LARGE =
  'If it is too large for a CPU, make its inputs smaller: Pawl found no constant that it could change safely.';

function refused({ file }: InspectedFile, message = 'it gave no answer', hint?: string): PawlError {
  return new PawlError('bad-data', `${basename(file)}: ${message}.`, hint);
}
