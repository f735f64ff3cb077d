import { join } from 'node:path';

import type { Config } from '../../../config/schema.ts';
import { orphanedRuns } from '../../../measure/run-journal.ts';
import type { OnProgress } from '../../../model/measure/progress.ts';
import { benchReport } from '../../../report/bench-report.ts';
import { writeReports } from './write-reports.ts';

/** Where a project's runs lie, one folder each. */
export function runsDirectory(root: string): string {
  // A job of a cluster has one of its own: whether a run is dead can only be told on the machine it ran on.
  return process.env['PAWL_RUNS'] ?? join(root, '.pawl', 'runs');
}

/** Writes the samples of runs whose process was killed, so that what they measured is not lost. */
export async function recoverRuns(
  runs: string,
  thresholds: Config['thresholds'],
  onProgress: OnProgress,
): Promise<void> {
  for (const orphan of await orphanedRuns(runs)) {
    if (orphan.samples.measurements.some(({ series }) => series.length > 0)) {
      const report = benchReport(orphan.samples, thresholds);
      const files = await writeReports(orphan.samples, report, orphan.directory);
      onProgress({
        type: 'note',
        level: 'info',
        text: `an earlier run was killed; its samples: ${files.samples}`,
      });
    }
    await orphan.discard();
  }
}
