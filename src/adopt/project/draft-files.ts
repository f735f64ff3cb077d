import { basename, join } from 'node:path';

import type { Draft, DraftFile } from '../draft.ts';
import { pawlYaml } from '../pawl-yaml.ts';
import { CONFIG_FILE } from '../../config/find-config.ts';
import { loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { write } from '../../scaffold/project-folder.ts';
import { schemaPath } from '../../scaffold/schema-path.ts';

/** All files of the project. pawl.yaml is last, so that it never names a file that is not there yet. */
export function filesOf(draft: Draft, file: string, schema: string): DraftFile[] {
  return [...draft.files, { path: CONFIG_FILE, text: pawlYaml(draft, basename(file), schema) }];
}

/** Refuses a draft that lacks what only a person can say. */
export function refuseMissing({ missing }: Draft): void {
  const [open] = missing;
  if (open === undefined) return;
  throw new PawlError('bad-data', `The shape of ${open.name} is unknown.`, `Give it with ${open.option}`);
}

/** Writes the project of a draft into a folder, and reads it. */
export async function writeDraft(draft: Draft, file: string, folder: string): Promise<LoadedConfig> {
  for (const { path, text } of filesOf(draft, file, schemaPath(folder)))
    await write(join(folder, path), text);
  return loadConfig(folder);
}
