/**
 * `.pawl/costs.jsonl`: what every run cost, a line for each device of each run. Lines are only ever appended, each by
 * one write to a file opened for appending, so writers need no lock; a line that is there twice counts once.
 */
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { costEntrySchema, type CostEntry } from '../model/cost.ts';

/** The ledger of a project, or the one that `PAWL_COST_LEDGER` names: CI runners throw their checkouts away. */
export function ledgerPath(root: string, env: NodeJS.ProcessEnv): string {
  const named = env['PAWL_COST_LEDGER'];
  return named ? resolve(root, named) : join(root, '.pawl', 'costs.jsonl');
}

export async function appendCosts(path: string, entries: readonly CostEntry[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a+');
  try {
    const { size } = await file.stat();
    // A writer that was killed in mid-line must not take the next line with it.
    const last = size === 0 ? '\n' : await lastByte(file, size);
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    await file.appendFile(last === '\n' ? text : `\n${text}`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function lastByte(file: Awaited<ReturnType<typeof open>>, size: number): Promise<string> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString('latin1');
}

export interface Ledger {
  /** In the order of the file, each run and device once. */
  readonly entries: readonly CostEntry[];
  readonly unreadable: number;
}

export async function readLedger(path: string): Promise<Ledger> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const byRun = new Map<string, CostEntry>();
  let unreadable = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const entry = readEntry(line);
    if (entry === undefined) unreadable += 1;
    else {
      const name = JSON.stringify([entry.run, entry.device]);
      if (!byRun.has(name)) byRun.set(name, entry);
    }
  }
  return { entries: [...byRun.values()], unreadable };
}

function readEntry(line: string): CostEntry | undefined {
  try {
    return costEntrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
