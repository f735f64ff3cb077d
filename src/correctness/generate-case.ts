import { defined } from '../model/defined.ts';
import type { FuzzDim, FuzzSpace } from '../config/fuzz-space.ts';
import type { FuzzCase } from '../model/problem/fuzz-case.ts';
import type { DtypeChoice } from '../model/problem/dtype-choice.ts';
import { nextBelow, Xoshiro128 } from '../stats/index.ts';
import type { Random } from '../stats/index.ts';
import { kindsFor } from './case-values.ts';
import { drawExtent, pickOne, snap } from './draw-extent.ts';

/** An odd constant (Steele and Vigna 2022, "Computationally easy, spectrally good multipliers"): cases share no state. */
const CASE_STEP = 0xd1342543de82ef95n;
/** One case in this many is as large as the limits allow. */
const LARGEST_EVERY = 40;
/** Of inputs that may hold NaN or infinities, one case in this many has some. */
const NONFINITE_EVERY = 6;
/** Most cases get a thousandth to all of the room, evenly in its logarithm: small ones find as much and cost less. */
const ROOM_DECADES = 3;
const MOST_DRAWS = 200;

type Dims = Record<string, number>;

/** Case `index` of a seed: always the same for the same space. Undefined where nothing that fits was found. */
export function generateCase(space: FuzzSpace, seed: bigint, index: number): FuzzCase | undefined {
  const random = new Xoshiro128(BigInt.asUintN(64, seed + (BigInt(index) + 1n) * CASE_STEP));
  const dtype = pickOne(space.parts.dtypes, random);
  const dims = drawDims(space, dtype, random);
  if (dims === undefined) return undefined;
  const values = drawValues(space, dtype, random);
  const digits = (BigInt(random.nextUint32()) << 32n) | BigInt(random.nextUint32());
  return { dims, ...defined({ dtype }), values, seed: digits.toString() };
}

function drawDims(space: FuzzSpace, dtype: DtypeChoice | undefined, random: Random): Dims | undefined {
  const { dims, hints, recordedFor } = space.parts;
  if (recordedFor !== undefined) return drawRecorded(space, recordedFor, dtype, random);
  const isLargest = nextBelow(random, LARGEST_EVERY) === 0;
  const share = isLargest ? 1 : 10 ** (-ROOM_DECADES * random.nextOpen());
  const fits = (each: Dims, room: number) => {
    const plan = space.contains(each) ? space.plan('generated', each, dtype) : undefined;
    return plan !== undefined && space.fits(plan, room);
  };
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const drawn: Dims = Object.fromEntries(
      dims.map((dim) => [
        dim.name,
        'values' in dim ? pickOne(dim.values, random) : drawExtent(dim, hints, random),
      ]),
    );
    // What can only be had large is had large, rather than not at all.
    const room = draw < MOST_DRAWS / 2 ? share : 1;
    if (!fits(drawn, room) && !reduce(drawn, dims, (each) => fits(each, room))) continue;
    if (isLargest) enlarge(drawn, pickOne(dims, random), (each) => fits(each, 1));
    return drawn;
  }
  return undefined;
}

/** Of the sizes that there are recordings for, one that fits. */
function drawRecorded(
  space: FuzzSpace,
  sizes: readonly Dims[],
  dtype: DtypeChoice | undefined,
  random: Random,
): Dims | undefined {
  const fitting = sizes.filter((each) => {
    const plan = space.contains(each) ? space.plan('generated', each, dtype) : undefined;
    return plan !== undefined && space.fits(plan);
  });
  return fitting.length === 0 ? undefined : { ...pickOne(fitting, random) };
}

/** Halves the largest extent until the case fits; to 2 at least, since strides hide at 1. */
function reduce(drawn: Dims, dims: readonly FuzzDim[], fits: (each: Dims) => boolean): boolean {
  const ranged = dims.flatMap((dim) => ('values' in dim ? [] : [dim]));
  for (;;) {
    const [largest] = ranged
      .filter((dim) => (drawn[dim.name] ?? 0) > Math.max(2, snap(dim.min, dim)))
      .sort((a, b) => (drawn[b.name] ?? 0) - (drawn[a.name] ?? 0));
    if (largest === undefined) return false;
    const before = drawn[largest.name] ?? 0;
    // An odd extent stays odd: half of a ragged size should be ragged too.
    const half = Math.max(2, Math.floor(before / 2));
    const next = snap(before % 2 === 1 && half % 2 === 0 ? half + 1 : half, largest);
    drawn[largest.name] = next < before ? next : snap(largest.min, largest);
    if (fits(drawn)) return true;
  }
}

/** The largest extent of one dimension that still fits, the others as they are. */
function enlarge(drawn: Dims, dim: FuzzDim, fits: (each: Dims) => boolean): void {
  if ('values' in dim) return;
  let [low, high] = [(drawn[dim.name] ?? dim.min) / dim.multiple, Math.floor(dim.max / dim.multiple)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits({ ...drawn, [dim.name]: middle * dim.multiple })) low = middle;
    else high = middle - 1;
  }
  drawn[dim.name] = low * dim.multiple;
}

function drawValues(
  space: FuzzSpace,
  dtype: DtypeChoice | undefined,
  random: Random,
): Record<string, string> {
  const { inputs, huge } = space.parts;
  const kinds = kindsFor(space.parts.kinds, dtype, huge);
  const shared = nextBelow(random, 2) === 0 ? pickOne(kinds, random) : undefined;
  const values: Record<string, string> = Object.fromEntries(
    inputs.map(({ name }) => [name, shared ?? pickOne(kinds, random)]),
  );
  const special = inputs.filter(({ nonfinite }) => nonfinite.length > 0);
  if (special.length > 0 && nextBelow(random, NONFINITE_EVERY) === 0) {
    const { name, nonfinite } = pickOne(special, random);
    // Beside ordinary numbers only: whether 0·Inf arises must not hang on what underflows in one precision and not
    // in the other.
    for (const input of inputs) values[input.name] = 'normal';
    values[name] = nextBelow(random, 2) === 0 ? nonfinite.join('+') : pickOne(nonfinite, random);
  }
  return values;
}
