import { distance } from './column.ts';
import type { Encoding } from './encoding.ts';
import type { Layout } from './hyperparameters.ts';

const SQRT_5 = Math.sqrt(5);

/** How alike two different levels of a tunable are at most in the additive part: single values have effects of their own. */
const ADDITIVE_LIKENESS = 0.8;
/** The length scale of the additive part, over positions in [0, 1]. */
const ADDITIVE_LENGTH = 0.5;

/**
 * The covariance of two points' times: a constant, plus a sum over tunables (main effects, which few trials teach: Duvenaud,
 * Nickisch & Rasmussen, "Additive Gaussian processes", 2011), plus a product over all columns of Matérn-5/2 in each
 * (interactions) with a penalty for every tunable that differs at all (values with an effect of their own).
 */
export class Kernel {
  readonly encoding: Encoding;
  readonly layout: Layout;
  /** Logarithms, as the layout has them. */
  readonly theta: Float64Array;
  readonly scales: Float64Array;
  readonly mismatches: Float64Array;
  readonly product: number;
  readonly additives: Float64Array;
  readonly noise: number;
  readonly constant: number;
  /** A point's variance before any observation, noise left out. */
  readonly variance: number;
  /** For each column and level, once they are asked for. */
  readonly #factors: readonly (Float64Array | undefined)[][];
  readonly #terms: readonly (Float64Array | undefined)[][];

  constructor(encoding: Encoding, layout: Layout, theta: Float64Array, constant: number) {
    this.encoding = encoding;
    this.layout = layout;
    this.theta = theta;
    this.scales = theta.slice(0, layout.columns).map((value) => SQRT_5 * Math.exp(value));
    this.mismatches = theta.slice(layout.mismatch, layout.product).map(Math.exp);
    this.product = Math.exp(theta[layout.product]!);
    this.additives = theta.slice(layout.additive, layout.noise).map(Math.exp);
    this.noise = Math.exp(theta[layout.noise]!);
    this.constant = constant;
    this.#factors = encoding.columns.map(({ positions }) => noneYet(positions.length));
    this.#terms = encoding.columns
      .slice(0, layout.tunables)
      .map(({ positions }) => noneYet(positions.length));
    this.variance = this.product + constant + this.additives.reduce((sum, one) => sum + one, 0);
  }

  /** The product part of the covariance of two encoded points. */
  productOf(one: Uint16Array, other: Uint16Array): number {
    let product = this.product;
    for (let c = 0; c < this.#factors.length; c++) product *= this.factorsOf(c, one[c]!)[other[c]!]!;
    return product;
  }

  /** The additive part and the constant. */
  sumOf(one: Uint16Array, other: Uint16Array): number {
    let sum = this.constant;
    for (let j = 0; j < this.#terms.length; j++) sum += this.termsOf(j, one[j]!)[other[j]!]!;
    return sum;
  }

  /** A rational quadratic kernel (α = 1) of one tunable, lowered for levels that differ. */
  additiveLikeness(tunable: number, one: number, other: number): number {
    if (one === other) return 1;
    const r = distance(this.encoding.columns[tunable]!, one, other) / ADDITIVE_LENGTH;
    return ADDITIVE_LIKENESS / (1 + r * r);
  }

  /** A column's factor of the product part, for each of its levels against one level. */
  factorsOf(column: number, level: number): Float64Array {
    return (this.#factors[column]![level] ??= this.#newFactors(column, level));
  }

  /** A tunable's term of the additive part, for each of its levels against one level. */
  termsOf(tunable: number, level: number): Float64Array {
    return (this.#terms[tunable]![level] ??= this.#newTerms(tunable, level));
  }

  #newFactors(column: number, level: number): Float64Array {
    const { columns, tunables } = this.encoding;
    const penalty = column < tunables ? this.mismatches[column]! : 0;
    return columns[column]!.positions.map((_, other) => {
      if (other === level) return 1;
      const r = this.scales[column]! * distance(columns[column]!, level, other);
      return (1 + r + (r * r) / 3) * Math.exp(-r - penalty);
    });
  }

  #newTerms(tunable: number, level: number): Float64Array {
    return this.encoding.columns[tunable]!.positions.map(
      (_, other) => this.additives[tunable]! * this.additiveLikeness(tunable, level, other),
    );
  }
}

function noneYet(levels: number): (Float64Array | undefined)[] {
  return Array.from({ length: levels });
}
