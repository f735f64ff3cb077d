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
 * What the workers do: on two processors, two run files that measure. One of these often waits for the other's device, and
 * a third worker uses the processor meanwhile.
 */
const WORKERS = ['measuring', 'measuring', 'other'] as const;
export const WORKER_COUNT = WORKERS.length;

/**
 * Starts the longest test files first, so that all workers end together, on a machine that never ran them too. Files
 * that measure take turns on the device, so not all workers run them, as far as there are others.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const of = ({ moduleId }: TestSpecification) => durations[relative(this.ctx.config.root, moduleId)];
    const seconds = (file: TestSpecification) => of(file)?.seconds ?? SHORT_S;
    // Vitest's own order, which knows the last run here, is kept among the others.
    const sorted = (await super.sort(files)).sort((a, b) => seconds(b) - seconds(a));
    const left = {
      measuring: sorted.filter((file) => of(file)?.measures === true),
      other: sorted.filter((file) => of(file)?.measures !== true),
    };
    const ordered: TestSpecification[] = [];
    const workers = WORKERS.map((kind) => ({ kind, busy_s: 0 }));
    // The worker that is free first takes the next of its kind.
    while (ordered.length < sorted.length) {
      const free = workers.reduce((first, each) => (each.busy_s < first.busy_s ? each : first));
      const next = (left[free.kind].shift() ?? left.measuring.shift() ?? left.other.shift())!;
      ordered.push(next);
      free.busy_s += seconds(next);
    }
    return ordered;
  }
}
