import { nextBelow, type Random } from '../../stats/index.ts';

/** One observation: for each parameter which of its values, and what was seen. */
export interface Observation {
  readonly point: readonly number[];
  readonly value: number;
}

export interface TreeShape {
  /** How many values each parameter has. */
  readonly counts: readonly number[];
  /** Whether they have an order: then splits keep it. */
  readonly ordered: readonly boolean[];
}

/** A box of the space, as the values of each parameter that lie in it, and what the tree says there. */
export interface Leaf {
  readonly allowed: readonly Uint8Array[];
  readonly value: number;
}

/** Fewer observations than this say nothing about a difference between two halves. */
const LEAST_IN_LEAF = 2;
/** Share of the parameters that a split chooses from, as Breiman's forests for regression need more than a third here. */
const TRIED_SHARE = 5 / 6;

interface Split {
  readonly parameter: number;
  /** Values on the left side. */
  readonly left: Uint8Array;
  readonly gain: number;
}

/** The leaves of one randomised regression tree (Breiman, "Random forests", Machine Learning 45(1), 2001). */
export function growTree(observations: readonly Observation[], shape: TreeShape, random: Random): Leaf[] {
  const everything = shape.counts.map((count) => new Uint8Array(count).fill(1));
  const leaves: Leaf[] = [];
  const pending = [{ observations, allowed: everything }];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const split = bestSplit(node.observations, node.allowed, shape, random);
    if (split === undefined) {
      leaves.push({ allowed: node.allowed, value: meanOf(node.observations) });
      continue;
    }
    const { parameter, left } = split;
    for (const side of [1, 0]) {
      const allowed = node.allowed.map((values, index) =>
        index === parameter ? values.map((value, at) => (value === 1 && left[at] === side ? 1 : 0)) : values,
      );
      const own = node.observations.filter(({ point }) => left[point[parameter]!] === side);
      pending.push({ observations: own, allowed });
    }
  }
  return leaves;
}

export function predict(leaves: readonly Leaf[], point: readonly number[]): number {
  const leaf = leaves.find(({ allowed }) => allowed.every((values, index) => values[point[index]!] === 1));
  return leaf?.value ?? 0;
}

function bestSplit(
  observations: readonly Observation[],
  allowed: readonly Uint8Array[],
  { counts, ordered }: TreeShape,
  random: Random,
): Split | undefined {
  if (observations.length < 2 * LEAST_IN_LEAF) return undefined;
  let best: Split | undefined;
  for (const parameter of someParameters(counts.length, random)) {
    const values = allowed[parameter]!;
    const sums = new Float64Array(values.length);
    const sizes = new Float64Array(values.length);
    for (const { point, value } of observations) {
      sums[point[parameter]!]! += value;
      sizes[point[parameter]!]! += 1;
    }
    const total = sums.reduce((sum, each) => sum + each, 0);
    let [sum, size] = [0, 0];
    for (let at = 0; at < values.length; at++) {
      if (values[at] !== 1) continue;
      sum = ordered[parameter] === true ? sum + sums[at]! : sums[at]!;
      size = ordered[parameter] === true ? size + sizes[at]! : sizes[at]!;
      const rest = observations.length - size;
      if (size < LEAST_IN_LEAF || rest < LEAST_IN_LEAF) continue;
      // What the split takes off the sum of squares, up to what all splits share.
      const gain = sum ** 2 / size + (total - sum) ** 2 / rest - total ** 2 / observations.length;
      if (gain <= Math.max(best?.gain ?? 0, 1e-12)) continue;
      const left = values.map((_, index) =>
        (ordered[parameter] === true ? index <= at : index === at) ? 1 : 0,
      );
      best = { parameter, left, gain };
    }
  }
  return best;
}

function someParameters(count: number, random: Random): number[] {
  const all = Array.from({ length: count }, (_, index) => index);
  const wanted = Math.max(1, Math.ceil(TRIED_SHARE * count));
  while (all.length > wanted) all.splice(nextBelow(random, all.length), 1);
  return all;
}

function meanOf(observations: readonly Observation[]): number {
  return observations.reduce((sum, { value }) => sum + value, 0) / Math.max(1, observations.length);
}
