import { percent } from './markdown.ts';
import { PAWL_RULE } from './rules.ts';
import type { Score } from './score.ts';

/** What our rule promises for ten processes per side, and whether it kept it. */
export interface Target {
  readonly case: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
}

export function verifyTargets(scores: readonly Score[]): Target[] {
  const own = scores.filter(({ rule }) => rule === PAWL_RULE.name);
  return [...new Set(own.map((score) => score.case))].flatMap((name) =>
    caseTargets(
      name,
      own.filter((score) => score.case === name),
    ),
  );
}

function caseTargets(name: string, scores: readonly Score[]): Target[] {
  const slower = (pct: number): Score['shares'] | undefined =>
    scores.find((score) => score.injected_pct === pct && score.direction === 'slower')?.shares;
  const target = (text: string, value: number, met: boolean): Target => ({
    case: name,
    target: text,
    measured: percent(value),
    met,
  });
  const targets: Target[] = [];
  const alarms = slower(0)?.regressed;
  if (alarms !== undefined) {
    targets.push(target('unchanged called regressed, at most 0.5', alarms, alarms <= 0.005));
  }
  // At the threshold itself it is the gate as it runs that is held to a target (sequential-table.ts): there, a tenth of a
  // point in what was planted decides.
  const shares = slower(5);
  if (shares !== undefined) {
    const found = shares.regressed / (1 - shares.undecided);
    targets.push(target('5 % slower called regressed, of the decided, at least 99', found, found >= 0.99));
  }
  const open = Math.max(...scores.map(({ shares }) => shares.undecided));
  targets.push(target('undecided, whatever the truth, at most 10', open, open <= 0.1));
  const wrong = Math.max(
    0,
    ...scores
      .filter(({ injected_pct, direction }) => injected_pct > 0 && direction === 'slower')
      .map(({ shares }) => shares.improved),
  );
  targets.push(target('a slowdown called improved, never', wrong, wrong === 0));
  return targets;
}
