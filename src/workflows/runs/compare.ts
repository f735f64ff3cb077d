import { resolve } from 'node:path';

import { defined } from '../../model/defined.ts';
import { makeFolder } from '../../os/make-folder.ts';
import { loadConfig } from '../../config/load-config.ts';
import { CHECK_SCHEMA, type CheckReport } from '../../model/reports/check-report.ts';
import type { RunCost } from '../../model/device/cost.ts';
import type { Comparison } from '../../model/judge/comparison.ts';
import type { Samples } from '../../model/measure/samples.ts';
import type { ComparedSamples } from '../../report/comparison-samples.ts';
import {
  compareKernels,
  compareRevisions,
  compareVariants,
  type CompareKernelsOptions,
  type CompareRevisionsOptions,
  type CompareVariantsOptions,
} from './compare/compare-builds.ts';
import { compareFiles, type CompareFilesOptions } from './compare/compare-files.ts';
import { leftOutNotes } from '../../rig/left-out-notes.ts';
import { SideJournals } from '../../rig/side-journals.ts';
import { recordCost } from '../../rig/cost-of-run.ts';
import { recordRun } from '../../history/store/record-run.ts';
import { comparisonRun } from '../../history/stored-runs.ts';
import { provenance, writeComparison } from './compare/write-comparison.ts';

/** The folder of the report; without it, nothing is written. */
interface Output {
  readonly out?: string;
  /** Store the run in the history. Default: as pawl.yaml says. A comparison of files is never stored. */
  readonly history?: boolean;
  /** Store the run as a try of a session, which is not a point of a trend. Default: as a comparison. */
  readonly keptAs?: 'session';
}

/** What to compare: two files, two revisions, two variants of a kernel, or two kernels of a problem. */
export type CompareRequest = Output &
  (
    | ({ readonly what: 'files' } & CompareFilesOptions)
    | ({ readonly what: 'revisions' } & CompareRevisionsOptions)
    | ({ readonly what: 'variants' } & CompareVariantsOptions)
    | ({ readonly what: 'kernels' } & CompareKernelsOptions)
  );

/** The report of a comparison, and the samples of both sides. */
export interface ComparedAndReported {
  readonly report: CheckReport;
  readonly samples: ComparedSamples;
}

/**
 * Compares two files, revisions, variants or kernels, and returns a verdict per case. Everything but files is built and
 * measured side by side. Writes the report into `out`, if given.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if a revision, kernel or case
 * does not exist; `bad-data` if the sides have no case in common, or a file is not samples; `unavailable` if nothing
 * can be measured here; `try-again` if the device is in use
 * @example
 * ```ts
 * import { compare } from 'pawl';
 *
 * const { report } = await compare({ what: 'revisions', base: 'main', head: 'worktree' });
 * for (const one of report.comparison.cases) console.log(one.kernel, one.case, one.verdict, one.reason);
 * ```
 */
export async function compare(request: CompareRequest): Promise<ComparedAndReported> {
  // A folder that cannot be is found out now, and not after all the measuring.
  if (request.out !== undefined) await makeFolder(resolve(request.out));
  const journals = new SideJournals();
  const compared = await run(request, journals);
  const { comparison, control, samples } = compared;
  const cost = await recorded(request, compared);
  const report: CheckReport = {
    schema: CHECK_SCHEMA,
    verdict: comparison.verdict,
    comparison,
    ...defined({ control }),
    notes: leftOutNotes(samples.head.skipped ?? []),
    waived: [],
    advanced: [],
    new_cases: comparison.cases.filter(({ verdict }) => verdict === 'new'),
    ...provenance(samples),
    ...(request.what === 'variants' ? { variants: { base: request.a, head: request.b } } : {}),
    ...defined({ cost }),
    files: {},
  };
  const written = await writeComparison(report, samples, request.out);
  await journals.finish();
  if (request.what !== 'files') {
    await recordRun(comparisonRun(written, samples, new Date(), request.keptAs), request);
  }
  return { report: written, samples };
}

interface Compared {
  readonly comparison: Comparison;
  readonly control?: Comparison;
  readonly samples: { readonly base: Samples; readonly control?: Samples; readonly head: Samples };
  readonly cost?: {
    readonly wall_s: number;
    readonly device_s: number;
    readonly devices: readonly string[];
  };
}

function run(request: CompareRequest, journals: SideJournals): Promise<Compared> {
  switch (request.what) {
    case 'files':
      return compareFiles(request);
    case 'revisions':
      return compareRevisions({ ...request, journals });
    case 'variants':
      return compareVariants({ ...request, journals });
    case 'kernels':
      return compareKernels({ ...request, journals });
  }
}

/** Two files cost nothing; what was measured goes into the ledger. */
async function recorded(request: CompareRequest, { samples, cost }: Compared): Promise<RunCost | undefined> {
  if (cost === undefined || request.what === 'files') return undefined;
  const { measurements } = samples.head;
  const kernels = [...measurements, ...samples.base.measurements].flatMap(({ kernel }) => kernel ?? []);
  return recordCost(
    await loadConfig(request.config),
    {
      what: 'compare',
      kernels,
      times: cost.devices.map((device) => ({ device, device_s: cost.device_s })),
      wall_s: cost.wall_s,
      commit: measurements.find(({ commit }) => commit !== undefined)?.commit,
    },
    request,
  );
}
