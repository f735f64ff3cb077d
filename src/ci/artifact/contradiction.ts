import { caseId } from '../../model/judge/case-key.ts';
import type { CiRun } from '../../model/reports/ci-run.ts';
import { changePct } from '../../model/text/change-pct.ts';
import type { CaseComparison, Comparison } from '../../model/judge/comparison.ts';
import { DAY_MS } from '../../model/text/moment.ts';

/** A kernel that takes longer than a month, and a change beyond this, are not measurements. */
const MOST_MS = 31 * DAY_MS;
const MOST_PCT = 1e9;
const MOST_SECONDS = MOST_MS / 1000;
const MOST_PROCESSES = 100_000;

/** Both ways of getting at a change round: in logarithms, and from the two times. */
const ROUNDING = 1e-6;

/** What in a report cannot be, in words that hold nothing of it; undefined where nothing is. */
export function contradictionIn({ check, steps }: CiRun): string | undefined {
  if (steps.some(({ seconds = 0 }) => seconds > MOST_SECONDS)) return 'a step took longer than a month';
  if (check === undefined) return undefined;
  const { wall_s = 0, device_s = 0 } = check.cost ?? {};
  if (wall_s > MOST_SECONDS || device_s > 1000 * MOST_SECONDS) return 'it took longer than a month';
  return inComparison(check.comparison) ?? (check.control && inComparison(check.control));
}

function inComparison({ cases }: Comparison): string | undefined {
  const names = new Set<string>();
  for (const one of cases) {
    const name = caseId(one);
    if (names.has(name)) return 'a case appears twice';
    names.add(name);
    const problem = inCase(one);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function inCase(one: CaseComparison): string | undefined {
  const { baseline_ms = 1, candidate_ms = 1, processes } = one;
  if (baseline_ms > MOST_MS || candidate_ms > MOST_MS) return 'a kernel took longer than a month';
  if (processes.some((count) => count > MOST_PROCESSES)) return 'a case has too many processes';
  if (one.state !== 'estimated') return undefined;
  if (Math.min(...processes) < 1) return 'a change was estimated without processes';
  if (!one.median_ms.every((time) => time <= MOST_MS)) return 'a kernel took longer than a month';
  const expected = changePct(one.baseline_ms, one.candidate_ms);
  if (!isNear(one.change_pct, expected)) return 'a change does not match its two times';
  if (!isNear(one.speedup, one.baseline_ms / one.candidate_ms))
    return 'a speedup does not match its two times';
  for (const change of [one, one.median, one.tail, one.cycles]) {
    if (change === undefined) continue;
    const [low, high] = change.ci_pct;
    const slack = ROUNDING * Math.max(1, Math.abs(change.change_pct));
    if (low > change.change_pct + slack || high < change.change_pct - slack) {
      return 'a change is outside its own interval';
    }
    if (low < -MOST_PCT || high > 100 + slack) return 'a change is impossibly large';
  }
  return undefined;
}

function isNear(value: number, expected: number): boolean {
  return Math.abs(value - expected) <= ROUNDING * Math.max(1, Math.abs(expected));
}
