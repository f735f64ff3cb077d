import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { z } from 'zod';

import { bisectProbeSchema, type BisectProbe } from '../../model/reports/bisect-report.ts';
import { appendShared, readShared } from '../../os/append-only-journal.ts';
import { hashOf } from '../../os/canonical-json.ts';

/** What is asked; the same question has the same journal. */
export interface BisectQuestion {
  readonly kernel: string;
  readonly case: string;
  readonly mode?: string;
  readonly good: string;
  readonly bad: string;
  readonly threshold_pct?: number;
}

/** `ends`: BAD against GOOD. `probe`: a commit against GOOD. `confirmation`: first bad against last good. */
const recordSchema = z.object({
  type: z.enum(['ends', 'probe', 'confirmation']),
  probe: bisectProbeSchema,
});
type BisectRecord = z.infer<typeof recordSchema>;

/** Every answer is on disk before the next commit is tried: a killed bisect goes on where it was. */
export class BisectJournal {
  readonly path: string;
  readonly #records: BisectRecord[];

  private constructor(path: string) {
    this.path = path;
    // What cannot be read was never answered, and is measured again.
    this.#records = [...(readShared(path, recordSchema)?.records ?? [])];
  }

  /** `restart`: what was answered before does not count. */
  static open(root: string, question: BisectQuestion, restart: boolean): BisectJournal {
    const name = question.case.replaceAll(/[^\w.-]+/gu, '-').slice(0, 60);
    const path = join(root, '.pawl', 'bisect', `${name}-${hashOf(question).slice(0, 12)}.jsonl`);
    if (restart) rmSync(path, { force: true });
    return new BisectJournal(path);
  }

  get ends(): BisectProbe | undefined {
    return this.#of('ends').at(-1);
  }

  get probes(): readonly BisectProbe[] {
    return this.#of('probe');
  }

  confirmation(base: string, commit: string): BisectProbe | undefined {
    return this.#of('confirmation').findLast((probe) => probe.base === base && probe.commit === commit);
  }

  add(type: BisectRecord['type'], probe: BisectProbe): void {
    mkdirSync(dirname(this.path), { recursive: true });
    const record = { type, probe };
    appendShared(this.path, [record]);
    this.#records.push(record);
  }

  #of(type: BisectRecord['type']): BisectProbe[] {
    return this.#records.flatMap((record) => (record.type === type ? [record.probe] : []));
  }
}
