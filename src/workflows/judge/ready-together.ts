import { setTimeout as wait } from 'node:timers/promises';

/** What is ready after so long is so at once: it only has to be handed on. */
const AT_ONCE_MS = 5;

/**
 * Groups of items in their order: at least one, as soon as there is one, with those that are ready by then. The next
 * item is asked for while a group is worked on.
 */
export async function* readyTogether<Item>(
  items: AsyncGenerator<Item>,
  most: number,
): AsyncGenerator<readonly Item[]> {
  let next = asked(items);
  try {
    for (;;) {
      const first = await next;
      if (first.done === true) return;
      const group = [first.value];
      next = asked(items);
      while (group.length < most) {
        const more = await Promise.race([next, wait(AT_ONCE_MS)]);
        if (more === undefined || more.done === true) break;
        group.push(more.value);
        next = asked(items);
      }
      yield group;
    }
  } finally {
    // Not awaited: what it waits for may be a line that somebody has not written yet.
    items.return(undefined).catch(() => undefined);
  }
}

/** Its failure is for the one who awaits it, which is after the group that is worked on. */
function asked<Item>(items: AsyncGenerator<Item>): Promise<IteratorResult<Item, unknown>> {
  const next = items.next();
  next.catch(() => undefined);
  return next;
}
