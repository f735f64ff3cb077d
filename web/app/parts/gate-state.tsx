import type { GateResult } from '../../../src/model/learn/gate.ts';
import type { Session } from '../../../src/model/learn/session.ts';
import { GATE_MARKS } from '../../../src/report/gate-marks.ts';

export function GateChip({ state }: { readonly state: GateResult['state'] }) {
  return (
    <span class={`chip gate-${state}`}>
      <span aria-hidden="true">{GATE_MARKS[state]}</span> {state}
    </span>
  );
}

const SESSION_MARKS: Readonly<Record<Session['state'], string>> = { open: '●', stopped: '✗', ended: '■' };

export function SessionChip({ state }: { readonly state: Session['state'] }) {
  return (
    <span class={`chip session-${state}`}>
      <span aria-hidden="true">{SESSION_MARKS[state]}</span> {state}
    </span>
  );
}
