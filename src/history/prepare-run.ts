import { caseId } from '../model/judge/case-key.ts';
import { checkReportSchema, type CheckReport } from '../model/reports/check-report.ts';
import type { Comparison } from '../model/judge/comparison.ts';
import type { RunDocument } from '../model/history/history-api.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Measurement, Samples, Series } from '../model/measure/samples.ts';
import { SIDES, type StoredRun } from '../model/history/stored-run.ts';
import type { Verdict } from '../model/judge/verdict.ts';
import { historyKey, withOwnVariants, type StoredKey } from './history-key.ts';
import type { LevelFacts, StoredContents } from './history.ts';
import { measurementLevel, type MeasurementLevel } from './measurement-level.ts';
import { partsOf, runId, seriesHash } from './run-identity.ts';
import { encodeSeries } from './series-codec.ts';
import { standingOf, type Standing } from './trend-standing.ts';

/** Everything about a run that can be said before a database is asked. */
export interface PreparedRun {
  readonly id: string;
  readonly document: RunDocument;
  readonly measurements: readonly PreparedMeasurement[];
  readonly report: CheckReport | undefined;
}

export interface PreparedMeasurement {
  readonly side: number;
  readonly position: number;
  readonly key: StoredKey;
  readonly commit: string | undefined;
  readonly on_trend: Standing;
  readonly level: LevelFacts;
  readonly verdict: Verdict | undefined;
  readonly hash: string;
  readonly thin: number;
  /** Samples that the body holds. */
  readonly kept: number;
  readonly body: Uint8Array;
}

/** Computes, encodes and hashes outside the transaction, which others wait for. */
export function prepareRun(run: StoredRun): PreparedRun {
  const parts = partsOf(run);
  const report = checkReportOf(run.report);
  const verdicts = verdictsByCase(report?.comparison);
  const own = withOwnVariants(run.sides.head.measurements);
  const measurements = parts.measurements.map(({ side, position, measurement, samples, hash }) =>
    prepareMeasurement(measurement, samples, {
      kind: run.kind,
      side: SIDES.indexOf(side),
      position,
      hash,
      ownVariant: own.has(measurement),
      verdict: side === 'head' ? (verdicts.get(caseId(measurement)) ?? wrong(measurement)) : undefined,
    }),
  );
  return {
    id: parts.id,
    document: parts.document,
    measurements: withCarriedLevels(measurements, parts.document),
    report,
  };
}

/** A run out of another store. What retention has left there is what comes; its hashes and levels are of all. */
export function prepareContents({ id, document, measurements: kept }: StoredContents): PreparedRun {
  const computed = runId(document, kept);
  if (computed !== id) {
    throw new PawlError(
      'bad-data',
      `Run ${id} was changed after it was stored: the hash of its contents is ${computed}.`,
    );
  }
  const report = checkReportOf(document.report);
  const verdicts = verdictsByCase(report?.comparison);
  const own = withOwnVariants(document.sides.head.measurements);
  const measurements = kept.map((one): PreparedMeasurement => {
    const side = document.sides[one.side];
    const facts = side?.measurements[one.position];
    if (side === undefined || facts === undefined) {
      throw new PawlError('bad-data', `Run ${id} has series of a measurement that is not in its document.`);
    }
    if (one.thin === 0 && seriesHash(one.series) !== one.hash) {
      throw new PawlError(
        'bad-data',
        `Series ${one.position} of run ${id} differ from those that were stored.`,
      );
    }
    const measurement = { ...facts, series: one.series as Series[] };
    const verdict =
      one.side === 'head' ? (verdicts.get(caseId(measurement)) ?? wrong(measurement)) : undefined;
    const at = {
      kind: document.kind,
      side: SIDES.indexOf(one.side),
      position: one.position,
      hash: one.hash,
      ownVariant: own.has(facts),
      verdict,
    };
    const level = one.thin === 0 ? undefined : one.level;
    return { ...prepareMeasurement(measurement, { ...side, measurements: [] }, at, level), thin: one.thin };
  });
  return { id, document, measurements: withCarriedLevels(measurements, document), report };
}

type Place = Pick<PreparedMeasurement, 'side' | 'position' | 'hash' | 'verdict'> &
  Pick<RunDocument, 'kind'> & { readonly ownVariant: boolean };

function prepareMeasurement(
  measurement: Measurement,
  samples: Samples,
  { kind, ownVariant, ...at }: Place,
  known?: LevelFacts,
): PreparedMeasurement {
  const { series, commit, dirty } = measurement;
  const level = known ?? levelFacts(measurementLevel(series));
  return {
    ...at,
    key: historyKey(measurement, samples, ownVariant ? { ownVariant } : {}),
    commit,
    on_trend: standingOf({
      kind,
      isHead: at.side === 0,
      commit,
      dirty,
      hasLevel: level.level_ms !== null,
      verdict: at.verdict,
    }),
    level,
    thin: 0,
    kept: series.reduce((sum, { samples_ms }) => sum + samples_ms.length, 0),
    body: encodeSeries(series),
  };
}

/**
 * A head that was not timed because it is the same binary keeps the level of its base, with no samples of its
 * own: else a trend would end at whatever was measured before a revert.
 */
function withCarriedLevels(
  measurements: readonly PreparedMeasurement[],
  { kind, sides }: RunDocument,
): PreparedMeasurement[] {
  const bases = measurements.filter(({ side }) => side === SIDES.indexOf('base'));
  return measurements.map((one) => {
    if (one.side !== 0 || one.level.level_ms !== null || one.verdict !== 'maintained') return one;
    const base = bases.find(
      ({ key }) => caseId(key) === caseId(one.key) && key.device_class === one.key.device_class,
    )?.level;
    if (base === undefined || base.level_ms === null) return one;
    const level = { ...base, between_pct: null, cv_pct: null, samples: 0 };
    const { dirty } = sides.head.measurements[one.position]!;
    const { commit, verdict } = one;
    const on_trend = standingOf({ kind, isHead: true, commit, dirty, hasLevel: true, verdict });
    return { ...one, level, on_trend };
  });
}

export function levelFacts(level: MeasurementLevel | undefined): LevelFacts {
  return {
    level_ms: level?.level_ms ?? null,
    low_ms: level?.ci_ms[0] ?? null,
    high_ms: level?.ci_ms[1] ?? null,
    between_pct: level?.between_pct ?? null,
    cv_pct: level?.cv_pct ?? null,
    processes: level?.processes ?? 0,
    samples: level?.samples ?? 0,
  };
}

function wrong({ check }: Measurement): Verdict | undefined {
  return check?.passed === false ? 'incorrect' : undefined;
}

function checkReportOf(report: unknown): CheckReport | undefined {
  const parsed = checkReportSchema.safeParse(report);
  return parsed.success ? parsed.data : undefined;
}

function verdictsByCase(comparison: Comparison | undefined): Map<string, Verdict> {
  return new Map((comparison?.cases ?? []).map((one) => [caseId(one), one.verdict]));
}
