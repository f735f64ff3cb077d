import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import { defined } from '../../../src/model/defined.ts';
import type { Problem, ProblemKind } from '../source/source.ts';
import type { Loaded } from '../source/use-answer.ts';

/** Keeps the room that the content will need, so that nothing jumps when it comes. */
export function Loading({ height = 320 }: { readonly height?: number }) {
  return (
    <div class="loading panel" role="status" style={{ minHeight: `${height}px` }}>
      <span class="quiet">Loading …</span>
    </div>
  );
}

/** Nothing is there: what would be, and what puts it there. */
export function Empty(props: {
  readonly title: string;
  readonly command?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="state panel">
      <h2>{props.title}</h2>
      {props.children === undefined ? null : <p>{props.children}</p>}
      {props.command === undefined ? null : (
        <pre>
          <code>{props.command}</code>
        </pre>
      )}
    </div>
  );
}

const ADVICE: Readonly<Record<ProblemKind, { readonly title: string; readonly text: string }>> = {
  'not-found': {
    title: 'That is not in this history.',
    text: 'It may be in another store, or the address is incomplete.',
  },
  'not-allowed': {
    title: 'This server needs its read token.',
    text: 'Sign in with it. The person who started pawl serve has it.',
  },
  'not-embedded': {
    title: 'That is not in this report.',
    text: 'A report contains only part of the history. For all of it, run pawl serve in the project, or write a report with a longer --since.',
  },
  'needs-token': {
    title: 'This needs the write token.',
    text: 'The person who runs the server has it.',
  },
  offline: {
    title: 'The server does not answer.',
    text: 'Is pawl serve still running? Nothing was lost: this page tries again every few seconds.',
  },
  trouble: {
    title: 'The server could not answer.',
    text: 'Its log says more. This page tries again every few seconds.',
  },
};

const AGAIN_MS = 4000;

function Failed(props: { readonly problem: Problem; readonly again: () => void; readonly isPage: boolean }) {
  const { problem, again, isPage } = props;
  const { title, text } = ADVICE[problem.kind];
  const isPassing = problem.kind === 'offline' || problem.kind === 'trouble';
  // A new problem comes with every attempt, so there is always one more.
  useEffect(() => {
    if (!isPassing) return;
    const timer = setTimeout(again, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [problem]);
  return (
    <div class="state panel" role="alert">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {problem.message === '' ? null : <p>{problem.message}</p>}
      <p>{text}</p>
      <p>
        {problem.kind === 'not-allowed' ? (
          <a class="button" href="login">
            Sign in
          </a>
        ) : null}{' '}
        {isPassing ? (
          <button type="button" onClick={again}>
            Try again
          </button>
        ) : (
          <a href="#/">To the overview</a>
        )}
      </p>
    </div>
  );
}

/** The answer once it is there, else its state. */
export function Shown<Answer>(props: {
  readonly loaded: Loaded<Answer>;
  readonly height?: number;
  /** Nothing but the answer is on the page: its failure is the page's heading. */
  readonly isPage?: boolean;
  readonly children: (answer: Answer) => ComponentChildren;
}) {
  const { loaded, height, isPage = false, children } = props;
  if (loaded.state === 'done') return <>{children(loaded.answer)}</>;
  if (loaded.state === 'failed')
    return <Failed problem={loaded.problem} again={loaded.again} isPage={isPage} />;
  return <Loading {...defined({ height })} />;
}
