import { Cholesky } from '../../../stats/cholesky.ts';
import { distance } from './column.ts';
import { Kernel } from './kernel.ts';

/** Least part of a variance that a row of the covariance matrix keeps; far below any noise. */
export const LEAST_VARIANCE = 1e-9;

/** Rprop's factors and bounds (Riedmiller & Braun, 1993); a step is in logarithms. */
const GROW = 1.2;
const SHRINK = 0.5;
const FIRST_STEP = 0.3;
const LEAST_STEP = 0.02;
const MOST_STEP = 0.6;
/** Standard deviations of its prior that a hyperparameter may go from the median. */
const MOST_SPREADS = 3;

/**
 * Climbs the hyperparameters' posterior, a step at a time: the marginal likelihood of the observations times a lognormal
 * prior (Rasmussen & Williams, "Gaussian processes for machine learning", 2006, eq. 5.9). Rprop needs only the signs of
 * the gradient and takes up where it stopped when observations have joined.
 */
export class KernelFit {
  readonly #steps: Float64Array;
  readonly #signs: Float64Array;
  #kernel: Kernel;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#steps = new Float64Array(kernel.layout.count).fill(FIRST_STEP);
    this.#signs = new Float64Array(kernel.layout.count);
  }

  get kernel(): Kernel {
    return this.#kernel;
  }

  /** @param targets of the points, with mean 0 and variance 1 */
  step(points: readonly Uint16Array[], targets: Float64Array): void {
    const { layout, encoding, constant } = this.#kernel;
    const gradient = likelihoodGradient(this.#kernel, points, targets);
    const theta = Float64Array.from(this.#kernel.theta);
    for (let i = 0; i < layout.count; i++) {
      const spread = layout.spreads[i]!;
      if (spread === 0) continue;
      const median = layout.medians[i]!;
      const slope = gradient[i]! - (theta[i]! - median) / spread ** 2;
      const sign = Math.sign(slope);
      const turn = sign * this.#signs[i]!;
      if (turn > 0) this.#steps[i] = Math.min(MOST_STEP, this.#steps[i]! * GROW);
      else if (turn < 0) this.#steps[i] = Math.max(LEAST_STEP, this.#steps[i]! * SHRINK);
      this.#signs[i] = sign;
      const moved = theta[i]! + sign * Math.min(this.#steps[i]!, Math.abs(slope));
      const reach = MOST_SPREADS * spread;
      theta[i] = Math.max(median - reach, Math.min(median + reach, moved));
    }
    this.#kernel = new Kernel(encoding, layout, theta, constant);
  }
}

/** d log p(targets) / d theta. */
function likelihoodGradient(
  kernel: Kernel,
  points: readonly Uint16Array[],
  targets: Float64Array,
): Float64Array {
  const count = points.length;
  const products = new Float64Array(count * count);
  const cholesky = new Cholesky(count);
  const row = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < i; k++) {
      const product = kernel.productOf(points[i]!, points[k]!);
      products[i * count + k] = product;
      row[k] = product + kernel.sumOf(points[i]!, points[k]!);
    }
    row[i] = kernel.variance + kernel.noise;
    cholesky.append(row, LEAST_VARIANCE);
  }
  const weights = gradientWeights(cholesky, targets);
  return sumGradient(kernel, points, products, weights);
}

/** ½ (α αᵀ − K⁻¹), lower triangle, off the diagonal doubled: what dK/dθ is weighted with. */
function gradientWeights(cholesky: Cholesky, targets: Float64Array): Float64Array {
  const { size } = cholesky;
  const inverse = cholesky.inverse();
  const alpha = new Float64Array(size);
  const weights = new Float64Array(size * size);
  for (let r = 0; r < size; r++) {
    const row = r * size;
    let whitened = 0;
    for (let k = 0; k <= r; k++) whitened += inverse[row + k]! * targets[k]!;
    for (let k = 0; k <= r; k++) alpha[k]! += whitened * inverse[row + k]!;
    for (let i = 0; i <= r; i++) {
      const value = inverse[row + i]!;
      const target = i * size;
      for (let k = 0; k <= i; k++) weights[target + k]! -= value * inverse[row + k]!;
    }
  }
  for (let i = 0; i < size; i++) {
    for (let k = 0; k <= i; k++) weights[i * size + k]! += alpha[i]! * alpha[k]!;
    weights[i * size + i]! *= 0.5;
  }
  return weights;
}

function sumGradient(
  kernel: Kernel,
  points: readonly Uint16Array[],
  products: Float64Array,
  weights: Float64Array,
): Float64Array {
  const { layout, scales, mismatches, additives, encoding } = kernel;
  const { columns, tunables } = encoding;
  const count = points.length;
  const gradient = new Float64Array(layout.count);
  let trace = 0;
  for (let i = 0; i < count; i++) {
    trace += weights[i * count + i]!;
    const one = points[i]!;
    for (let k = 0; k < i; k++) {
      const other = points[k]!;
      const weight = weights[i * count + k]!;
      const product = weight * products[i * count + k]!;
      gradient[layout.product]! += product;
      for (let c = 0; c < columns.length; c++) {
        const a = one[c]!;
        const b = other[c]!;
        if (c < tunables) gradient[layout.additive + c]! += weight * kernel.additiveLikeness(c, a, b);
        if (a === b) continue;
        const r = scales[c]! * distance(columns[c]!, a, b);
        gradient[c]! -= (product * (r * r * (1 + r))) / (3 + 3 * r + r * r);
        if (c < tunables) gradient[layout.mismatch + c]! -= product * mismatches[c]!;
      }
    }
  }
  gradient[layout.product]! += trace * kernel.product;
  gradient[layout.noise] = trace * kernel.noise;
  for (let j = 0; j < tunables; j++) {
    gradient[layout.additive + j] = (gradient[layout.additive + j]! + trace) * additives[j]!;
  }
  return gradient;
}
