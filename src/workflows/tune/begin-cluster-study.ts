import { randomBytes } from 'node:crypto';

import type { LoadedConfig } from '../../config/load-config.ts';
import { planKernel } from '../../config/plan-kernel.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { timeStamp } from '../../model/text/time-stamp.ts';
import type { ClusterStudy } from '../../tune/study/cluster-store.ts';
import {
  amendStudyRow,
  createStudyRow,
  latestStudyId,
  readStudyRow,
} from '../../tune/study/postgres-studies.ts';
import type { StudyDatabase } from '../../tune/study/study-database.ts';
import { withDefaults, type StudyOptions } from './run-study.ts';

/** Writes a new study down, or finds the one to go on with. */
export async function beginStudy(
  database: StudyDatabase,
  loaded: LoadedConfig,
  options: StudyOptions,
  { pilots, lease_s }: { readonly pilots: number; readonly lease_s: number },
): Promise<string> {
  const { kernel, case: name, resume, settings, now } = options;
  if (resume !== undefined) {
    const id = resume === true ? await latestStudyId(database, kernel, name) : resume;
    if (id === undefined) {
      throw new PawlError(
        'usage',
        `This store has no study of ${kernel} ${name}.`,
        'Remove --resume to start one.',
      );
    }
    const before = await readStudyRow(database, id);
    if (before.kernel !== kernel || before.case !== name) {
      throw new PawlError(
        'usage',
        `Study ${id} is about ${before.kernel} ${before.case}, not ${kernel} ${name}.`,
      );
    }
    const changed = { ...before.settings, ...settings };
    await amendStudyRow(database, id, { settings: changed, pilots, goesOn: goesOn(before, changed) });
    return id;
  }
  const { device } = planKernel(loaded, kernel, { cases: [name] });
  // Several projects may share a store.
  const id = `${timeStamp(now())}-${kernel}-${name}-${randomBytes(2).toString('hex')}`;
  const seed = now().getTime() % 2 ** 31;
  await createStudyRow(database, {
    id,
    kernel,
    case: name,
    mode: options.mode,
    settings: withDefaults(settings, device, seed),
    pilots,
    lease_s,
  });
  return id;
}

/** Whether a study that was searched to the end of its budget has got another one. */
function goesOn({ settings, searched_by }: ClusterStudy, changed: ClusterStudy['settings']): boolean {
  if (searched_by === undefined || searched_by === 'space') return false;
  return (
    settings.trials !== changed.trials ||
    settings.budget_s !== changed.budget_s ||
    settings.max_cost !== changed.max_cost
  );
}
