/** What became of one submission, by the database's clock. */
interface Served {
  readonly submitted_ms: number;
  readonly finished_ms: number;
  /** What it took of a worker. */
  readonly cost_s: number;
}

interface Fleet {
  /** Milliseconds of the fleet for a second of cost, while there was always something to do. */
  readonly ms_per_cost_s: number;
  /** Of it, as a fraction. */
  readonly share: number;
}

/**
 * When each submission of a tenant would have had its answer on a machine of its own with its share of the fleet's
 * speed, one after the other in the order in which they were answered. A fair queue answers no later than that by more
 * than what the longest candidates take (Parekh and Gallager, IEEE/ACM Transactions on Networking 1(3), 1993, for one
 * server; a worker that builds ahead adds what it holds).
 *
 * @returns for each, by how many seconds its answer was later; negative: earlier
 */
export function laterThanShare(served: readonly Served[], { ms_per_cost_s, share }: Fleet): number[] {
  let free_ms = 0;
  return served
    .toSorted((one, other) => one.finished_ms - other.finished_ms)
    .map(({ submitted_ms, finished_ms, cost_s }) => {
      free_ms = Math.max(free_ms, submitted_ms) + (cost_s * ms_per_cost_s) / share;
      return (finished_ms - free_ms) / 1000;
    });
}
