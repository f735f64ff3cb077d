import { execFile } from 'node:child_process';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Our action as a runner has it: what is in git and what is bundled, without the packages it was bundled from. */
export async function actionCheckout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-action-'));
  for (const each of ['action.yml', 'package.json', 'runner']) {
    await cp(join(ROOT, each), join(folder, each), { recursive: true });
  }
  const bundle = join(folder, 'action/dist');
  await promisify(execFile)(process.execPath, [join(ROOT, 'tools/bundle-action.js'), bundle]);
  return folder;
}
