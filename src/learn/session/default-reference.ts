import { defined } from '../../model/defined.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { pick, planKernel } from '../../config/plan-kernel.ts';
import { gitState } from '../../device/environment.ts';
import { askGit } from '../../os/git/run-git.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Session } from '../../model/learn/session.ts';

interface Subject {
  readonly kernel: string;
  readonly case: string;
}

/** What was named: another kernel of the same problem and device, or a commit. */
export async function namedReference(
  loaded: LoadedConfig,
  { kernel, case: caseName }: Subject,
  named: string,
): Promise<Session['reference']> {
  const own = pick(loaded.config.kernels, kernel, 'kernel');
  const other = Object.hasOwn(loaded.config.kernels, named) ? loaded.config.kernels[named] : undefined;
  if (other !== undefined) {
    if (named === kernel) {
      throw new PawlError('usage', `${kernel} cannot be its own reference.`, 'Give a commit of it instead.');
    }
    if (other.problem !== own.problem || other.device !== own.device) {
      throw new PawlError(
        'usage',
        `${named} is not a reference for ${kernel}: it has another problem, or runs on another device.`,
        `${kernel}: ${own.problem} on ${own.device}; ${named}: ${other.problem} on ${other.device}.`,
      );
    }
    // Throws where it lacks the case, and says which it has.
    planKernel(loaded, named, { cases: [caseName] });
    return { kernel: named };
  }
  const found = named.startsWith('-')
    ? undefined
    : await askGit(loaded.root, ['rev-parse', '--verify', '--quiet', `${named}^{commit}`]);
  if (found !== undefined) return { commit: found };
  throw new PawlError(
    'usage',
    `"${named}" is neither a kernel of pawl.yaml nor a commit.`,
    `Kernels: ${Object.keys(loaded.config.kernels).join(', ')}`,
  );
}

/** Another kernel of the problem that has the case, a library's before one's own; otherwise the last commit, or nothing. */
export async function defaultReference(
  loaded: LoadedConfig,
  { kernel, case: caseName }: Subject,
): Promise<Session['reference']> {
  const own = pick(loaded.config.kernels, kernel, 'kernel');
  const others = Object.entries(loaded.config.kernels).filter(
    ([name, other]) =>
      name !== kernel &&
      other.problem === own.problem &&
      other.device === own.device &&
      planKernel(loaded, name).cases.some((one) => one.name === caseName),
  );
  const [chosen] = others.find(([, { language }]) => language === 'python') ?? others[0] ?? [];
  if (chosen !== undefined) return { kernel: chosen };
  const state = await gitState(loaded.root);
  return defined({ commit: state?.commit });
}
