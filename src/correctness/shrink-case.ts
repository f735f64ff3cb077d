import type { FuzzDim, FuzzSpace } from '../config/fuzz-space.ts';
import type { FuzzCase } from '../model/problem/fuzz-case.ts';
import { OWN_VALUES } from '../model/problem/fuzz-case.ts';
import { snap } from './draw-extent.ts';

export interface ShrinkOptions {
  /** Runs a case: does it fail in the same way? */
  readonly stillFails: (each: FuzzCase) => Promise<boolean>;
  readonly maxAttempts: number;
  /** True once the time is up. */
  readonly isOver: () => boolean;
}

export interface Shrunk {
  readonly case: FuzzCase;
  readonly attempts: number;
}

/**
 * The smallest and plainest case found that still fails: plain values first, since they say most, then each
 * dimension by bisection, again and again until nothing more goes (Zeller and Hildebrandt 2002, greedy variant).
 */
export async function shrinkCase(
  space: FuzzSpace,
  failing: FuzzCase,
  options: ShrinkOptions,
): Promise<Shrunk> {
  const shrinking = new Shrinking(space, failing, options);
  do await shrinking.pass();
  while (shrinking.moved && shrinking.mayGoOn);
  return { case: shrinking.best, attempts: shrinking.attempts };
}

class Shrinking {
  readonly #space: FuzzSpace;
  readonly #options: ShrinkOptions;
  readonly #tried = new Set<string>();
  best: FuzzCase;
  attempts = 0;
  /** Whether the last pass found anything smaller. */
  moved = false;

  constructor(space: FuzzSpace, failing: FuzzCase, options: ShrinkOptions) {
    this.#space = space;
    this.#options = options;
    this.best = failing;
    this.#tried.add(JSON.stringify(failing));
  }

  get mayGoOn(): boolean {
    return this.attempts < this.#options.maxAttempts && !this.#options.isOver();
  }

  async pass(): Promise<void> {
    this.moved = false;
    await this.#plainValues();
    await this.#defaultType();
    for (const dim of this.#space.parts.dims) await this.#shrinkDim(dim);
  }

  async #plainValues(): Promise<void> {
    const names = Object.keys(this.best.values).filter(
      (name) => this.best.values[name] !== 'normal' && this.best.values[name] !== OWN_VALUES,
    );
    if (names.length === 0) return;
    const normal = (chosen: readonly string[]) => ({
      ...this.best.values,
      ...Object.fromEntries(chosen.map((name) => [name, 'normal'])),
    });
    if (await this.#try({ ...this.best, values: normal(names) })) return;
    if (names.length === 1) return;
    for (const name of names) await this.#try({ ...this.best, values: normal([name]) });
  }

  async #defaultType(): Promise<void> {
    const [first] = this.#space.parts.dtypes;
    if (first !== undefined && first !== this.best.dtype) await this.#try({ ...this.best, dtype: first });
  }

  async #shrinkDim(dim: FuzzDim): Promise<void> {
    const current = this.best.dims[dim.name];
    if (current === undefined) return;
    if ('values' in dim) {
      const smaller = dim.values.filter((value) => value < current).sort((a, b) => a - b);
      for (const value of smaller) if (await this.#tryDim(dim, value)) return;
      return;
    }
    let low = snap(dim.min, dim);
    if (current <= low || (await this.#tryDim(dim, low))) return;
    // Bisection assumes that all above the smallest failing extent fail, which only makes it quick, not wrong.
    for (let high = current; high - low > dim.multiple && this.mayGoOn;) {
      const middle = snap((low + high) / 2, dim);
      if (middle <= low || middle >= high) break;
      if (await this.#tryDim(dim, middle)) high = middle;
      else low = middle;
    }
    for (let next = (this.best.dims[dim.name] ?? 0) - dim.multiple; next >= dim.min; next -= dim.multiple) {
      if (!(await this.#tryDim(dim, next))) return;
    }
  }

  #tryDim(dim: FuzzDim, value: number): Promise<boolean> {
    return this.#try({ ...this.best, dims: { ...this.best.dims, [dim.name]: value } });
  }

  async #try(candidate: FuzzCase): Promise<boolean> {
    const key = JSON.stringify(candidate);
    if (this.#tried.has(key) || !this.mayGoOn) return false;
    this.#tried.add(key);
    if (!this.#space.contains(candidate.dims)) return false;
    this.attempts += 1;
    if (!(await this.#options.stillFails(candidate))) return false;
    this.best = candidate;
    this.moved = true;
    return true;
  }
}
