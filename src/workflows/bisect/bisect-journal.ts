import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { z } from 'zod';

import { bisectProbeSchema, type BisectProbe } from '../../model/bisect-report.ts';
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
  /** A killed process may have left a line unfinished: the next one begins on its own. */
  #lineBreak: string;

  private constructor(path: string, text: string) {
    this.path = path;
    this.#records = recordsIn(text);
    this.#lineBreak = text === '' || text.endsWith('\n') ? '' : '\n';
  }

  /** `restart`: what was answered before does not count. */
  static open(root: string, question: BisectQuestion, restart: boolean): BisectJournal {
    const name = question.case.replaceAll(/[^\w.-]+/gu, '-').slice(0, 60);
    const path = join(root, '.pawl', 'bisect', `${name}-${hashOf(question).slice(0, 12)}.jsonl`);
    if (restart) rmSync(path, { force: true });
    return new BisectJournal(path, readText(path));
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
    const file = openSync(this.path, 'a');
    try {
      writeSync(file, `${this.#lineBreak}${JSON.stringify({ type, probe })}\n`);
      fsyncSync(file);
      this.#lineBreak = '';
    } finally {
      closeSync(file);
    }
    this.#records.push({ type, probe });
  }

  #of(type: BisectRecord['type']): BisectProbe[] {
    return this.#records.flatMap((record) => (record.type === type ? [record.probe] : []));
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** What cannot be read was never answered, and is measured again. */
function recordsIn(text: string): BisectRecord[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [recordSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
