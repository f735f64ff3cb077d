import { basename, resolve } from 'node:path';

import { defined } from '../model/defined.ts';
import { conclusionLimits } from '../adapters/conclusion-limits.ts';
import { distinctInRun } from '../adapters/distinct-in-run.ts';
import { joinRuns, type JoinOptions } from '../adapters/join-runs.ts';
import { readSource, type ReadSource } from '../adapters/readers/read-source.ts';
import type { TimeUnit } from '../adapters/time-unit.ts';
import { writeDurably } from '../os/write-durably.ts';
import { IMPORT_SCHEMA, type ImportFormat, type ImportReport } from '../model/reports/import-report.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import { filesOfRun } from '../adapters/imported/files-of-run.ts';

/** Files of other tools, and how to read them. */
export interface ImportOptions extends JoinOptions {
  /** Files, and folders that Criterion wrote; each is one run. */
  readonly files: readonly string[];
  readonly from: ImportFormat | 'auto';
  /** The time unit, for formats that do not name it. */
  readonly unit?: TimeUnit | undefined;
  /** The samples file to write; without it, nothing is written. */
  readonly out?: string | undefined;
}

/** The samples, and a report on what was read. */
export interface Imported {
  readonly report: ImportReport;
  readonly samples: Samples;
}

/**
 * Converts result files of other benchmark tools into samples. The report says what was understood, what was left out,
 * and which conclusions the data does not support.
 *
 * @throws {PawlError} of kind `usage` if no file is named or one does not exist; `bad-data` if the format is not known
 */
export async function importFiles(options: ImportOptions): Promise<Imported> {
  if (options.files.length === 0) {
    throw new PawlError('usage', 'No file to import.', 'pawl import FILE… -o samples.json');
  }
  const runs = [];
  for (const path of options.files) {
    const sources = await filesOfRun(path);
    runs.push({
      name: basename(resolve(path)),
      readings: distinctInRun(sources.map((source) => readSource(source, options))),
    });
  }
  const { samples, processes, unmatched } = joinRuns(runs, options);
  const out = options.out === undefined || options.out === '-' ? undefined : resolve(options.out);
  const counted = counts(samples.measurements);
  const report: ImportReport = {
    schema: IMPORT_SCHEMA,
    files: runs.map((run, at) => describe(run, processes[at]!)),
    measurements: samples.measurements.length,
    ...counted,
    limits: [...unmatchedLimit(unmatched), ...conclusionLimits(samples)],
    ...defined({ out }),
  };
  if (out !== undefined) await writeDurably(out, `${JSON.stringify(samples, undefined, 1)}\n`);
  return { report, samples };
}

function describe(
  { name, readings }: { readonly name: string; readonly readings: readonly ReadSource[] },
  processes: readonly number[],
): ImportReport['files'][number] {
  const measurements = readings.flatMap((each) => each.measurements);
  const notes = new Map(
    readings.flatMap((each) => each.notes).map((note) => [`${note.kind} ${note.text}`, note]),
  );
  return {
    file: name,
    format: readings[0]!.format,
    processes: [...processes],
    measurements: measurements.length,
    samples: counts(measurements).samples,
    notes: [...notes.values()],
  };
}

function counts(measurements: readonly Measurement[]) {
  const series = measurements.flatMap((one) => one.series);
  return {
    series: series.length,
    samples: series.reduce((sum, { samples_ms }) => sum + samples_ms.length, 0),
    summaries: measurements.reduce((sum, { summaries = [] }) => sum + summaries.length, 0),
  };
}

function unmatchedLimit(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`--case-from does not match ${names.length} names, such as ${names[0]!}: they are left unchanged`];
}
