import { formatDuration, timeOfDay } from '../common/format.ts';
import { adjust } from '../common/router.ts';
import { CopyCommand } from './copy-command.tsx';
import { GateChip } from './gate-state.tsx';
import { PhaseTime } from './phase-time.tsx';
import type { ShownGate, ShownPhase } from '../common/session-gates.ts';

/** Phases as sections, each gate with what was seen; `opened` is kept in the address. */
export function GateList(props: {
  readonly phases: readonly ShownPhase[];
  readonly current: string | undefined;
  readonly opened: string | undefined;
}) {
  const { phases, current, opened } = props;
  return (
    <>
      {phases.map(({ id, title, time, gates }) => (
        <section key={id} class="phase" aria-labelledby={`phase-${id}`}>
          <div class="phase-head">
            <h2 id={`phase-${id}`}>{title}</h2>
            {time === undefined ? null : <PhaseTime phase={time} />}
          </div>
          {gates.length === 0 ? (
            <p class="quiet">This phase has no gates.</p>
          ) : (
            <ul class="gates panel keyed">
              {gates.map((gate) => (
                <GateItem
                  key={gate.gate}
                  gate={gate}
                  isCurrent={gate.gate === current}
                  isOpen={gate.gate === opened}
                />
              ))}
            </ul>
          )}
        </section>
      ))}
    </>
  );
}

function GateItem(props: {
  readonly gate: ShownGate;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
}) {
  const { gate, isCurrent, isOpen } = props;
  const { gate: id, number, title, state, took_s } = gate;
  return (
    <li class={isCurrent ? 'current' : ''} {...(isCurrent ? { 'aria-current': 'step' as const } : {})}>
      <button
        type="button"
        class="gate-head"
        aria-expanded={isOpen}
        onClick={() => adjust({ open: isOpen ? '-' : id })}
      >
        <GateChip state={state} />
        <span class="gate-title">
          {number === undefined ? null : <span class="quiet">{number} </span>}
          {title}
        </span>
        {isCurrent ? <span class="tag tag-next">next</span> : null}
        <small>{took_s === undefined ? '' : formatDuration(took_s * 1000)}</small>
      </button>
      {isOpen ? <GateBody gate={gate} /> : null}
    </li>
  );
}

function GateBody({ gate }: { readonly gate: ShownGate }) {
  const { reason, why, evidence, evaluated_at, override, state, after } = gate;
  const facts = Object.entries(evidence?.facts ?? {});
  return (
    <div class="gate-body">
      {reason === '' ? null : <p class={state === 'failed' ? 'sentence slower' : 'sentence'}>{reason}</p>}
      {why === undefined ? null : <p class="quiet">{why}</p>}
      {override === undefined ? null : (
        <p>
          Overridden by <b>{override.by}</b> at {timeOfDay(override.at)}: {override.reason}
        </p>
      )}
      {evidence === undefined ? null : (
        <>
          <h3>
            What was measured{' '}
            <span class="quiet">
              {evidence.kind}, {timeOfDay(evaluated_at ?? evidence.taken_at)} UTC
            </span>
          </h3>
          <ul class="lines">
            {evidence.lines.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
          {facts.length === 0 ? null : (
            <dl class="fact-list">
              {facts.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{String(value)}</dd>
                </div>
              ))}
            </dl>
          )}
          <Sources sources={evidence.sources} />
        </>
      )}
      {after === undefined || state === 'passed' || state === 'skipped' ? null : (
        <>
          <h3>{state === 'open' ? 'If it fails' : 'What comes next'}</h3>
          <CopyCommand command={after} />
        </>
      )}
    </div>
  );
}

function Sources({
  sources,
}: {
  readonly sources: readonly {
    command?: string | undefined;
    run?: string | undefined;
    file?: string | undefined;
  }[];
}) {
  const texts = sources.flatMap(({ command, run, file }) => [
    ...(command === undefined ? [] : [command]),
    ...(run === undefined ? [] : [`run ${run}`]),
    ...(file === undefined ? [] : [file]),
  ]);
  if (texts.length === 0) return null;
  return (
    <p class="quiet">
      From{' '}
      {texts.map((text, index) => (
        <span key={index}>
          {index === 0 ? '' : ', '}
          <code>{text}</code>
        </span>
      ))}
    </p>
  );
}
