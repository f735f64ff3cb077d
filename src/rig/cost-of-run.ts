import { randomBytes } from 'node:crypto';

import { defined } from '../model/defined.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import {
  addMoney,
  COST_ENTRY_SCHEMA,
  costOf,
  type CostEntry,
  type Money,
  type Prices,
  type RunCost,
} from '../model/device/cost.ts';
import { timeStamp } from '../model/text/time-stamp.ts';
import { appendCosts, ledgerPath } from './cost-ledger.ts';
import { processContext, type ProcessContext } from '../os/run-context.ts';
import type { Environment } from '../os/environment.ts';

/** Devices that were held at the same time each count for all of it. */
export interface DeviceTime {
  /** The name of the device, as in `cost` of pawl.yaml. */
  readonly device: string;
  readonly device_s: number;
}

/** A run to charge: what it was, on which devices, and for how long. */
export interface RecordedRun {
  /** The name of the run; default: a new one. A run is charged once, however often it is recorded. */
  readonly run?: string;
  readonly what: string;
  readonly kernels: readonly string[];
  readonly times: readonly DeviceTime[];
  readonly wall_s: number;
  readonly commit?: string | undefined;
  readonly study?: string | undefined;
}

export type RecordOptions = Partial<Pick<ProcessContext, 'now' | 'onProgress' | 'env'>>;

/** One time a device: a run that holds it again and again is one line of the ledger. */
export function addTimes(times: readonly DeviceTime[]): DeviceTime[] {
  const byDevice = new Map<string, number>();
  for (const { device, device_s } of times) byDevice.set(device, (byDevice.get(device) ?? 0) + device_s);
  return [...byDevice].map(([device, device_s]) => ({ device, device_s }));
}

/** What a run costs by the prices of pawl.yaml. Devices without a price add to the time and not to the money. */
export function runCost(times: readonly DeviceTime[], wall_s: number, prices: Prices | undefined): RunCost {
  const [money] = addMoney(moneyOf(times, prices));
  return {
    wall_s,
    device_s: times.reduce((sum, { device_s }) => sum + device_s, 0),
    ...defined({ money }),
  };
}

function moneyOf(times: readonly DeviceTime[], prices: Prices | undefined): Money[] {
  return times.flatMap(({ device, device_s }) => costOf(device_s, device, prices) ?? []);
}

/**
 * Adds the cost of a run to the project's ledger and returns it. If the ledger cannot be written, it warns through
 * `onProgress` and the run goes on.
 */
export async function recordCost(
  { config, root }: Pick<LoadedConfig, 'config' | 'root'>,
  run: RecordedRun,
  options: RecordOptions = {},
): Promise<RunCost> {
  const { env, now, onProgress } = processContext(options);
  const cost = runCost(run.times, run.wall_s, config.cost);
  const path = ledgerPath(root, env);
  try {
    const entries = entriesOf(run, config.cost, env, now());
    if (entries.length > 0) await appendCosts(path, entries);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    onProgress({
      type: 'note',
      level: 'warning',
      text: `the cost of this run is not in ${path}: ${(error as Error).message}`,
    });
  }
  return cost;
}

function entriesOf(run: RecordedRun, prices: Prices | undefined, env: Environment, at: Date): CostEntry[] {
  const name = run.run ?? newRunName(at);
  const pr = pullRequestOf(env);
  return run.times
    .filter(({ device_s }) => device_s > 0)
    .map(({ device, device_s }) => ({
      schema: COST_ENTRY_SCHEMA,
      run: name,
      at: at.toISOString(),
      what: run.what,
      kernels: [...new Set(run.kernels)],
      device,
      device_s,
      wall_s: run.wall_s,
      // Absent where undefined: JSON leaves it out.
      money: costOf(device_s, device, prices),
      commit: run.commit,
      pr,
      study: run.study,
    }));
}

/** Sorts by time and is a run's own. */
function newRunName(at: Date): string {
  return `${timeStamp(at)}-${randomBytes(3).toString('hex')}`;
}

/** The pull request that CI says this run is about: `PAWL_PR`, GitHub Actions, GitLab CI. */
export function pullRequestOf(env: Environment): number | undefined {
  const text =
    env['PAWL_PR'] ||
    /^refs\/pull\/(\d+)\//.exec(env['GITHUB_REF'] ?? '')?.[1] ||
    env['CI_MERGE_REQUEST_IID'];
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
