import { logGamma } from '../../../stats/log-gamma.ts';
import type { Candidates } from './candidates.ts';
import type { Encoding } from './encoding.ts';
import { productTable } from './level-group.ts';

/** How likely a value is never to run, before anything is known of it. */
const DEAD = 0.2;
/** Rounds of laying blame: it settles in a few. */
const ROUNDS = 5;
/** Weight of the prior of a living value's rate, in trials. */
const RATE_TRIALS = 2;

/**
 * Which values of a tunable never run, whatever the others are: what a gate or a compiler forbids and no constraint
 * says. A value is dead, or it runs at a rate of its own (a spike and a slab: Mitchell & Beauchamp, "Bayesian variable
 * selection in linear regression", 1988): after n failures and no success its next trial runs with a probability that
 * falls as 1/n². A value that ran once is alive, and what fails with it is for the votes near by to tell. A failure
 * counts against a value only as far as no other value of its trial is to blame: what was tried beside a dead value
 * alone is not condemned with it.
 */
export class DeadValues {
  readonly #candidates: Candidates;
  readonly #failed: Uint16Array[] = [];
  /** For each tunable and value, whether it ran. */
  readonly #ran: readonly Uint8Array[];
  /** For each column, ones: no feature is blamed. */
  readonly #untold: readonly Float64Array[];
  readonly #factors: Float64Array;
  #countRan = 0;

  constructor({ columns, tunables }: Encoding, candidates: Candidates) {
    this.#candidates = candidates;
    this.#ran = columns.slice(0, tunables).map(({ positions }) => new Uint8Array(positions.length));
    this.#untold = columns.map(({ positions }) => new Float64Array(positions.length).fill(1));
    this.#factors = new Float64Array(candidates.capacity).fill(1);
  }

  vote(point: Uint16Array, ran: boolean): void {
    if (!ran) {
      this.#failed.push(point);
      return;
    }
    this.#countRan++;
    for (const [column, values] of this.#ran.entries()) values[point[column]!] = 1;
  }

  /** By how much its values make a candidate less likely to run, as of the last update. */
  factor(candidate: number): number {
    return this.#factors[candidate]!;
  }

  update(): void {
    const chances = this.#chances();
    const { count, groups } = this.#candidates;
    this.#factors.fill(1, 0, count);
    for (const group of groups) {
      const { columns, places } = group;
      if (columns.every((column) => chances[column]?.every((chance) => chance === 1) ?? true)) continue;
      const table = productTable(group, (column) => chances[column] ?? this.#untold[column]!);
      for (let k = 0; k < count; k++) this.#factors[k]! *= table[places[k]!]!;
    }
  }

  /** For each tunable and value, the chance that its next trial runs, beside that of a value of which nothing is known. */
  #chances(): Float64Array[] {
    let living = this.#ran.map((values) => Float64Array.from(values, (ran) => (ran === 1 ? 1 : 1 - DEAD)));
    let chances = living;
    for (let round = 0; round < ROUNDS; round++) {
      const { blame, unexplained } = this.#layBlame(living);
      // Where much fails for reasons of its own, a few failures say little about a value.
      const rate = Math.min(0.5, (this.#countRan + 1) / (this.#countRan + unexplained + 2));
      const found = blame.map((values, column) =>
        Array.from(values, (failures, level) =>
          this.#ran[column]![level] === 1 ? { living: 1, runs: 1 } : afterFailures(failures, rate),
        ),
      );
      living = found.map((values) => Float64Array.from(values, (value) => value.living));
      chances = found.map((values) => Float64Array.from(values, (value) => value.runs));
    }
    return chances;
  }

  /** Failures for each value, each as far as the others of its trial are alive; and those that nothing explains. */
  #layBlame(living: readonly Float64Array[]): {
    readonly blame: readonly Float64Array[];
    readonly unexplained: number;
  } {
    const blame = living.map(({ length }) => new Float64Array(length));
    let unexplained = 0;
    for (const point of this.#failed) {
      let all = 1;
      for (const [column, values] of living.entries()) all *= values[point[column]!]!;
      unexplained += all;
      for (const [column, values] of living.entries()) {
        const level = point[column]!;
        blame[column]![level]! += all / values[level]!;
      }
    }
    return { blame, unexplained };
  }
}

/** After so many failures and no success: whether a value lives at all, and its next trial's chance beside the first's. */
function afterFailures(failures: number, rate: number): { readonly living: number; readonly runs: number } {
  const [a, b] = [RATE_TRIALS * rate, RATE_TRIALS * (1 - rate)];
  // How likely a living value is to fail so often, over all rates that it may have.
  const unlucky = Math.exp(
    logGamma(b + failures) + logGamma(a + b) - logGamma(b) - logGamma(a + b + failures),
  );
  const alive = (1 - DEAD) * unlucky;
  const living = alive / (alive + DEAD);
  return { living, runs: (living / (1 - DEAD)) * ((a + b) / (a + b + failures)) };
}
