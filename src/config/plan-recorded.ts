import { dimsText } from './match-cases.ts';
import type { Path } from './mistake.ts';
import type { CaseDims, Problem } from './problem-schema.ts';
import {
  integerRange,
  isFloating,
  type Dtype,
  type RecordedFill,
  type TensorSpec,
} from '../model/problem/tensor.ts';
import { filesOf, type RecordedSetting } from './recorded-schema.ts';

/** What a recorded tensor is meant for. */
interface Wanted {
  readonly problem: Problem;
  /** Of the case. */
  readonly name: string;
  readonly values: CaseDims;
  /** As the problem declares it: what a kernel makes of it is its own. */
  readonly dtype: Dtype;
  readonly shape: readonly number[];
}

interface PlannedRecording {
  readonly fill: RecordedFill;
  /** `path` begins at the fill. */
  readonly faults: readonly { readonly path: Path; readonly message: string; readonly isData?: boolean }[];
}

/** The recordings of a tensor in one case. Files that could not be read were told of when that was tried. */
export function planRecorded(setting: RecordedSetting, wanted: Wanted): PlannedRecording {
  const { dtype, shape, name } = wanted;
  const files = filesOf(setting, name) ?? filesOf(setting, declaredName(wanted) ?? name);
  const recordings = (files ?? []).flatMap((file) => setting.found?.[file] ?? []);
  const faults: PlannedRecording['faults'][number][] = [];
  if (files === undefined) faults.push({ path: ['file'], message: `has no file for case ${name}` });
  for (const [index, file] of (files ?? []).entries()) {
    const found = setting.found?.[file];
    if (found === undefined) continue;
    const why = misfit(found, { dtype, shape, name });
    const at = files?.length === 1 ? ['file'] : ['file', index];
    if (why !== undefined) faults.push({ path: at, message: `${file}: ${why}`, isData: true });
  }
  const types = new Set(recordings.map((one) => one.dtype));
  if (types.size > 1)
    faults.push({ path: ['file'], message: `its files have types of their own: ${[...types].join(', ')}` });
  const fill: RecordedFill = {
    kind: 'recorded',
    dtype: recordings[0]?.dtype ?? dtype,
    recordings: recordings.map(({ path, offset, sha256 }) => ({ path, offset, sha256 })),
    vary: varies(setting, dtype),
  };
  return { fill, faults };
}

export function varies({ vary }: RecordedSetting, dtype: Dtype): boolean {
  return vary ?? integerRange(dtype) === undefined;
}

/** A case that fuzzing draws again has no name; it is the one with these dimensions. */
function declaredName({ problem, values }: Wanted): string | undefined {
  const text = dimsText(problem, values);
  return Object.keys(problem.cases).find((name) => dimsText(problem, problem.cases[name]!) === text);
}

/** NumPy has no bf16 and no 8-bit floats: small types may be recorded as f32. */
function misfit(
  found: { readonly dtype: Dtype; readonly shape: readonly number[] },
  { dtype, shape, name }: Pick<Wanted, 'dtype' | 'shape' | 'name'>,
): string | undefined {
  const isRounded = found.dtype === 'f32' && isFloating(dtype) && dtype !== 'f64';
  if (found.dtype !== dtype && !isRounded) return `it holds ${found.dtype}, and ${dtype} is declared`;
  if (found.shape.length === shape.length && found.shape.every((extent, axis) => extent === shape[axis])) {
    return undefined;
  }
  return `its shape is [${found.shape.join(', ')}], and [${shape.join(', ')}] is declared in case ${name}`;
}

/** The first recordings of all tensors are used together, then the second, and so on. */
export function unevenRecordings(
  tensors: readonly TensorSpec[],
): { readonly tensor: string; readonly message: string } | undefined {
  const counted = tensors.flatMap(({ name, fill }) =>
    fill.kind === 'recorded' && fill.recordings.length > 1 ? [{ name, count: fill.recordings.length }] : [],
  );
  const [first] = counted;
  const other = counted.find(({ count }) => count !== first?.count);
  if (first === undefined || other === undefined) return undefined;
  const message = `has ${other.count} recordings, and ${first.name} ${first.count}: they are used together, so they are one or as many`;
  return { tensor: other.name, message };
}
