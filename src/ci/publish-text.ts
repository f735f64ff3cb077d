import { logText } from '../report/text/plain-text.ts';
import type { PublishOutcome } from './publish-run.ts';

/** For the log, which a runner reads commands from: our own words and numbers. */
export function publishText(outcome: PublishOutcome): string {
  const { pull_request } = outcome;
  switch (outcome.state) {
    case 'stale':
      return `Nothing published: the branch of pull request ${pull_request} has moved on since this run.`;
    case 'closed':
      return `Nothing published: pull request ${pull_request} is closed.`;
    case 'published': {
      const { run, posted } = outcome;
      const said = `Pull request ${pull_request}: ${run.verdict} (${run.conclusion}).`;
      return [said, ...posted.fallbacks.map(logText)].join('\n');
    }
  }
}

/** The same for scripts; the report itself stays in its artifact. */
export function publishJson(outcome: PublishOutcome): string {
  const { state, pull_request } = outcome;
  if (outcome.state !== 'published') return JSON.stringify({ state, pull_request });
  const { verdict, conclusion } = outcome.run;
  const { comment_id, check_run_id, fallbacks } = outcome.posted;
  const posted = { comment_id, check_run_id, fallbacks: fallbacks.map(logText) };
  return JSON.stringify({ state, pull_request, verdict, conclusion, ...posted });
}
