import { z } from 'zod';

import type { GitHub } from './github/github.ts';
import { refusal, type FinishedRun } from './github/finished-run.ts';

const sideSchema = z.object({
  ref: z.string(),
  sha: z.string(),
  repo: z.object({ id: z.int() }).nullable(),
});
const pullSchema = z.object({
  number: z.int().positive(),
  state: z.enum(['open', 'closed']),
  head: sideSchema,
  base: sideSchema,
});
type Pull = z.infer<typeof pullSchema>;

/** `stale`: its branch has moved on. `closed`: the pull request is closed. Both are normal, and end quietly. */
export type PublishTarget =
  | { readonly state: 'open'; readonly pull_request: number }
  | { readonly state: 'stale' | 'closed'; readonly pull_request: number };

/**
 * The pull request that a run belongs to, from the API alone: by commit, and by branch for forks, whose commits
 * belong to no pull request here. It must go into this repository, and come from the repository and branch that ran.
 */
export async function findPullRequest(github: GitHub, run: FinishedRun): Promise<PublishTarget> {
  const found = new Map<number, Pull>();
  for (const list of [
    github.pages(`/repos/${run.repo}/commits/${run.head_sha}/pulls`, {
      // A commit that only a fork holds may be unknown here.
      accept: [404, 422],
      items: (body) => (Array.isArray(body) ? body : []),
    }),
    github.pages(`/repos/${run.repo}/pulls`, {
      query: { head: `${run.head_owner}:${run.head_branch}`, state: 'all' },
    }),
  ]) {
    for await (const item of list) {
      const pull = pullSchema.safeParse(item).data;
      if (pull !== undefined && isOf(pull, run)) found.set(pull.number, pull);
    }
  }
  const pulls = [...found.values()];
  const open = pulls.filter(({ state }) => state === 'open');
  const current = open.filter(({ head }) => head.sha === run.head_sha);
  const [only, ...others] = current;
  if (only !== undefined) {
    if (others.length > 0) throw refusal('several open pull requests have this commit: which was measured?');
    return { state: 'open', pull_request: only.number };
  }
  const newest = (list: readonly Pull[]): number => Math.max(...list.map(({ number }) => number));
  if (open.length > 0) return { state: 'stale', pull_request: newest(open) };
  if (pulls.length > 0) return { state: 'closed', pull_request: newest(pulls) };
  throw refusal('no pull request of this repository has the branch that was measured');
}

function isOf({ head, base }: Pull, run: FinishedRun): boolean {
  return (
    base.repo?.id === run.repository_id &&
    head.repo?.id === run.head_repository_id &&
    head.ref === run.head_branch
  );
}
