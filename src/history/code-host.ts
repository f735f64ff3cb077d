import type { ToldCommit } from '../model/history/history-api.ts';
import type { CommitFacts } from '../model/history/stored-run.ts';
import { askGit } from '../os/git/run-git.ts';

/** Where a project's commits have pages. */
export interface CodeHost {
  /** `https://github.com/owner/name` */
  readonly repository: string;
  readonly kind: keyof typeof PAGES;
}

const PAGES = {
  github: { commit: 'commit', pullRequest: 'pull' },
  gitlab: { commit: '-/commit', pullRequest: '-/merge_requests' },
  gitea: { commit: 'commit', pullRequest: 'pulls' },
  bitbucket: { commit: 'commits', pullRequest: 'pull-requests' },
} as const;

/** By a part of the host's name. Of others nothing is known, and no link is better than a wrong one. */
const HOSTS: readonly (readonly [part: string, kind: CodeHost['kind']])[] = [
  ['github', 'github'],
  ['gitlab', 'gitlab'],
  ['bitbucket', 'bitbucket'],
  ['gitea', 'gitea'],
  ['forgejo', 'gitea'],
  ['codeberg', 'gitea'],
];

const PATIENCE = { timeout_ms: 10_000 };

/** As the repository in `root` names where it came from; undefined where it does not, or nothing is known of it. */
export async function findCodeHost(root: string): Promise<CodeHost | undefined> {
  const address = await askGit(root, ['config', '--get', 'remote.origin.url'], PATIENCE);
  return address === undefined ? undefined : codeHostOf(address);
}

/** Of `https://host/owner/name.git`, `ssh://git@host/owner/name` or `git@host:owner/name`; a login in it is left out. */
export function codeHostOf(address: string): CodeHost | undefined {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^/@]*@)?([\w.-]+)(?::\d+)?\/([\w./~-]+?)(?:\.git)?\/?$/u.exec(address) ??
    /^(?:[\w.-]+@)?([\w.-]+):([\w./~-]+?)(?:\.git)?\/?$/u.exec(address) ??
    [];
  if (host === undefined || path === undefined || !path.includes('/')) return undefined;
  const kind = HOSTS.find(([part]) => host.toLowerCase().includes(part))?.[1];
  return kind && { repository: `https://${host.toLowerCase()}/${path}`, kind };
}

/** What is known of a commit, with its pages. */
export function toldCommit(
  commit: CommitFacts & { readonly pull_request?: number },
  host: CodeHost | undefined,
): ToldCommit {
  const pull_request = commit.pull_request ?? mergedAs(commit.subject);
  const pages = host && PAGES[host.kind];
  return {
    ...commit,
    ...(pull_request === undefined ? {} : { pull_request }),
    // An import may name a commit by anything.
    ...(host !== undefined && /^[0-9a-f]{7,64}$/u.test(commit.sha)
      ? { url: `${host.repository}/${pages!.commit}/${commit.sha}` }
      : {}),
    ...(host === undefined || pull_request === undefined
      ? {}
      : { pull_request_url: `${host.repository}/${pages!.pullRequest}/${pull_request}` }),
  };
}

/** Code hosts put the number behind the subject of a pull request that they merge as one commit. */
function mergedAs(subject: string | undefined): number | undefined {
  const number = /\(#(\d{1,9})\)$/u.exec(subject ?? '')?.[1];
  return number === undefined || Number(number) === 0 ? undefined : Number(number);
}
