import { PawlError } from '../../model/pawl-error.ts';
import type { JobTask } from '../engine.ts';

/** Job, task, state, node, reason: stable across versions of Slurm, which its JSON is not. The reason may hold anything. */
export const SQUEUE_FORMAT = '%F|%K|%T|%N|%r';

/** Job states of squeue(1). A task that will run again by itself waits. */
const STATES: Readonly<Record<string, JobTask['state']>> = {
  PENDING: 'waiting',
  CONFIGURING: 'waiting',
  REQUEUED: 'waiting',
  REQUEUE_FED: 'waiting',
  REQUEUE_HOLD: 'waiting',
  SPECIAL_EXIT: 'waiting',
  RESV_DEL_HOLD: 'waiting',
  RUNNING: 'running',
  COMPLETING: 'running',
  SIGNALING: 'running',
  STAGE_OUT: 'running',
  SUSPENDED: 'running',
  STOPPED: 'running',
  RESIZING: 'running',
  COMPLETED: 'done',
  FAILED: 'failed',
  CANCELLED: 'failed',
  TIMEOUT: 'failed',
  NODE_FAIL: 'failed',
  PREEMPTED: 'failed',
  OUT_OF_MEMORY: 'failed',
  BOOT_FAIL: 'failed',
  DEADLINE: 'failed',
  REVOKED: 'failed',
};

/** The tasks that squeue lists. A line that does not read as one is an error: guessing would lose or double jobs. */
export function parseSqueue(text: string): JobTask[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, job, task, word, node, reason] =
        /^(\d+)\|(N\/A|\d+)\|([A-Z_]+)\|([^|]*)\|(.*)$/.exec(line.trim()) ?? [];
      const state = word === undefined ? undefined : STATES[word];
      if (state === undefined) {
        throw new PawlError(
          'unavailable',
          `Pawl cannot read the output of squeue: ${line}`,
          `Expected lines as squeue -o '${SQUEUE_FORMAT}' writes them.`,
        );
      }
      return {
        id: task === 'N/A' ? job! : `${job}_${task}`,
        state,
        word: word!,
        node: node === '' || node === '(null)' ? undefined : node,
        reason: reason === '' || reason === 'None' ? undefined : reason,
      };
    });
}
