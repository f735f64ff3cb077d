import { relative } from 'node:path';

import { isBelow } from '../os/below-folder.ts';
import { runGit } from '../os/git/run-git.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { SAME_CODE } from '../model/reports/torch-export.ts';
import type { ChosenRow } from './choose-rows.ts';

/**
 * That what is exported is what was measured: the same machine code, or, where another compiler built it, the same
 * files as at the commit that was measured.
 *
 * @param files what the variant is made of, absolute
 * @throws {PawlError} of kind `bad-data` where neither can be shown
 */
export async function sameCode(
  { plan, case: shape, binary, commit, dirty }: ChosenRow,
  {
    sha256,
    files,
    top,
  }: { readonly sha256: string | undefined; readonly files: readonly string[]; readonly top: string },
): Promise<(typeof SAME_CODE)[number]> {
  if (sha256 !== undefined && sha256 === binary) return 'machine-code';
  const label = `${plan.name}/${shape.name}`;
  const measured = commit === undefined ? 'no commit' : `commit ${commit.slice(0, 12)}`;
  if (commit === undefined || dirty) {
    throw differs(
      `${label} was measured with uncommitted files, and the machine code built now is different.`,
    );
  }
  const own = files.filter((file) => isBelow(top, file)).map((file) => relative(top, file));
  const [tracked, changed] = await Promise.all([
    runGit(top, ['ls-files', '--error-unmatch', '--', ...own]),
    runGit(top, ['diff', '--name-only', commit, '--', ...own]),
  ]);
  if (changed.status !== 'exited' || changed.code !== 0) {
    throw differs(`${label} was measured at ${measured}, which this repository does not have.`);
  }
  const names = changed.stdout.split('\n').filter((line) => line !== '');
  if (names.length > 0) {
    throw differs(`${label} was measured at ${measured}, and ${names.join(', ')} changed since.`);
  }
  if (tracked.status !== 'exited' || tracked.code !== 0) {
    throw differs(`${label} uses files that git does not have.`);
  }
  return 'sources';
}

function differs(message: string): PawlError {
  return new PawlError(
    'bad-data',
    message,
    'Measure the current files (pawl check --update), or check out the measured commit.',
  );
}
