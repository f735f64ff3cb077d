import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

import { z } from 'zod';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const durationSchema = z.strictObject({ seconds: z.number(), measures: z.literal(true).optional() });

/** Of the test files that take ten seconds or more, measured once (docs/testing.md). */
const durations = z
  .record(z.string(), durationSchema)
  .parse(JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8')));

/** What a file takes that is not in the list. */
const SHORT_S = 1.5;

/**
 * Starts the longest test files first, so that all workers end together, on a machine that never ran them too. Files
 * that measure take turns on the device, so one of them runs beside one that does not, as far as there are any.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const of = ({ moduleId }: TestSpecification) => durations[relative(this.ctx.config.root, moduleId)];
    const seconds = (file: TestSpecification) => of(file)?.seconds ?? SHORT_S;
    // Vitest's own order, which knows the last run here, is kept among the others.
    const sorted = (await super.sort(files)).sort((a, b) => seconds(b) - seconds(a));
    const measuring = sorted.filter((file) => of(file)?.measures === true);
    const others = sorted.filter((file) => of(file)?.measures !== true);
    const ordered: TestSpecification[] = [];
    // Two workers take the files in this order: the one that is free first takes the next of its kind.
    for (let busy = [0, 0]; ordered.length < sorted.length;) {
      const kind = others.length === 0 || (measuring.length > 0 && busy[0]! <= busy[1]!) ? 0 : 1;
      const next = (kind === 0 ? measuring : others).shift()!;
      ordered.push(next);
      busy = busy.map((until, index) => (index === kind ? until + seconds(next) : until));
    }
    return ordered;
  }
}
