import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Judgement } from '../../src/model/queue/judgement.ts';
import type { Lease, OfferedJudge } from '../../src/queue/queue.ts';
import type { Judging } from '../../src/queue/shift.ts';

export const STAND_IN: OfferedJudge = {
  problem: 'stand-in',
  device_class: 'a stand-in',
  identity: createHash('sha256').update('the stand-in').digest('hex'),
  reference: 'none',
};

/** What the stand-in says of sources: known beforehand, so that an answer to another submission shows. */
export function rewardOf(sources_sha256: string): number {
  return 1 + Number.parseInt(sources_sha256.slice(0, 6), 16) / 2 ** 24;
}

/**
 * In the place of the judge: it waits as long as a measurement would and measures nothing. What is measured with it is
 * the queue: taking, leasing, renewing, answering.
 */
export function standIn(build_ms: number, judge_ms: number): Judging<Lease> {
  return {
    offered: STAND_IN,
    build: async (lease) => {
      await sleep(build_ms * (0.5 + Math.random()));
      return lease;
    },
    judge: async (group, onJudged) => {
      for (const [at, { sources_sha256 }] of group.entries()) {
        await sleep(judge_ms);
        onJudged(at, { status: 'fulfilled', value: judgementOf(sources_sha256) });
      }
    },
    remove: () => Promise.resolve(),
  };

  function judgementOf(sources_sha256: string): Judgement {
    const reward = rewardOf(sources_sha256);
    return {
      schema: 'pawl.judgement/1',
      verdict: 'improved',
      correct: true,
      reason: 'nothing was measured',
      speedup: { estimate: reward, low: reward, high: reward },
      reward,
      cases: [],
      findings: [],
      protections: [],
      cost: { wall_s: (build_ms + judge_ms) / 1000, device_s: judge_ms / 1000, build_s: build_ms / 1000 },
      problem: STAND_IN.problem,
      reference: STAND_IN.reference,
      sources_sha256,
    };
  }
}
