import type { HistoryRun } from '../../model/history/history.ts';
import { padEnd, plainText, rowText } from '../text/plain-text.ts';

interface Listed {
  readonly store: string;
  readonly items: readonly HistoryRun[];
  readonly next?: string;
}

/** Anything that is not a run is kept beside them and shown elsewhere. */
const KEPT_ELSEWHERE: Readonly<Partial<Record<HistoryRun['kind'], string>>> = {
  tune: 'A study is not a run. `pawl tune show` shows the latest study, and the dashboard (`pawl serve`) lists all in the history.',
  profile: 'A profile is not a run. The dashboard (`pawl serve`) lists the profiles in the history.',
  fuzz: '`pawl fuzz` stores no runs: its failures are in the corpus.',
};

interface RenderRunsOptions {
  /** What was asked for. */
  readonly kind?: HistoryRun['kind'] | undefined;
  readonly columns?: number | undefined;
}

export function renderRuns({ store, items, next }: Listed, options: RenderRunsOptions = {}): string {
  const { kind, columns = Number.POSITIVE_INFINITY } = options;
  const elsewhere = kind === undefined ? undefined : KEPT_ELSEWHERE[kind];
  if (items.length === 0 && elsewhere !== undefined) {
    return `No runs of this kind in ${plainText(store)}. ${elsewhere}\n`;
  }
  if (items.length === 0) {
    return `No matching runs in ${plainText(store)}. \`pawl bench\`, \`pawl check\`, \`pawl compare\` and \`pawl session try\` store their runs; \`pawl history import .pawl/runs\` adds earlier ones.\n`;
  }
  const rows = items.map((run) => [
    run.id.slice(0, 12),
    run.started_at.slice(0, 16).replace('T', ' '),
    run.kind,
    run.commit === undefined ? '' : `${run.commit.slice(0, 10)}${run.dirty === true ? ' + changes' : ''}`,
    run.verdict ?? '',
    `${run.cases} ${run.cases === 1 ? 'case' : 'cases'}`,
    plainText(run.device ?? ''),
    plainText(run.host ?? ''),
  ]);
  const header = ['run', 'started', 'kind', 'commit', 'verdict', 'cases', 'device', 'host'];
  return `${table([header, ...rows], columns)}${next === undefined ? '' : `\nmore: --cursor ${next}\n`}`;
}

interface VerifiedStore {
  readonly store: string;
  readonly runs: number;
  readonly measurements: number;
  readonly samples: number;
  readonly problems: readonly string[];
}

export function renderVerified({ store, runs, measurements, samples, problems }: VerifiedStore): string {
  const read = `${runs} runs, ${measurements} measurements, ${samples} samples`;
  if (problems.length === 0) return `${plainText(store)} is sound: ${read}.\n`;
  return `${plainText(store)}: ${read}.\n${problems.map((problem) => `✗ ${plainText(problem)}\n`).join('')}`;
}

interface PrunedStore {
  readonly store: string;
  readonly dry_run: boolean;
  readonly runs: number;
  readonly samples_before: number;
  readonly samples_after: number;
  readonly bytes_before: number;
  readonly bytes_after: number;
  readonly rules: { readonly all_days: number; readonly quantiles: number; readonly quantiles_days: number };
}

export function renderPruned({ store, dry_run, runs, rules, ...counts }: PrunedStore): string {
  const { all_days, quantiles, quantiles_days } = rules;
  const gone = counts.samples_before - counts.samples_after;
  return [
    `${plainText(store)}: all samples for ${all_days} days, then ${quantiles} per series, none after ${quantiles_days} days.`,
    `${dry_run ? 'Would remove' : 'Removed'} ${gone} of ${counts.samples_before} samples from ${runs} runs (${kilobytes(counts.bytes_before - counts.bytes_after)} of ${kilobytes(counts.bytes_before)}). Verdicts, levels and documents stay.\n`,
  ].join('\n');
}

function kilobytes(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function table(rows: readonly (readonly string[])[], columns: number): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      rowText(
        row.map((cell, column) => padEnd(cell, widths[column]!)),
        columns,
      ),
    )
    .join('\n')
    .concat('\n');
}
