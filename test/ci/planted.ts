import type { StandIn } from '../contract/github/stand-in.ts';

export const HEAD_SHA = 'a'.repeat(40);
export const PULL = 7;

/** An open pull request of the repository's own branch. */
export function plantPull(standIn: StandIn): void {
  standIn.state.pulls.push({
    number: PULL,
    state: 'open',
    draft: false,
    title: 'Faster softmax',
    body: null,
    user: { login: 'someone', type: 'User' },
    head: { ref: 'softmax', sha: HEAD_SHA, repo: standIn.state.repository },
    base: { ref: 'main', sha: 'b'.repeat(40) },
  });
}

/** Comments of other people, oldest first. */
export function plantChatter(standIn: StandIn, count: number, body = 'Looks good to me.'): void {
  for (let index = 0; index < count; index += 1) {
    standIn.state.comments.push({
      id: 1000 + standIn.state.comments.length,
      issue: PULL,
      user: { login: `person-${index}`, type: 'User' },
      body,
      created_at: '2026-11-01T00:00:00Z',
    });
  }
}
