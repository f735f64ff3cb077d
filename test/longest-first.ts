import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

import { z } from 'zod';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds of the test files that take ten or more, measured once (docs/testing.md). */
const durations = z
  .record(z.string(), z.number())
  .parse(JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8')));

/** Starts the longest test files first, so that all workers end together, on a machine that never ran them too. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification) =>
      durations[relative(this.ctx.config.root, moduleId)] ?? 0;
    // Vitest's own order, which knows the last run here, is kept among the others.
    return (await super.sort(files)).sort((a, b) => seconds(b) - seconds(a));
  }
}
