import { defined } from '../model/defined.ts';
import { askGit } from '../os/git/run-git.ts';
import type { CommitFacts, StoredRun } from '../model/history/stored-run.ts';

const FIELD = '\u001F';
/** A hash, or a tag or branch as `pawl import --commit v1.2` names it; nothing that git could take for an option. */
const NAME = /^[\w.+][\w./+-]{0,199}$/;
const PATIENCE = { timeout_ms: 30_000 };

/** What git says of the commits that a run names; nothing of those it does not know. */
export async function commitFacts(root: string, run: StoredRun): Promise<CommitFacts[]> {
  const named = Object.values(run.sides).flatMap((side) =>
    (side?.measurements ?? []).flatMap(({ commit }) => commit ?? []),
  );
  const shas = [...new Set(named)].filter((name) => NAME.test(name));
  const facts = [];
  for (const sha of shas) {
    const format = `--format=%H${FIELD}%P${FIELD}%cI${FIELD}%an${FIELD}%s`;
    const text = await askGit(root, ['show', '-s', format, `${sha}^{commit}`], PATIENCE);
    const [full, parents = '', time, author, subject] = (text ?? '').split(FIELD);
    if (full === undefined || time === undefined) continue;
    // Of a merge, the first: the line that the change came to.
    const [parent] = parents.split(' ');
    facts.push({
      sha,
      ...(parent === undefined || parent === '' ? {} : { parent }),
      time: new Date(time).toISOString(),
      ...defined({ subject }),
      ...(author ? { author } : {}),
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
    fromCi === undefined
      ? await askGit(root, ['symbolic-ref', '--quiet', '--short', 'HEAD'], PATIENCE)
      : undefined;
  const branch = (fromCi ?? fromGit)?.trim();
  const number = /^refs\/pull\/(\d{1,9})\//.exec(env['GITHUB_REF'] ?? '')?.[1];
  return {
    ...(branch === undefined || branch === '' ? {} : { branch }),
    ...(number === undefined ? {} : { pull_request: Number(number) }),
  };
}
