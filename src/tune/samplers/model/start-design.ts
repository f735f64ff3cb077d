import type { Point } from '../../space/space.ts';
import type { History } from '../history.ts';
import { distance } from './column.ts';
import { Encoding } from './encoding.ts';
import { powersOfTwo } from './features.ts';
import { PLAIN_VIEW } from './settings.ts';
import type { ModelSettings } from './settings.ts';

/** What any difference in a tunable adds to the squared distance. */
const MISMATCH = 0.15;
/** Points drawn for each one kept, where the roundest are wanted. */
const ROUND_DRAWS = 10;

/**
 * The first trials: points of the feasible set, far from each other (Johnson, Moore & Ylvisaker, 1990). The first of
 * them are round where they can be: powers of two divide most problems, warps and vectors evenly, and where a space has
 * both kinds, the best variants are mostly among them.
 */
export class StartDesign {
  readonly #history: History;
  readonly #settings: ModelSettings;
  readonly #round: number;
  readonly #encoding: Encoding;
  readonly #roundness: (point: Point) => number;

  constructor(history: History, count: number, settings: ModelSettings) {
    this.#history = history;
    this.#settings = settings;
    this.#round = settings.startRound * count;
    this.#encoding = new Encoding(history.space, [], PLAIN_VIEW);
    this.#roundness = powersOfTwo(history.space);
  }

  /** Of the points drawn, the one farthest from the nearest of those tried. */
  next(): Point | undefined {
    const { space, random, measured, rejected, pending } = this.#history;
    const points = [...measured.map(({ point }) => point), ...rejected, ...pending];
    const { startDraws } = this.#settings;
    const isRound = points.length < this.#round;
    const drawn = space
      .sample(isRound ? ROUND_DRAWS * startDraws : startDraws, random)
      .filter((point) => !this.#history.isSeen(point));
    if (isRound) drawn.sort((one, other) => this.#roundness(other) - this.#roundness(one));
    const tried = points.map((point) => this.#encoding.encode(point));
    let best: Point | undefined;
    let farthest = -1;
    for (const point of drawn.slice(0, startDraws)) {
      const encoded = this.#encoding.encode(point);
      const nearest = tried.reduce(
        (least, other) => Math.min(least, this.#squared(encoded, other)),
        Infinity,
      );
      if (nearest > farthest) {
        best = point;
        farthest = nearest;
      }
    }
    return best;
  }

  #squared(one: Uint16Array, other: Uint16Array): number {
    let sum = 0;
    for (const [at, column] of this.#encoding.columns.entries()) {
      if (one[at] !== other[at]) sum += MISMATCH + distance(column, one[at]!, other[at]!) ** 2;
    }
    return sum;
  }
}
