import { timeOfDay } from '../common/format.ts';
import type { Session } from '../source/shapes.ts';
import { CopyCommand } from './copy-command.tsx';
import { SessionChip } from './gate-state.tsx';

/** What a session is about, and the command that comes next. */
export function SessionHead({ session }: { readonly session: Session }) {
  const { kernel, goal, state, device, started_at, next, outcome } = session;
  return (
    <>
      <h1>
        {kernel} <span class="quiet">{goal.text}</span> <SessionChip state={state} />
      </h1>
      <p class="facts-line">
        {device ?? 'device not known'} · since {timeOfDay(started_at)} UTC
        {session.by === undefined ? '' : ` · ${session.by}`}
      </p>
      {outcome === undefined ? null : (
        <p class="sentence">
          <b>{outcome.reached ? 'Goal reached.' : 'Goal not reached.'}</b> {outcome.summary}
        </p>
      )}
      {next === '' ? null : (
        <div class={`next panel session-${state}`}>
          <span class="quiet">{state === 'ended' ? 'Afterwards' : 'Next'}</span>
          <CopyCommand command={next} />
        </div>
      )}
    </>
  );
}
