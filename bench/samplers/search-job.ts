/** One search of one space with one seed. */
export interface SearchJob {
  /** A file, or `generated:SEED`. */
  readonly space: string;
  readonly sampler: string;
  readonly seed: number;
  readonly trials: number;
}

export interface SearchResult extends SearchJob {
  readonly best_ms: readonly (number | null)[];
  /** Mean time of an ask. */
  readonly ask_ms: number;
  /** Share of the asks that took longer than they may. */
  readonly slowAsks: number;
}

/** What the same search always has. */
export function jobKey({ space, sampler, seed, trials }: SearchJob): string {
  return JSON.stringify([space.replace(/^.*\//, ''), sampler, seed, trials]);
}
