import type { JobTask } from './engine.ts';

/** What Slurm says of every job that waits for its turn (squeue(1), job reason codes). */
const USUAL = new Set(['Priority', 'Resources']);

/** The jobs in the queue, and why they wait if it is not for their turn: nodes that are down keep them for good. */
export function waitingText(tasks: readonly JobTask[]): string | undefined {
  const waiting = tasks.filter(({ state }) => state === 'waiting');
  if (waiting.length === 0) return undefined;
  const [reason] = waiting.flatMap((one) => (one.reason && !USUAL.has(one.reason) ? [one.reason] : []));
  return `${waiting.length} in the queue${reason === undefined ? '' : ` (${reason})`}`;
}
