import { openQueue } from '../../src/queue/open-queue.ts';
import { asked, JUDGE, judgementOf } from '../contract/queue-conformance.ts';

/** Low and high ends of speed-ups, by author. */
const JUDGED: readonly (readonly [author: string, low: number, high: number])[] = [
  ['Ada', 0.8, 0.9],
  ['Bob', 1.2, 1.4],
  ['<script>alert(1)</script>', 1.3, 1.5],
  ['Ada', 2.4, 2.6],
  ['Eve', 0, 0],
];

/** A queue in which some candidates were judged, and one waits. */
export async function fillQueue(place: string): Promise<void> {
  const queue = await openQueue(place);
  await queue.putTenant('blue', {});
  await queue.join('w1', [JUDGE, { ...JUDGE, problem: 'tripled' }]);
  for (const [author, low, high] of JUDGED) {
    await queue.submit(asked(`secret sources ${low} of ${author}`, { author }));
    const lease = await queue.lease({ worker: 'w1', judges: [JUDGE], holds: 0, lease_s: 60 });
    if (lease.state !== 'leased') throw new Error(lease.state);
    const { speedup: _, ...wrong } = judgementOf(lease, { verdict: 'incorrect', correct: false, reward: 0 });
    const right = judgementOf(lease, { speedup: { estimate: (low + high) / 2, low, high }, reward: low });
    await queue.answer('w1', lease, low === 0 ? wrong : right);
  }
  await queue.submit(asked('it waits'));
  await queue.close();
}
