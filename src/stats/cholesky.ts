/**
 * The lower Cholesky factor of a covariance matrix that grows by one row at a time: adding an observation costs n²
 * and not n³. Row-major in one array with a fixed stride.
 */
export class Cholesky {
  #stride: number;
  #factor: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#stride = Math.max(1, capacity);
    this.#factor = new Float64Array(this.#stride * this.#stride);
  }

  get size(): number {
    return this.#size;
  }

  /** Forgets all rows but the first `size`. */
  truncate(size: number): void {
    this.#size = Math.min(this.#size, size);
  }

  /**
   * Adds a row of the covariance matrix, of which the last entry is the variance. Where rounding, or two rows that say
   * the same, leave nothing of the variance, `least` of it is kept.
   */
  append(covariances: Float64Array, least: number): void {
    const size = this.#size;
    if (size === this.#stride) this.#grow();
    const factor = this.#factor;
    const stride = this.#stride;
    const start = size * stride;
    let rest = covariances[size]!;
    for (let j = 0; j < size; j++) {
      const row = j * stride;
      let sum = covariances[j]!;
      for (let k = 0; k < j; k++) sum -= factor[start + k]! * factor[row + k]!;
      const entry = sum / factor[row + j]!;
      factor[start + j] = entry;
      rest -= entry * entry;
    }
    factor[start + size] = Math.sqrt(Math.max(rest, least));
    this.#size = size + 1;
  }

  /** Solves L z = b for the first `z.length` rows. */
  forward(b: ArrayLike<number>, z: Float64Array): void {
    const factor = this.#factor;
    for (let i = 0; i < z.length; i++) {
      const row = i * this.#stride;
      let sum = b[i]!;
      for (let k = 0; k < i; k++) sum -= factor[row + k]! * z[k]!;
      z[i] = sum / factor[row + i]!;
    }
  }

  /**
   * For four right-hand sides, given side by side for each row, the sums of squares of the solutions of L z = b. They
   * go together because reading the factor is what takes the time.
   */
  squaredSolutions(b: Float64Array, z: Float64Array, sums: Float64Array): void {
    const factor = this.#factor;
    sums.fill(0);
    for (let i = 0; i < this.#size; i++) {
      const row = i * this.#stride;
      let one = b[4 * i]!;
      let two = b[4 * i + 1]!;
      let three = b[4 * i + 2]!;
      let four = b[4 * i + 3]!;
      for (let k = 0, at = 0; k < i; k++, at += 4) {
        const entry = factor[row + k]!;
        one -= entry * z[at]!;
        two -= entry * z[at + 1]!;
        three -= entry * z[at + 2]!;
        four -= entry * z[at + 3]!;
      }
      const scale = 1 / factor[row + i]!;
      z[4 * i] = one *= scale;
      z[4 * i + 1] = two *= scale;
      z[4 * i + 2] = three *= scale;
      z[4 * i + 3] = four *= scale;
      sums[0]! += one * one;
      sums[1]! += two * two;
      sums[2]! += three * three;
      sums[3]! += four * four;
    }
  }

  /** Solves Lᵀ x = z in place. */
  backward(z: Float64Array): void {
    const factor = this.#factor;
    for (let i = z.length - 1; i >= 0; i--) {
      const row = i * this.#stride;
      const value = z[i]! / factor[row + i]!;
      z[i] = value;
      for (let k = 0; k < i; k++) z[k]! -= factor[row + k]! * value;
    }
  }

  /** The inverse of the factor, lower triangular, row-major with stride `size`. */
  inverse(): Float64Array {
    const size = this.#size;
    const factor = this.#factor;
    const inverse = new Float64Array(size * size);
    for (let i = 0; i < size; i++) {
      const row = i * size;
      for (let k = 0; k < i; k++) {
        const value = factor[i * this.#stride + k]!;
        const other = k * size;
        for (let c = 0; c <= k; c++) inverse[row + c]! -= value * inverse[other + c]!;
      }
      const scale = 1 / factor[i * this.#stride + i]!;
      for (let c = 0; c < i; c++) inverse[row + c]! *= scale;
      inverse[row + i] = scale;
    }
    return inverse;
  }

  #grow(): void {
    const stride = this.#stride * 2;
    const factor = new Float64Array(stride * stride);
    for (let i = 0; i < this.#size; i++) {
      factor.set(this.#factor.subarray(i * this.#stride, i * this.#stride + i + 1), i * stride);
    }
    this.#factor = factor;
    this.#stride = stride;
  }
}
