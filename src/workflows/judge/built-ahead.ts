import { Semaphore } from '../../os/semaphore.ts';

/** A piece of work that is done, and what it was of. */
interface Done<Item, Result> {
  readonly item: Item;
  readonly result: PromiseSettledResult<Result>;
}

/**
 * Works on items ahead of the consumer, a limited number at a time, and gives results in the order in which
 * they are ready. No more than twice that number wait to be taken: what is read ahead of a long batch stays small.
 */
export async function* builtAhead<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  parallel: number,
): AsyncGenerator<Done<Item, Result>> {
  const workers = new Semaphore(parallel);
  const pending = new Map<number, Promise<readonly [number, Done<Item, Result>]>>();
  const source = items[Symbol.asyncIterator]();
  let next = 0;
  let hasEnded = false;
  const fill = async (): Promise<void> => {
    while (!hasEnded && pending.size < 2 * parallel + 1) {
      const { done, value: item } = await source.next();
      if (done === true) {
        hasEnded = true;
        return;
      }
      const at = next++;
      const settled = Promise.allSettled([workers.run(() => work(item))]);
      pending.set(
        at,
        settled.then(([result]) => [at, { item, result }] as const),
      );
    }
  };
  for (;;) {
    await fill();
    if (pending.size === 0) return;
    const [at, done] = await Promise.race(pending.values());
    pending.delete(at);
    yield done;
  }
}
