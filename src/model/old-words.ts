/**
 * Facts that documents of earlier versions have only in words. New documents have fields for them.
 *
 * This is the only file that may read Pawl's own sentences; `tools/facts-in-fields.js` keeps it so. Each function fills
 * in one field where a document lacks it. Documents stay as they are on disk: a run is known by the hash of its contents.
 */

/** `LostSeries.during`: the message of a series that was lost in its correctness check began with this. */
const IN_CHECK = 'in the correctness check: ';

/** A lost series whose document has no `during`: what its message says about it, and the rest of the message. */
export function lostBefore(message: string): {
  readonly during: 'check' | 'timing';
  readonly message: string;
} {
  return message.startsWith(IN_CHECK)
    ? { during: 'check', message: message.slice(IN_CHECK.length) }
    : { during: 'timing', message };
}

/** `held_back` of a session's note: Pawl's own note, which has no author, told of a try that was held back. */
export function isHeldBackBefore({
  by,
  text,
}: {
  readonly by?: string | undefined;
  readonly text: string;
}): boolean {
  return by === undefined && text.startsWith('held back (');
}

/** `needs` of a gate or its result: that the next command takes a profile. */
export function needsBefore(next: string): 'profiler' | undefined {
  return next.startsWith('pawl profile ') ? 'profiler' : undefined;
}
