import { nextBelow, type Random } from '../../stats/index.ts';
import { growTree, predict, type Leaf, type Observation, type TreeShape } from './regression-tree.ts';

export interface AnovaShares {
  /** Share of the variance that each parameter explains by itself. */
  readonly single: readonly number[];
  /** What two explain together beyond what they do by themselves. */
  readonly pairs: readonly { readonly parameters: readonly [number, number]; readonly share: number }[];
  /** Share of the variance of observations that a tree did not see, which the others predict. */
  readonly explained: number;
}

/** More change nothing in the second digit. */
const TREES = 64;

/**
 * Functional analysis of variance of a random forest (Hutter, Hoos & Leyton-Brown, "An efficient approach for
 * assessing hyperparameter importance", ICML 2014): each tree is constant on boxes, so the mean over all other
 * parameters can be computed exactly from its leaves. All values of a parameter weigh the same, combinations that
 * break a constraint included: there the forest extrapolates from what is near.
 */
export function functionalAnova(
  observations: readonly Observation[],
  shape: TreeShape,
  random: Random,
): AnovaShares {
  const forest = Array.from({ length: TREES }, () => {
    const drawn = new Set<number>();
    const bag = observations.map(() => {
      const index = nextBelow(random, observations.length);
      drawn.add(index);
      return observations[index]!;
    });
    return { leaves: growTree(bag, shape, random), drawn };
  });
  const size = shape.counts.length;
  const pairs = Array.from({ length: size }, (_, one) =>
    Array.from({ length: size - one - 1 }, (_unused, offset) => [one, one + offset + 1] as const),
  ).flat();
  const shares = forest.flatMap(({ leaves }) => treeShares(leaves, shape, pairs) ?? []);
  const mean = (pick: (tree: (typeof shares)[number]) => number): number =>
    shares.length === 0 ? 0 : shares.reduce((sum, tree) => sum + pick(tree), 0) / shares.length;
  return {
    single: shape.counts.map((_, parameter) => mean((tree) => tree.single[parameter]!)),
    pairs: pairs.map((parameters, index) => ({ parameters, share: mean((tree) => tree.pairs[index]!) })),
    explained: outOfBag(observations, forest),
  };
}

function treeShares(
  leaves: readonly Leaf[],
  { counts }: TreeShape,
  pairs: readonly (readonly [number, number])[],
): { readonly single: readonly number[]; readonly pairs: readonly number[] } | undefined {
  const parts = leaves.map(({ allowed, value }) => {
    const shares = allowed.map((values) => values.reduce((sum, each) => sum + each, 0) / values.length);
    return { allowed, value, shares, weight: shares.reduce((product, share) => product * share, 1) };
  });
  const mean = parts.reduce((sum, { weight, value }) => sum + weight * value, 0);
  const variance = parts.reduce((sum, { weight, value }) => sum + weight * (value - mean) ** 2, 0);
  if (!(variance > 0)) return undefined;
  /** Means over everything but one parameter, less the overall mean. */
  const effects = counts.map((count, parameter) =>
    Array.from({ length: count }, (_, value) =>
      parts.reduce(
        (sum, part) =>
          part.allowed[parameter]![value] === 1
            ? sum + (part.weight / part.shares[parameter]!) * (part.value - mean)
            : sum,
        0,
      ),
    ),
  );
  const single = effects.map((own) => own.reduce((sum, each) => sum + each ** 2, 0) / own.length / variance);
  const together = pairs.map(([one, other]) => {
    let sum = 0;
    for (let first = 0; first < counts[one]!; first++) {
      for (let second = 0; second < counts[other]!; second++) {
        const joint = parts.reduce(
          (total, part) =>
            part.allowed[one]![first] === 1 && part.allowed[other]![second] === 1
              ? total + (part.weight / part.shares[one]! / part.shares[other]!) * (part.value - mean)
              : total,
          0,
        );
        sum += (joint - effects[one]![first]! - effects[other]![second]!) ** 2;
      }
    }
    return sum / (counts[one]! * counts[other]!) / variance;
  });
  return { single, pairs: together };
}

function outOfBag(
  observations: readonly Observation[],
  forest: readonly { readonly leaves: readonly Leaf[]; readonly drawn: ReadonlySet<number> }[],
): number {
  const mean = observations.reduce((sum, { value }) => sum + value, 0) / Math.max(1, observations.length);
  let [errors, squares] = [0, 0];
  for (const [index, { point, value }] of observations.entries()) {
    const others = forest.filter(({ drawn }) => !drawn.has(index));
    if (others.length === 0) continue;
    const predicted = others.reduce((sum, { leaves }) => sum + predict(leaves, point), 0) / others.length;
    errors += (value - predicted) ** 2;
    squares += (value - mean) ** 2;
  }
  return squares > 0 ? 1 - errors / squares : 0;
}
