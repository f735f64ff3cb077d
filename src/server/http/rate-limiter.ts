interface Bucket {
  tokens: number;
  at_ms: number;
}

export interface RateLimits {
  /** So many at once. */
  readonly burst: number;
  /** And so many a second after that. */
  readonly per_s: number;
}

/** Clients are remembered up to this many; an attacker with more addresses than that has the oldest forgotten. */
const MOST_CLIENTS = 10_000;

/** Token buckets, one a client. */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #now_ms: () => number;
  /** In order of last use. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(limits: RateLimits, now_ms: () => number) {
    this.#limits = limits;
    this.#now_ms = now_ms;
  }

  /** Takes one; else says after how many seconds there is one again. */
  take(client: string): number | undefined {
    const bucket = this.#filled(client);
    if (bucket.tokens < 1) return this.#wait_s(bucket);
    bucket.tokens -= 1;
    return undefined;
  }

  /** As `take`, but takes none. */
  wait_s(client: string): number | undefined {
    const bucket = this.#filled(client);
    return bucket.tokens < 1 ? this.#wait_s(bucket) : undefined;
  }

  get size(): number {
    return this.#buckets.size;
  }

  #wait_s({ tokens }: Bucket): number {
    return Math.max(1, Math.ceil((1 - tokens) / this.#limits.per_s));
  }

  #filled(client: string): Bucket {
    const { burst, per_s } = this.#limits;
    const now_ms = this.#now_ms();
    const before = this.#buckets.get(client);
    const passed_s = before === undefined ? 0 : Math.max(0, now_ms - before.at_ms) / 1000;
    const tokens = Math.min(burst, (before?.tokens ?? burst) + passed_s * per_s);
    const bucket = { tokens, at_ms: now_ms };
    this.#buckets.delete(client);
    if (this.#buckets.size >= MOST_CLIENTS) this.#buckets.delete(this.#buckets.keys().next().value!);
    this.#buckets.set(client, bucket);
    return bucket;
  }
}
