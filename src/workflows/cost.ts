/** `pawl cost`: what runs cost, by run, pull request, study, month, kernel or device. */
import { resolve } from 'node:path';

import { defined } from '../model/defined.ts';
import { loadConfig } from '../config/load-config.ts';
import {
  addMoney,
  COST_SCHEMA,
  type CostEntry,
  type CostGroup,
  type CostReport,
  type CostRow,
  type CostSum,
} from '../model/device/cost.ts';
import { ledgerPath, readLedger } from '../rig/cost-ledger.ts';
import type { Environment } from '../os/environment.ts';

export { recordCost, type RecordedRun } from '../rig/cost-of-run.ts';

/** Which ledger to read, and how to group it. */
export interface CostOptions {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  /** The ledger; default: the project's. */
  readonly ledger?: string;
  /** Default `run`. */
  readonly by?: CostGroup;
  /** Only runs that ended at this time or later. */
  readonly since?: Date;
  readonly env?: Environment;
}

/** A run of several kernels is a row of its own: how its time divides among them is not known. */
const KEYS: Readonly<Record<CostGroup, (entry: CostEntry) => string | undefined>> = {
  run: ({ run }) => run,
  pr: ({ pr }) => (pr === undefined ? undefined : `${pr}`),
  study: ({ study }) => study,
  month: ({ at }) => at.slice(0, 7),
  kernel: ({ kernels }) => (kernels.length === 0 ? undefined : kernels.toSorted().join(' + ')),
  device: ({ device }) => device,
};

/**
 * Sums up what runs cost in device time and money, by run, pull request, study, month, kernel or device.
 *
 * @throws {PawlError} of kind `configuration` if no ledger is named and pawl.yaml is missing or wrong
 */
export async function cost(options: CostOptions = {}): Promise<CostReport> {
  const path = await pathOf(options);
  const { entries, unreadable } = await readLedger(path);
  const by = options.by ?? 'run';
  const since = options.since?.toISOString();
  const asked = entries
    .filter(({ at }) => options.since === undefined || Date.parse(at) >= options.since.getTime())
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const groups = new Map<string | undefined, CostEntry[]>();
  for (const entry of asked) {
    const key = KEYS[by](entry);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return {
    schema: COST_SCHEMA,
    by,
    ...defined({ since }),
    ledger: path,
    rows: [...groups].map(([key, group]) => rowOf(key, group)),
    total: sumOf(asked),
    unreadable,
  };
}

async function pathOf({ config, ledger, env = process.env }: CostOptions): Promise<string> {
  if (ledger !== undefined) return resolve(ledger);
  return ledgerPath((await loadConfig(config)).root, env);
}

function rowOf(key: string | undefined, entries: readonly CostEntry[]): CostRow {
  return {
    ...defined({ key }),
    ...sumOf(entries),
    first_at: entries[0]!.at,
    last_at: entries.at(-1)!.at,
    what: [...new Set(entries.map(({ what }) => what))],
    devices: [...new Set(entries.map(({ device }) => device))],
  };
}

function sumOf(entries: readonly CostEntry[]): CostSum {
  // The devices of one run share its wall time.
  const walls = new Map(entries.map(({ run, wall_s }) => [run, wall_s]));
  const unpriced = entries.filter(({ money }) => money === undefined);
  return {
    runs: walls.size,
    device_s: total(entries.map(({ device_s }) => device_s)),
    wall_s: total([...walls.values()]),
    money: addMoney(entries.flatMap(({ money }) => money ?? [])),
    unpriced_s: total(unpriced.map(({ device_s }) => device_s)),
  };
}

/** To the millisecond, which is what runs are told in: sums of binary fractions leave dust behind. */
function total(seconds: readonly number[]): number {
  return Math.round(1000 * seconds.reduce((sum, one) => sum + one, 0)) / 1000;
}
