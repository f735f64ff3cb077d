import { runCommand } from '../../device/run-command.ts';
import type { CommitFacts, StoredRun } from '../../model/stored-run.ts';

const FIELD = '\u001F';

/** What git says of the commits that a run names; nothing of those it does not know. */
export async function commitFacts(root: string, run: StoredRun): Promise<CommitFacts[]> {
  const named = Object.values(run.sides).flatMap((side) =>
    (side?.measurements ?? []).flatMap(({ commit }) => commit ?? []),
  );
  const shas = [...new Set(named)].filter((sha) => /^[0-9a-f]{7,64}$/.test(sha));
  const facts = [];
  for (const sha of shas) {
    const text = await git(root, [
      'show',
      '-s',
      `--format=%H${FIELD}%P${FIELD}%cI${FIELD}%s`,
      `${sha}^{commit}`,
    ]);
    const [full, parents = '', time, subject] = (text ?? '').trimEnd().split(FIELD);
    if (full === undefined || time === undefined) continue;
    // Of a merge, the first: the line that the change came to.
    const [parent] = parents.split(' ');
    facts.push({
      sha,
      ...(parent === undefined || parent === '' ? {} : { parent }),
      time: new Date(time).toISOString(),
      ...(subject === undefined ? {} : { subject }),
    });
  }
  return facts;
}

/** The branch and the pull request that a run is for, as git or the CI says. */
export async function branchFacts(
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<Pick<StoredRun, 'branch' | 'pull_request'>> {
  const fromCi = env['GITHUB_HEAD_REF'] || env['GITHUB_REF_NAME'];
  const fromGit =
    fromCi === undefined ? await git(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']) : undefined;
  const branch = (fromCi ?? fromGit)?.trim();
  const number = /^refs\/pull\/(\d{1,9})\//.exec(env['GITHUB_REF'] ?? '')?.[1];
  return {
    ...(branch === undefined || branch === '' ? {} : { branch }),
    ...(number === undefined ? {} : { pull_request: Number(number) }),
  };
}

async function git(root: string, args: readonly string[]): Promise<string | undefined> {
  const result = await runCommand('git', ['-C', root, ...args], {
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
    timeout_ms: 30_000,
  });
  return result.status === 'exited' && result.code === 0 ? result.stdout : undefined;
}
