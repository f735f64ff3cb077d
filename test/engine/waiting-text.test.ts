import { describe, expect, it } from 'vitest';

import { parseSqueue } from '../../src/engine/slurm/parse-squeue.ts';
import { waitingText } from '../../src/engine/waiting-text.ts';

describe('waitingText', () => {
  it('counts the jobs in the queue', () => {
    expect(waitingText(parseSqueue('1|0|RUNNING|gpu1|None\n1|1|COMPLETED|gpu1|None\n'))).toBeUndefined();
    expect(waitingText(parseSqueue('1|0|PENDING||Priority\n1|1|PENDING||Resources\n'))).toBe(
      '2 in the queue',
    );
  });

  it('says why they wait if it is not for their turn', () => {
    const down =
      'Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions';
    expect(waitingText(parseSqueue(`1|0|PENDING||${down}\n1|1|PENDING||Priority\n`))).toBe(
      `2 in the queue (${down})`,
    );
  });
});
