import { PawlError } from '../../model/pawl-error.ts';

/** A group of work that is done together. */
interface Group<One> {
  readonly work: (group: readonly One[]) => Promise<void>;
  /** It has no outcome yet. */
  readonly isOpen: (one: One) => boolean;
  readonly onFailed: (one: One, reason: unknown) => void;
}

/**
 * Works on all together. If that fails, it may be the doing of one of them: each that is still open is worked on alone.
 * Only a device that is in use, and an interruption, are so for all.
 */
export async function allOrEach<One>(
  all: readonly One[],
  { work, isOpen, onFailed }: Group<One>,
): Promise<void> {
  try {
    if (all.length > 0) await work(all);
  } catch (reason) {
    const left = all.filter(isOpen);
    if (left.length === 0) throw reason;
    const isShared = left.length === 1 || (reason instanceof PawlError && reason.kind === 'try-again');
    for (const one of left) {
      const [tried] = isShared
        ? [{ status: 'rejected', reason } as const]
        : await Promise.allSettled([work([one])]);
      if (tried.status === 'rejected') onFailed(one, tried.reason);
    }
  }
}
