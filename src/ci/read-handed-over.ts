import { join } from 'node:path';

import { readPlainFile } from '../os/read-plain-file.ts';
import type { CiRun } from '../model/reports/ci-run.ts';
import { PawlError } from '../model/pawl-error.ts';
import { distrustRun } from './artifact/distrust-run.ts';
import { parseCiRun } from './artifact/parse-ci-run.ts';
import type { CiContext } from './context.ts';

/** As much as `pawl ci publish` unpacks of an archive. */
const MOST_BYTES = 50 * 1024 * 1024;

/**
 * The run that another job left in a folder. Kernels ran in that job: on a pull request, the report's claims count only
 * against it, as those of a fork do.
 */
export async function readHandedOver(
  folder: string,
  { event, head_sha, is_fork }: CiContext,
  result: 'success' | 'failure' = 'success',
): Promise<{ readonly run: CiRun; readonly notice?: string }> {
  const path = join(folder, 'ci.json');
  const bytes = await readPlainFile(path, MOST_BYTES);
  if (bytes === undefined) {
    throw new PawlError('usage', `There is no ${path}.`, '`pawl ci` writes it; --out names its folder.');
  }
  const claimed = parseCiRun(bytes);
  if (event !== 'pull_request' || head_sha === undefined) return { run: claimed };
  const { run, notices } = distrustRun(claimed, {
    isFork: is_fork,
    head_sha,
    conclusion: result,
    thresholds: {},
  });
  return notices.length === 0 ? { run } : { run, notice: notices.join(' ') };
}
