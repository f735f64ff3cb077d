import { describe, expect, it } from 'vitest';

import { codeHostOf, toldCommit } from '../../src/history/code-host.ts';

const SHA = 'a'.repeat(40);

describe('where commits have pages', () => {
  it.each([
    ['https://github.com/owner/name.git', 'https://github.com/owner/name'],
    ['https://user:secret@github.com/owner/name', 'https://github.com/owner/name'],
    ['git@github.com:owner/name.git', 'https://github.com/owner/name'],
    ['ssh://git@gitlab.example.org:2222/group/sub/name.git', 'https://gitlab.example.org/group/sub/name'],
    ['https://git.example.org/owner/name.git', undefined],
    ['/srv/git/name.git', undefined],
    ['../github/name', undefined],
    ['javascript://github.com/%0aalert(1)', undefined],
    ['https://github.com/owner/na me', undefined],
  ])('of %s are at %s', (remote, repository) => {
    expect(codeHostOf(remote)?.repository).toBe(repository);
  });

  it('a commit has its page and that of its pull request', () => {
    const host = codeHostOf('git@gitlab.com:a/b.git');
    expect(toldCommit({ sha: SHA, subject: 'Faster (#12)' }, host)).toMatchObject({
      pull_request: 12,
      url: `https://gitlab.com/a/b/-/commit/${SHA}`,
      pull_request_url: 'https://gitlab.com/a/b/-/merge_requests/12',
    });
    expect(toldCommit({ sha: SHA, subject: 'Faster (#12)', pull_request: 9 }, host).pull_request).toBe(9);
    expect(toldCommit({ sha: 'v1.2 <b>' }, host)).toEqual({ sha: 'v1.2 <b>' });
  });
});
