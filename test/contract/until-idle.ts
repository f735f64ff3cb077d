import { setTimeout } from 'node:timers/promises';

import type { Answer } from '../../src/model/measure/protocol.ts';

/** How long a test waits for other tests, and for other users of the machine. */
const MOST_MS = 100_000;
const LONGEST_PAUSE_MS = 8000;

/**
 * Asks again, as Pawl's users are told to, while the machine is too busy to confirm a time. With pauses: where tests
 * run beside this one, three tries within seconds were busy one after another.
 */
export async function untilIdle(ask: () => Promise<Answer>): Promise<Answer> {
  const started = performance.now();
  let answer = await ask();
  for (let pause = 250; isBusy(answer) && performance.now() - started < MOST_MS; pause *= 2) {
    await setTimeout(Math.min(pause, LONGEST_PAUSE_MS));
    answer = await ask();
  }
  return answer;
}

function isBusy(answer: Answer): boolean {
  return !answer.ok && answer.error.code === 'busy';
}
