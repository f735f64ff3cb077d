/**
 * `.pawl/costs.jsonl`: what every run cost, a line for each device of each run. Runs of several
 * containers and machines may share it, which no lock of ours sees; a line that is there twice counts once.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { appendShared, readShared } from '../os/append-only-journal.ts';
import { costEntrySchema, type CostEntry } from '../model/device/cost.ts';

/** The ledger of a project, or the one that `PAWL_COST_LEDGER` names: CI runners throw their checkouts away. */
export function ledgerPath(root: string, env: NodeJS.ProcessEnv): string {
  const named = env['PAWL_COST_LEDGER'];
  return named ? resolve(root, named) : join(root, '.pawl', 'costs.jsonl');
}

export async function appendCosts(path: string, entries: readonly CostEntry[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  appendShared(path, entries);
}

export interface Ledger {
  /** In the order of the file, each run and device once. */
  readonly entries: readonly CostEntry[];
  readonly unreadable: number;
}

export async function readLedger(path: string): Promise<Ledger> {
  const { records, broken } = readShared(path, costEntrySchema) ?? { records: [], broken: [] };
  const byRun = new Map<string, CostEntry>();
  for (const entry of records) {
    const name = JSON.stringify([entry.run, entry.device]);
    if (!byRun.has(name)) byRun.set(name, entry);
  }
  return { entries: [...byRun.values()], unreadable: broken.length };
}
