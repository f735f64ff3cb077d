import { Semaphore } from '../../os/semaphore.ts';

/** A piece of work that is done, and what it was of. */
interface Done<Item, Result> {
  readonly item: Item;
  readonly result: PromiseSettledResult<Result>;
}

/**
 * Works on items ahead of the consumer, a limited number at a time, and gives results in the order in which
 * they are ready, whether or not the next item has come. A limited number wait to be taken: what is read ahead of a
 * long batch stays small.
 */
export async function* builtAhead<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  { parallel, waiting }: { readonly parallel: number; readonly waiting: number },
): AsyncGenerator<Done<Item, Result>> {
  const workers = new Semaphore(parallel);
  const pending = new Map<number, Promise<() => Done<Item, Result>>>();
  const source = items[Symbol.asyncIterator]();
  let next = 0;
  let hasEnded = false;
  let reading: Promise<undefined> | undefined;
  const read = async (): Promise<undefined> => {
    const { done, value: item } = await source.next();
    reading = undefined;
    if (done === true) {
      hasEnded = true;
      return;
    }
    const at = next++;
    const taken = (result: PromiseSettledResult<Result>) => () => {
      pending.delete(at);
      return { item, result };
    };
    const settled = Promise.allSettled([workers.run(() => work(item))]);
    pending.set(
      at,
      settled.then(([result]) => taken(result)),
    );
  };
  for (;;) {
    if (!hasEnded && pending.size < parallel + waiting && reading === undefined) {
      reading = read();
      // It is awaited below, but not while a result is worked on.
      reading.catch(() => undefined);
    }
    if (reading === undefined && pending.size === 0) return;
    const take = await Promise.race([...pending.values(), ...(reading === undefined ? [] : [reading])]);
    if (take !== undefined) yield take();
  }
}
