import type { BenchMeasurement, BenchReport, BenchWarning } from '../model/reports/bench-report.ts';
import { warningKindSchema } from '../model/reports/bench-report.ts';
import { isWrongResult } from '../model/measure/fault.ts';
import { variantText } from '../model/problem/variant.ts';
import { plainText } from './text/plain-text.ts';

/** The measurements of one variant of one kernel: a table of its own in every rendering. */
export interface BenchGroup {
  readonly kernel: string;
  readonly variant: string;
  /** Where it ran, if that is not the report's device. */
  readonly device: string | undefined;
  /** The mode, where all of the group's measurements have the same. */
  readonly mode: string | undefined;
  readonly measurements: readonly BenchMeasurement[];
}

export function benchGroups({ measurements }: BenchReport): BenchGroup[] {
  const groups = new Map<string, BenchMeasurement[]>();
  for (const measurement of measurements) {
    const key = JSON.stringify([
      measurement.kernel,
      variantText(measurement.variant ?? {}),
      measurement.commit,
      measurement.dirty,
      measurement.device?.name,
      measurement.device?.uuid,
    ]);
    const group = groups.get(key) ?? [];
    group.push(measurement);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => {
    const device = group[0]!.device?.name;
    const modes = new Set(group.map(({ mode }) => mode));
    return {
      kernel: plainText(group[0]!.kernel ?? 'measurements'),
      variant: plainText(variantText(group[0]!.variant ?? {})),
      device: device === undefined ? undefined : plainText(device),
      mode: modes.size === 1 ? group[0]!.mode : undefined,
      measurements: group,
    };
  });
}

/** A measurement in a few words: kernel, case and mode. */
export function subjectText({ kernel, case: name, mode }: BenchMeasurement): string {
  return [kernel, name, mode]
    .filter((part) => part !== undefined)
    .map(plainText)
    .join(' ');
}

/** Whether it is right, and nothing more was asked. */
export function isOnlyChecked({ state, check, lost }: BenchMeasurement): boolean {
  return state === 'unmeasured' && check === 'passed' && lost.length === 0;
}

/** Why a measurement has no samples. */
export function unmeasuredText({ check, lost, fault }: BenchMeasurement): string {
  if (check === 'failed') {
    if (fault === undefined || isWrongResult(fault)) return 'wrong result, not timed';
    return `refused: ${fault.detector}${fault.during === 'timing' ? '' : ', not timed'}`;
  }
  if (lost.length === 0) return check === 'passed' ? 'right, not timed' : 'not measured';
  return `every series lost (${lost.length})`;
}

/** A warning with all the measurements it is about; none for one about the whole run. */
export interface GatheredWarning {
  readonly kind: BenchWarning['kind'];
  readonly message: string;
  readonly remedy: string | undefined;
  readonly subjects: readonly string[];
}

/** By kind, in the order that the schema lists them; the same sentence about ten cases is one with ten subjects. */
export function gatheredWarnings(report: BenchReport): GatheredWarning[] {
  const gathered = new Map<string, GatheredWarning & { subjects: string[] }>();
  const gather = ({ kind, message, remedy }: BenchWarning, subject?: string): void => {
    const text = plainText(message);
    const known = gathered.get(text) ?? { kind, message: text, remedy, subjects: [] };
    if (subject !== undefined) known.subjects.push(subject);
    gathered.set(text, known);
  };
  for (const warning of report.warnings) gather(warning);
  for (const measurement of report.measurements) {
    for (const warning of measurement.warnings) gather(warning, subjectText(measurement));
  }
  const rank = ({ kind }: GatheredWarning): number => warningKindSchema.options.indexOf(kind);
  return [...gathered.values()].sort((one, other) => rank(one) - rank(other));
}
