import type { BisectAnswer } from '../../model/reports/bisect-report.ts';

/**
 * The commits after GOOD, oldest first, the last of them BAD; GOOD itself is at −1. What is known of them, by place,
 * and how likely each is the guilty one.
 */
export interface Search {
  readonly answers: ReadonlyMap<number, BisectAnswer>;
  readonly weights: readonly number[];
}

export interface Narrowed {
  readonly lastGood: number;
  readonly firstBad: number;
}

export function narrowed({ answers, weights }: Search): Narrowed {
  let lastGood = -1;
  let firstBad = weights.length - 1;
  for (const [place, answer] of answers) {
    if (answer === 'good') lastGood = Math.max(lastGood, place);
    if (answer === 'bad') firstBad = Math.min(firstBad, place);
  }
  return { lastGood, firstBad };
}

/**
 * The commit to try next: the one that halves what is left of the probability. Around commits that cannot be measured
 * it keeps a distance that doubles with each of them, since broken commits come in rows. Undefined where every commit
 * between the last good and the first bad one was tried.
 */
export function nextProbe(search: Search): number | undefined {
  const { answers, weights } = search;
  const { lastGood, firstBad } = narrowed(search);
  const inside = Array.from({ length: Math.max(0, firstBad - lastGood - 1) }, (_, k) => lastGood + 1 + k);
  const failed = inside.filter((place) => answers.has(place));
  const untried = inside.filter((place) => !answers.has(place));
  if (untried.length === 0) return undefined;
  const halves = imbalances(weights, lastGood, firstBad);
  const distance = (place: number): number =>
    Math.min(Infinity, ...failed.map((other) => Math.abs(place - other)));
  for (let apart = 2 ** Math.max(0, failed.length - 1); ; apart /= 2) {
    const far = untried.filter((place) => apart <= 1 || distance(place) >= apart);
    if (far.length === 0) continue;
    return far.reduce((best, place) => (halves.get(place)! < halves.get(best)! - 1e-12 ? place : best));
  }
}

/** For each commit between: how far from one half the probability is that the guilty one is it or an older one. */
function imbalances(weights: readonly number[], lastGood: number, firstBad: number): Map<number, number> {
  const suspects = weights.slice(lastGood + 1, firstBad + 1);
  const total = suspects.reduce((sum, weight) => sum + weight, 0);
  let upTo = 0;
  return new Map(
    suspects.map((weight, k) => {
      upTo += weight;
      return [lastGood + 1 + k, Math.abs(upTo / total - 0.5)];
    }),
  );
}

/** About how many probes are left, if every one is answered. */
export function stepsLeft(search: Search): number {
  const { lastGood, firstBad } = narrowed(search);
  return Math.ceil(Math.log2(Math.max(1, firstBad - lastGood)));
}
