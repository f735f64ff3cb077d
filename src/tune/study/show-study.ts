import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { defined } from '../../model/defined.ts';
import { loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { studySchema, type Study } from '../../model/tune/study-report.ts';
import { JournalLedger } from './journal-ledger.ts';
import { runCost } from '../../rig/cost-of-run.ts';
import { assembleStudy } from './assemble-study.ts';
import { findStudy, type StoredStudy } from './study-folders.ts';
import { runContext } from '../../os/run-context.ts';

/**
 * Returns a study in its current state: the latest, or the one with the given id.
 *
 * @throws {PawlError} of kind `usage` if there is no such study
 */
export async function showStudy(options: {
  readonly config?: string;
  readonly id?: string;
  readonly now?: () => Date;
}): Promise<Study> {
  const loaded = await loadConfig(options.config);
  const stored = await findStudy(loaded.root, defined({ id: options.id }));
  return (await writtenStudy(stored)) ?? studyState(loaded, stored, runContext(options).now());
}

/** What its report says, where it has one and nothing came after it. */
async function writtenStudy({ folder, records }: StoredStudy): Promise<Study | undefined> {
  const text = await readFile(join(folder, 'study.json'), 'utf8').catch(() => undefined);
  const study = text === undefined ? undefined : studySchema.safeParse(JSON.parse(text)).data;
  return study?.throughput.wall_s === records.at(-1)?.at_s ? study : undefined;
}

/** What its journal adds up to. */
export function studyState(
  { config }: Pick<LoadedConfig, 'config'>,
  { header, records }: StoredStudy,
  now: Date,
): Study {
  const device_s = records.at(-1)?.at_s ?? 0;
  const { subject } = header;
  const settings = records.findLast((record) => record.type === 'session')?.settings ?? header.settings;
  return assembleStudy({
    subject,
    settings,
    trials: JournalLedger.read(records),
    records,
    improvement_pct: config.thresholds.improvement_pct,
    cost: runCost([{ device: subject.device.name, device_s }], device_s, config.cost),
    now,
  });
}
