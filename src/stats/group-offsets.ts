import { median } from './quantile.ts';

/** How far the values of each group lie from those of the first, where the series itself can tell. */
export interface GroupOffsets<Group> {
  readonly offsets: ReadonlyMap<Group, GroupOffset>;
  /** To be taken off each value. */
  readonly byValue: Float64Array;
}

interface GroupOffset {
  readonly offset: number;
  /** Neighbours that it was read off. */
  readonly pairs: number;
}

/** Neighbours of two groups, of which one step or one bad run may spoil two: a median of fewer is not an offset. */
const LEAST_PAIRS = 6;
const ROUNDS = 20;

/**
 * Offsets between groups of a series, such as machines that took its values in turn: each the median of the
 * differences between neighbours of different groups, which know nothing of levels. Groups that the series changed
 * between too rarely are left as they are: a machine that replaced another cannot be told from a change of level.
 */
export function groupOffsets<Group>(
  values: Float64Array,
  groups: readonly (Group | undefined)[],
): GroupOffsets<Group> {
  const pairs = neighbours(values, groups);
  const counts = new Map<Group, number>();
  for (const group of groups) if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
  const [first, ...others] = [...counts].sort((a, b) => b[1] - a[1]).map(([group]) => group);
  const offsets = new Map<Group, GroupOffset>();
  if (first !== undefined) offsets.set(first, { offset: 0, pairs: 0 });
  // A group can be tied to one that was only now tied itself.
  for (let round = 0; round < ROUNDS; round++) {
    for (const group of others) {
      const told = (pairs.get(group) ?? []).flatMap(({ other, difference }) => {
        const known = offsets.get(other);
        return known === undefined ? [] : [difference + known.offset];
      });
      if (told.length >= LEAST_PAIRS) offsets.set(group, { offset: median(told), pairs: told.length });
    }
  }
  const byValue = Float64Array.from(values, (_, at) => {
    const group = groups[at];
    return group === undefined ? 0 : (offsets.get(group)?.offset ?? 0);
  });
  return { offsets, byValue };
}

interface Neighbour<Group> {
  readonly other: Group;
  /** The group's value less the other's. */
  readonly difference: number;
}

function neighbours<Group>(
  values: Float64Array,
  groups: readonly (Group | undefined)[],
): ReadonlyMap<Group, readonly Neighbour<Group>[]> {
  const found = new Map<Group, Neighbour<Group>[]>();
  const add = (group: Group, other: Group, difference: number): void => {
    const known = found.get(group);
    if (known === undefined) found.set(group, [{ other, difference }]);
    else known.push({ other, difference });
  };
  for (let at = 1; at < values.length; at++) {
    const [before, after] = [groups[at - 1], groups[at]];
    if (before === undefined || after === undefined || before === after) continue;
    const step = values[at]! - values[at - 1]!;
    add(after, before, step);
    add(before, after, -step);
  }
  return found;
}
