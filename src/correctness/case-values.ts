import { chosenDtypes } from '../model/problem/dtype-choice.ts';
import type { DtypeChoice } from '../model/problem/dtype-choice.ts';
import { NONFINITE } from '../model/problem/fuzz-case.ts';
import type { NonFinite, ValueKind } from '../model/problem/fuzz-case.ts';
import { DTYPES, isFloating } from '../model/problem/tensor.ts';
import type { Fill, TensorSpec } from '../model/problem/tensor.ts';

/** Small enough that squares vanish beside ones in f16, large enough that they are not zero there. */
const TINY = 1e-3;
/** The largest scale of `mixed`, whose smallest is a thousandth. */
const MIXED_SCALE = 10;
/** Normal numbers stay within this many standard deviations in practice. */
const DEVIATIONS = 8;
/** In a large tensor one element in a thousand; in a small one, two. */
const NONFINITE_SHARE = 1e-3;
const LEAST_NONFINITE = 2;

/** How a runner fills an input with these values; undefined: as pawl.yaml says. */
export function fillFor(values: string, tensor: TensorSpec, huge: number): Fill | undefined {
  const special = values
    .split('+')
    .filter((each): each is NonFinite => NONFINITE.some((one) => one === each));
  if (special.length > 0) {
    const elements = tensor.shape.reduce((product, extent) => product * extent, 1);
    const share = Math.min(1, Math.max(NONFINITE_SHARE, LEAST_NONFINITE / elements));
    return { kind: 'nonfinite', values: special, share };
  }
  switch (values as ValueKind | 'own') {
    case 'own':
      return undefined;
    case 'normal':
      return { kind: 'normal', mean: 0, std: 1 };
    case 'uniform':
      return { kind: 'uniform', low: -1, high: 1 };
    case 'huge':
      return { kind: 'normal', mean: 0, std: huge };
    case 'tiny':
      return { kind: 'normal', mean: 0, std: TINY };
    case 'denormal':
      return { kind: 'denormal' };
    case 'constant-rows':
      return { kind: 'constant-rows', std: 1 };
    case 'spikes':
      return { kind: 'spikes', low: 0, high: huge };
    case 'mixed':
      return { kind: 'mixed', scale: MIXED_SCALE };
  }
}

/** How much larger than one the values are: absolute errors grow with them. */
export function scaleOf(values: string, huge: number): number {
  if (values === 'huge' || values === 'spikes') return Math.max(1, huge);
  return values === 'mixed' ? MIXED_SCALE : 1;
}

/** The kinds that a type can hold. */
export function kindsFor(
  kinds: readonly ValueKind[],
  choice: DtypeChoice | undefined,
  huge: number,
): readonly ValueKind[] {
  const chosen = choice === undefined ? [] : [...chosenDtypes(choice).values()];
  const largest = Math.min(...chosen.map((dtype) => (isFloating(dtype) ? DTYPES[dtype].largest : Infinity)));
  const held = kinds.filter((kind) => scaleOf(kind, huge) * DEVIATIONS <= largest);
  return held.length === 0 ? ['normal'] : held;
}
