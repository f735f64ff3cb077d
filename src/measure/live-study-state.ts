import { z } from 'zod';

import type { ProcessIdentity } from '../os/process-identity.ts';
import type { LiveEvent, LiveStudy } from '../model/server/live-event.ts';
import { trialOutcomeSchema, TRIAL_PHASES } from '../model/tune/study.ts';
import { variantSchema } from '../model/problem/variant.ts';

/** What is read of a study's journal; its other records and fields are its own. */
const recordSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('study'), subject: z.object({ kernel: z.string() }) }),
  z.object({
    type: z.literal('session'),
    owner: z.object({ pid: z.int(), start_ticks: z.string(), boot_id: z.string() }),
    started_at: z.string(),
  }),
  z.object({
    type: z.literal('trial'),
    trial: z.object({
      number: z.int().positive(),
      variant: variantSchema,
      phase: z.enum(TRIAL_PHASES).optional().catch(undefined),
    }),
  }),
  z.object({ type: z.literal('outcome'), number: z.int().positive(), outcome: trialOutcomeSchema }),
  z.object({ type: z.literal('finished') }),
]);

/** What the journal of a study adds up to for somebody who watches it. */
export class LiveStudyState {
  readonly id: string;
  owner: ProcessIdentity | undefined;
  isOver = false;
  #summary: LiveStudy;

  constructor(id: string) {
    this.id = id;
    this.#summary = { id, trials: 0, measured: 0, rejected: 0 };
  }

  get summary(): LiveStudy {
    return this.#summary;
  }

  add(value: unknown): LiveEvent[] {
    const { data: record, success } = recordSchema.safeParse(value);
    if (!success) return [];
    const before = this.#summary;
    switch (record.type) {
      case 'study':
        this.#summary = { ...before, kernel: record.subject.kernel };
        return [];
      case 'session':
        this.owner = record.owner;
        this.isOver = false;
        this.#summary = { ...before, started_at: before.started_at ?? record.started_at };
        return [{ type: 'study', study: this.#summary }];
      case 'trial':
        this.#summary = { ...before, trials: Math.max(before.trials, record.trial.number) };
        return [{ type: 'progress', study: this.id, trial: record.trial }];
      case 'outcome': {
        const { number, outcome } = record;
        this.#summary =
          outcome.status === 'measured'
            ? {
                ...before,
                measured: before.measured + 1,
                best_ms: Math.min(before.best_ms ?? Infinity, outcome.time_ms),
              }
            : { ...before, rejected: before.rejected + 1 };
        return [{ type: 'progress', study: this.id, trial: { number, outcome } }];
      }
      case 'finished':
        this.isOver = true;
        return [{ type: 'finished', study: this.id, how: 'finished' }];
    }
  }
}
