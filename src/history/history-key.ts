import { defined } from '../model/defined.ts';
import type { HistoryKey, TrendSetting } from '../model/history/history.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import { workOf, type Work } from '../model/device/rates.ts';
import { variantText } from '../model/problem/variant-text.ts';
import { hashOf } from '../os/canonical-json.ts';
import { deviceClassText, entryKey } from '../ratchet/entry-key.ts';

const ID_DIGITS = 20;
/** A file from elsewhere need not say how it was timed, nor where. */
const UNSTATED = 'unstated';

/** The key of one measurement: the trend that it belongs to, and under which setting it was taken. */
export interface StoredKey extends HistoryKey {
  /** Of the trend and the setting together. */
  readonly setting_id: string;
  readonly setting: Omit<TrendSetting, 'variant'>;
  /** No part of what it is known by. */
  readonly work?: Work;
}

export interface KeyOptions {
  /** The variant is not the default of its commit, or nothing says that it is: it has a trend of its own. */
  readonly ownVariant?: boolean;
}

/**
 * A trend is a kernel, a case, a mode and a device. The driver, CUDA, the clocks, the compiler and the default variant
 * are settings of its points: they may change along it.
 */
export function historyKey(
  measurement: Measurement,
  samples: Samples,
  { ownVariant = measurement.variant_requested === true }: KeyOptions = {},
): StoredKey {
  const name = measurement.device?.name ?? samples.device?.name;
  const device = { ...measurement.device, name: name === undefined || name === '' ? UNSTATED : name };
  const {
    kernel = '',
    case: caseName,
    variant,
    mode = UNSTATED,
    device: where,
    toolchain,
  } = entryKey({ ...measurement, device }, samples) as Omit<ReturnType<typeof entryKey>, 'mode'> & {
    readonly mode?: string;
  };
  const { name: deviceName, ...conditions } = where;
  const facts = { kernel, case: caseName, variant, mode, device_class: deviceClassText(where) };
  const { compiler } = toolchain;
  return {
    id: lineId({ kernel, case: caseName, mode, device: deviceName, ...(ownVariant ? { variant } : {}) }),
    ...facts,
    device: deviceName,
    setting: { ...conditions, ...defined({ compiler }) },
    ...ownWork(measurement),
    setting_id: shortHash({ ...facts, ...defined({ compiler }), ...(ownVariant ? { ownVariant } : {}) }),
  };
}

function ownWork(measurement: Measurement): Pick<StoredKey, 'work'> {
  const work = workOf(measurement);
  return Object.keys(work).length === 0 ? {} : { work };
}

/** What a trend is found by. `variant` where it is of that variant alone. */
export function lineId(
  facts: Pick<HistoryKey, 'kernel' | 'case' | 'mode' | 'device'> & Partial<Pick<HistoryKey, 'variant'>>,
): string {
  return shortHash(facts);
}

export function shortHash(facts: object): string {
  return hashOf(facts).slice(0, ID_DIGITS);
}

type MeasurementFacts = Omit<Measurement, 'series'>;

/**
 * Those of a run's measurements that have a trend of their own variant: where a file has a case in several variants, as
 * those of tuners do, none of them is known to be the default.
 */
export function withOwnVariants(all: readonly MeasurementFacts[]): ReadonlySet<MeasurementFacts> {
  const variants = new Map<string, Set<string>>();
  const stated = all.filter((one) => one.variant_requested !== true);
  for (const one of stated) {
    const known = variants.get(caseOf(one));
    const own = variantText(one.variant ?? {});
    if (known === undefined) variants.set(caseOf(one), new Set([own]));
    else known.add(own);
  }
  return new Set(
    all.filter((one) => one.variant_requested === true || (variants.get(caseOf(one))?.size ?? 0) > 1),
  );
}

function caseOf({ kernel, case: name, mode, device }: MeasurementFacts): string {
  return JSON.stringify([kernel, name, mode, device?.name]);
}
