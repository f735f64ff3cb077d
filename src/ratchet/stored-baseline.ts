import type { BaselineEntry } from '../model/judge/baseline.ts';
import { isSameUpToVariant } from '../model/judge/case-key.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import { canonicalJson } from '../os/canonical-json.ts';
import { deviceClassText, entryKey } from './entry-key.ts';
import { entrySamples } from './make-entry.ts';
import type { CheckedCase } from './match-entries.ts';

export interface StoredBaseline {
  /** The stored series that the head may be compared with. */
  readonly base: Samples;
  /** Cases whose series come from another device class, or from other dimensions: never compared silently, they start over. */
  readonly elsewhere: readonly { readonly case: CheckedCase; readonly why: string }[];
}

/** What the baseline stored of the cases that were measured of the head. */
export function storedBaseline(cases: readonly CheckedCase[], head: Samples): StoredBaseline {
  const entries: BaselineEntry[] = [];
  const elsewhere: { case: CheckedCase; why: string }[] = [];
  for (const each of cases) {
    const measurement = head.measurements.find((one) => isMeasurementOf(one, each));
    if (each.entry === undefined || measurement === undefined) continue;
    const { device, variant } = entryKey(measurement, head);
    const known = each.entry.key;
    const why = otherWork(each.entry.dims, measurement.dims) ?? otherContents(each.entry, measurement);
    if (why !== undefined) elsewhere.push({ case: each, why });
    else if (canonicalJson(known.device) === canonicalJson(device)) {
      // Under the head's variant and name: a changed default of a tunable, and a case that was renamed, are compared
      // with what stood there before.
      entries.push({ ...each.entry, key: { ...known, case: each.case, variant } });
    } else {
      const why = `it ran on ${deviceClassText(device)}, its entry on ${deviceClassText(known.device)}`;
      elsewhere.push({ case: each, why });
    }
  }
  return { base: entrySamples(entries), elsewhere };
}

/** What differs, where the stored series and this run measured cases of other dimensions. */
function otherWork(then: BaselineEntry['dims'], now: Measurement['dims']): string | undefined {
  if (then === undefined || now === undefined || canonicalJson(then) === canonicalJson(now)) return undefined;
  const text = (dims: Readonly<Record<string, number>>): string =>
    Object.entries(dims)
      .map(([name, value]) => `${name}=${value}`)
      .join(', ');
  return `it has ${text(now)} now, its entry has ${text(then)}`;
}

/** Which recorded inputs hold something else than those of the entry. */
function otherContents(
  { recorded: then = {} }: Pick<BaselineEntry, 'recorded'>,
  { recorded: now = {} }: Pick<Measurement, 'recorded'>,
): string | undefined {
  const names = new Set([...Object.keys(then), ...Object.keys(now)]);
  const other = [...names].filter((name) => then[name] !== now[name]);
  return other.length === 0 ? undefined : `the records of ${other.join(', ')} differ from its entry`;
}

function isMeasurementOf(one: Measurement, checked: CheckedCase): boolean {
  return isSameUpToVariant(one, checked) && one.series.length > 0;
}
