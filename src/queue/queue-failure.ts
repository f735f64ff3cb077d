import { storeFailure } from '../history/store-failure.ts';
import { PawlError } from '../model/pawl-error.ts';

/** What went wrong with the database of a queue, for people, where it is something that they can do something about. */
export function queueFailure(error: unknown, place: string): unknown {
  const failure = storeFailure(error, place);
  if (!(failure instanceof PawlError) || failure.kind !== 'unavailable') return failure;
  return new PawlError('unavailable', failure.message, 'Try again: nothing counts twice.');
}
