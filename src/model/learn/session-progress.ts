/** How far a session is. Without schemas: the dashboard takes these along too, and not half as much again of zod. */
import type { GateResult } from './gate.ts';
import type { Session } from './session.ts';

/** Longer than this without an event is a pause: lunch, a night. */
export const PAUSE_MIN = 30;

/** Nothing may go on before this gate passes or is overridden. */
export function isStopping({ state }: Pick<GateResult, 'state'>): boolean {
  return state === 'failed' || state === 'unknown';
}

/** A gate that found that no profiler can count on this machine: that stays so for the session. */
export function isWithoutProfiler({ state, evidence }: Pick<GateResult, 'state' | 'evidence'>): boolean {
  return state === 'skipped' && evidence?.facts['can_profile'] === false;
}

/** Whether the session has it behind it. */
export function isGateDone({ state }: Pick<GateResult, 'state'>): boolean {
  return state !== 'open' && !isStopping({ state });
}

/** Without pauses. */
export function workedMinutes({ phases }: Pick<Session, 'phases'>): number {
  return phases.reduce((sum, { spent_s }) => sum + spent_s, 0) / 60;
}
