/** A worker of `queue-kill.ts` and `queue-scaling.ts`: the worker's own loop, with a stand-in for the judge. */
import { parseArgs } from 'node:util';

import { openQueue } from '../src/queue/open-queue.ts';
import { Shift } from '../src/queue/shift.ts';
import { standIn } from './queue/stand-in.ts';

const { values } = parseArgs({
  options: {
    queue: { type: 'string', default: '' },
    name: { type: 'string', default: '' },
    lease: { type: 'string', default: '3' },
    ahead: { type: 'string', default: '2' },
    build: { type: 'string', default: '5' },
    judge: { type: 'string', default: '20' },
  },
});

const aborter = new AbortController();
process.on('SIGTERM', () => aborter.abort());
const queue = await openQueue(values.queue, { patience_ms: 600_000 });
const shift = new Shift(queue, [standIn(Number(values.build), Number(values.judge))], {
  worker: values.name,
  lease_s: Number(values.lease),
  ahead: Number(values.ahead),
  together: 4,
  poll_ms: 100,
  signal: aborter.signal,
  // Each answer that the queue took, for whoever counts.
  onEvent: (event) => {
    if (event.event === 'judged')
      process.stdout.write(`${event.counts ? 'counts' : 'refused'} ${event.id}\n`);
  },
});
process.stdout.write('ready\n');
await shift.run();
await queue.close();
