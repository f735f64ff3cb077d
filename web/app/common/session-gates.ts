import { fillCommand } from '../../../src/learn/gates/fill-template.ts';
import { gateNames } from '../../../src/learn/gates/gate-names.ts';
import type { GateResult, PhaseId } from '../../../src/model/learn/gate.ts';
import { phaseTitle } from '../../../src/report/text/session-text.ts';
import type { Method, Session } from '../source/shapes.ts';
import { isStopping } from '../../../src/model/learn/session-progress.ts';

/** A gate as a session saw it, with what the method says of it. */
export interface ShownGate extends GateResult {
  readonly number: string | undefined;
  readonly why: string | undefined;
  /** What comes after a failure, whether there was one or not. */
  readonly after: string | undefined;
}

export interface ShownPhase {
  readonly id: PhaseId;
  readonly title: string;
  readonly time: Session['phases'][number] | undefined;
  readonly gates: readonly ShownGate[];
}

/** Phases in the method's order. A method that has changed since does not change what a session went through. */
export function phasesOf(session: Session, method: Method | undefined): readonly ShownPhase[] {
  const order = [
    ...new Set([
      ...(method?.phases ?? []).map(({ id }) => id),
      ...session.phases.map(({ phase }) => phase),
      ...session.gates.map(({ phase }) => phase),
    ]),
  ];
  return order.flatMap((id) => {
    const gates = session.gates.filter(({ phase }) => phase === id);
    const time = session.phases.find(({ phase }) => phase === id);
    if (gates.length === 0 && time === undefined) return [];
    const now = method?.phases.find((one) => one.id === id)?.title;
    const title = time?.title ?? now ?? phaseTitle(id, []);
    return [{ id, title, time, gates: gates.map((gate) => shownGate(gate, session, method)) }];
  });
}

function shownGate(gate: GateResult, session: Session, method: Method | undefined): ShownGate {
  const known = method?.gates.find(({ id }) => id === gate.gate);
  // In a session that is over, missing evidence will not be measured any more.
  const isComing = session.state !== 'ended' && gate.state !== 'skipped';
  const after = gate.next ?? (known && isComing ? filled(known.next, session, method) : undefined);
  return { ...gate, number: known?.number, why: known?.why, after };
}

/** A command as it would read now, filled as a session fills it. */
function filled(template: string, session: Session, method: Method | undefined): string {
  const { kernel, goal, reference, gates } = session;
  const facts = Object.assign({}, ...gates.map(({ evidence }) => evidence?.facts ?? {})) as Facts;
  const names = gateNames({ kernel, case: goal.case, reference });
  return fillCommand(template, { ...method?.settings, ...facts, ...names });
}

type Facts = NonNullable<GateResult['evidence']>['facts'];

/** Where a session is: at the gate that stopped it, else at the first that was not looked at. */
export function currentGate(session: Session): string | undefined {
  if (session.state === 'ended') return undefined;
  const stopping = session.gates.find(isStopping);
  return (stopping ?? session.gates.find(({ state }) => state === 'open'))?.gate;
}
