import type { CommandResult } from '../run-command.ts';

/** What came of a push. `behind`: somebody else was first. `refused`: the host will not have it, now or later. */
export type PushOutcome =
  | { readonly state: 'pushed' }
  | { readonly state: 'behind'; readonly message: string }
  | { readonly state: 'refused'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string };

/**
 * Rules of the host against this push: protected branches (GH006), rulesets (GH013), hooks, tokens that may not
 * write. git reports them as text alone.
 */
const REFUSED =
  /\bGH0(06|13)\b|protected branch|rule violations|hook declined|\b403\b|permission (to .+ )?denied|write access .*not granted|not accessible by integration|authentication failed|could not read username/i;

/** Another push won between our fetch and our push; a lock on the branch says the same. */
const BEHIND =
  /\[rejected\]|non-fast-forward|fetch first|cannot lock ref|failed to update ref|incorrect old value|stale info/i;

export function pushOutcome(run: CommandResult): PushOutcome {
  if (run.status === 'exited' && run.code === 0) return { state: 'pushed' };
  if (run.status === 'missing') return { state: 'failed', message: run.message };
  const text = `${run.stdout}\n${run.stderr}`;
  const message = said(text) || run.status;
  if (REFUSED.test(text)) return { state: 'refused', message };
  return { state: BEHIND.test(text) ? 'behind' : 'failed', message };
}

/** The lines that say why, without git's advice and progress. */
function said(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^remote:\s*/, '').trim())
    .filter((line) => /^!|error|fatal|GH0\d\d|denied|declined|protected|\b403\b/i.test(line))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 500);
}
