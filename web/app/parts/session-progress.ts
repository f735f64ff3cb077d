/**
 * How far a session is, by the rules of src/model and src/learn. They are said again here, because their files bring
 * the schemas along, half as much again as the whole dashboard; test/web/session-progress.test.ts holds them together.
 */
import type { GateResult } from '../../../src/model/gate.ts';
import type { Session } from '../source/shapes.ts';

/** Longer stretches in which nothing happened are not counted as work. */
export const PAUSE_MS = 30 * 60_000;

/** Nothing may go on before this gate passes or is overridden. */
export function isStopping({ state }: Pick<GateResult, 'state'>): boolean {
  return state === 'failed' || state === 'unknown';
}

/** The session has it behind it. */
export function isGateDone({ state }: Pick<GateResult, 'state'>): boolean {
  return state !== 'open' && !isStopping({ state });
}

/** Without pauses. */
export function workedMinutes({ phases }: Pick<Session, 'phases'>): number {
  return phases.reduce((sum, { spent_s }) => sum + spent_s, 0) / 60;
}
