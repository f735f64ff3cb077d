import { table } from '../gate-quality/markdown.ts';
import type { SessionScore } from './run-year.ts';
import { estimate, type ContenderYears, type Estimate, type Scored } from './score.ts';

const MONTHS = 12;

const hit = ({ hit }: SessionScore): number => (hit ? 100 : 0);
/** Small log times are percent of the time. */
const firstRegret = (session: SessionScore): number => 100 * session.firstRegret;
const regret = (session: SessionScore): number => 100 * session.regret;

export function byMonth({ scenario, contenders }: Scored): string {
  const sessions = contenders[0]!.years[0]!.length;
  const learner = contenders[1]!;
  const header = [
    `month (${scenario.name})`,
    ...contenders.map(({ contender }) => `first is best, %: ${contender}`),
    ...contenders.slice(0, 2).map(({ contender }) => `lost on the first try, % of time: ${contender}`),
    ...contenders.slice(0, 2).map(({ contender }) => `lost on three: ${contender}`),
    'fix in 80 % interval, %',
    'minutes off by factor',
    'in interval, %',
    'speed-up off by factor',
    'in interval, %',
  ];
  const rows = Array.from({ length: MONTHS }, (_, month) => {
    const inMonth = (_session: SessionScore, at: number): boolean =>
      Math.floor((at * MONTHS) / sessions) === month;
    return [String(month + 1), ...cells(contenders, learner, inMonth)];
  });
  return table(header, [...rows, ['year', ...cells(contenders, learner, () => true)]]).join('\n');
}

function cells(
  contenders: readonly ContenderYears[],
  learner: ContenderYears,
  counts: (session: SessionScore, at: number) => boolean,
): string[] {
  const own = contenders.slice(0, 2);
  return [
    ...contenders.map((one) => figure(estimate(one, hit, counts), 0)),
    ...own.map((one) => figure(estimate(one, firstRegret, counts), 1)),
    ...own.map((one) => figure(estimate(one, regret, counts), 1)),
    coverage(learner, counts),
    factor(estimate(learner, ({ minutesOff }) => Math.abs(minutesOff), counts)),
    share(estimate(learner, ({ minutesInside }) => Number(minutesInside), counts)),
    factor(estimate(learner, ({ speedupOff }) => Math.abs(speedupOff), counts)),
    share(estimate(learner, ({ speedupInside }) => Number(speedupInside), counts)),
  ];
}

export function scenarioTable(scored: readonly Scored[]): string {
  const header = [
    'year',
    'first is best, %: rules alone',
    'learning',
    'last quarter: rules alone',
    'learning',
    'lost on the first try, % of time: rules alone',
    'learning',
    'last quarter: rules alone',
    'learning',
    'fix in 80 % interval, %',
    'minutes off by factor, first and last quarter',
    'speed-up off by factor, first and last quarter',
  ];
  const rows = scored.flatMap((one) => {
    const every = scenarioRow(one.scenario.name, one, () => true);
    const { adversary, drift } = one.scenario.world;
    if (adversary) return [every, scenarioRow('· on that device', one, ({ isAdverse }) => isAdverse)];
    if (drift) return [every, scenarioRow('· where that rule speaks', one, ({ hasDrifting }) => hasDrifting)];
    return [every];
  });
  return table(header, rows).join('\n');
}

function scenarioRow(
  name: string,
  { contenders }: Scored,
  counts: (session: SessionScore) => boolean,
): string[] {
  const [rules, learner] = [contenders[0]!, contenders[1]!];
  const sessions = rules.years[0]!.length;
  const last = (session: SessionScore, at: number): boolean => at >= 0.75 * sessions && counts(session);
  const first = (session: SessionScore, at: number): boolean => at < 0.25 * sessions && counts(session);
  const pair = (value: (session: SessionScore) => number, when: typeof last, digits: number): string[] =>
    [rules, learner].map((one) => figure(estimate(one, value, when), digits));
  const both = (off: (session: SessionScore) => number): string =>
    [first, last].map((when) => factor(estimate(learner, off, when))).join(', ');
  return [
    name,
    ...pair(hit, counts, 0),
    ...pair(hit, last, 0),
    ...pair(firstRegret, counts, 1),
    ...pair(firstRegret, last, 1),
    coverage(learner, counts),
    both(({ minutesOff }) => Math.abs(minutesOff)),
    both(({ speedupOff }) => Math.abs(speedupOff)),
  ];
}

/** What each contender loses on the first try; 0 is the oracle. */
export function ablationTable(scored: readonly Scored[]): string {
  const names = scored[0]!.contenders.map(({ contender }) => contender);
  const rows = names.map((name, at) => {
    const lost = scored.map(({ contenders }) => estimate(contenders[at]!, firstRegret).mean);
    const mean = lost.reduce((total, value) => total + value, 0) / lost.length;
    return [name].concat(
      lost.map((value) => value.toFixed(2)),
      mean.toFixed(2),
    );
  });
  return table(
    ['lost on the first try, % of time', ...scored.map(({ scenario }) => scenario.name), 'mean'],
    rows,
  ).join('\n');
}

function coverage(years: ContenderYears, counts: (session: SessionScore, at: number) => boolean): string {
  let inside = 0;
  let judged = 0;
  for (const year of years.years) {
    for (const [at, session] of year.entries()) {
      if (!counts(session, at)) continue;
      inside += session.inside;
      judged += session.judged;
    }
  }
  return judged === 0 ? '' : ((100 * inside) / judged).toFixed(0);
}

function figure({ mean, half }: Estimate, digits: number): string {
  return half === 0 ? mean.toFixed(digits) : `${mean.toFixed(digits)} ± ${half.toFixed(1)}`;
}

const factor = ({ mean }: Estimate): string => Math.exp(mean).toFixed(2);
const share = ({ mean }: Estimate): string => (100 * mean).toFixed(0);
