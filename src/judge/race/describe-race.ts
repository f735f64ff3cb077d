import { blindTolerance } from '../../model/correctness/blind-tolerance.ts';
import { speedupOf, type CaseComparison } from '../../model/judge/comparison.ts';
import { defined } from '../../model/defined.ts';
import { faultOf, faultText, incorrectKindOf, lostText } from '../../model/measure/fault.ts';
import type { Mode } from '../../model/problem/mode.ts';
import type { Race, RaceCase, Racer, Speedup } from '../../model/judge/race.ts';
import type { Samples } from '../../model/measure/samples.ts';
import { isBroken } from '../../model/measure/skipped-kernel.ts';
import type { MeasuredVerdict } from '../../model/judge/verdict.ts';
import type { PreparedSide } from '../../rig/prepared-side.ts';
import { median } from '../../stats/quantile.ts';
import type { Look } from '../sequential.ts';
import { buildFault } from '../build-fault.ts';
import { pairName, pairsOf } from './race-question.ts';
import { rankKernels } from './rank-kernels.ts';

/** A kernel of the race, and what there is of it. */
export interface RacedSide extends PreparedSide {
  readonly kernel: string;
  readonly samples: Samples;
}

/** One table a case and mode. The reference is the first of the sides. */
export function describeRace(
  sides: readonly RacedSide[],
  look: Look | undefined,
  modes: readonly Mode[],
): RaceCase[] {
  const [reference] = sides;
  const cases = reference?.plans.flatMap((plan) => plan.cases) ?? [];
  return cases.flatMap(({ name, dims }) =>
    modes.map((mode) => ({
      case: name,
      mode,
      dims: Object.fromEntries(dims.map((dim) => [dim.name, dim.value])),
      ...describeCase(sides, look, { case: name, mode }),
    })),
  );
}

interface Place {
  readonly case: string;
  readonly mode: Mode;
}

function describeCase(
  sides: readonly RacedSide[],
  look: Look | undefined,
  place: Place,
): Pick<RaceCase, 'kernels' | 'pairs'> {
  const here = sides.filter(({ plans }) =>
    plans.some((plan) => plan.cases.some(({ name }) => name === place.case)),
  );
  const racers = here.map((side) => racerOf(side, place));
  const raced = racers.filter(({ state }) => state === 'raced').map(({ kernel }) => kernel);
  const pairs = pairsOf(raced).flatMap((pair): RaceCase['pairs'] => {
    const compared = look?.comparison.cases.find(
      (one) => one.kernel === pairName(pair) && one.case === place.case && one.mode === place.mode,
    );
    return compared === undefined ? [] : [{ ...pair, compared }];
  });
  const ranks = rankKernels(
    raced,
    pairs.map(({ baseline, candidate, compared: { verdict } }) => ({ baseline, candidate, verdict })),
  );
  const reference = sides[0]!.kernel;
  const ranked = (racer: Racer): Racer => {
    if (racer.state !== 'raced' || raced.length < 2) return racer;
    const placed = { ...racer, rank: ranks.get(racer.kernel) };
    if (racer.kernel === reference || !raced.includes(reference)) return placed;
    const own = pairs.find((pair) => pair.baseline === reference && pair.candidate === racer.kernel);
    return { ...placed, ...againstReference(own?.compared) };
  };
  const kernels = racers.map(ranked);
  return { kernels: kernels.toSorted(fastestFirst), pairs };
}

function racerOf({ kernel, skipped, samples }: RacedSide, place: Place): Racer {
  const [skip] = skipped;
  if (skip !== undefined) {
    if (!isBroken(skip)) {
      return { kernel, state: 'skipped', reason: skip.message, processes: 0 };
    }
    const { reason, fault } = buildFault(kernel, skip.message);
    return { kernel, state: 'broken', reason, processes: 0, ...defined({ fault }) };
  }
  const found = samples.measurements.find((one) => one.case === place.case && one.mode === place.mode);
  const processes = found?.series.length ?? 0;
  const fault = found && faultOf(found, samples.environment?.seed);
  if (fault !== undefined) {
    const state = incorrectKindOf([fault]) ?? 'wrong';
    return { kernel, state, reason: `${faultText(fault)}, so its time does not count.`, processes, fault };
  }
  const blind = blindTolerance(found?.check);
  if (blind !== undefined) {
    return { kernel, state: 'blind', reason: `${blind.message}. ${blind.remedy}`, processes };
  }
  if (found === undefined || processes === 0) {
    const lost = found?.lost?.[0];
    const reason = lost === undefined ? 'measuring ended before it had its turn.' : `${lostText(lost)}.`;
    return { kernel, state: 'lost', reason, processes };
  }
  const median_ms = median(found.series.map(({ samples_ms }) => median(samples_ms)));
  return { kernel, state: 'raced', median_ms, processes };
}

function againstReference(compared: CaseComparison | undefined): Partial<Racer> {
  if (compared?.state !== 'estimated') {
    return { verdict: 'undecided', reason: 'measuring ended before it could be compared.' };
  }
  const { change_pct, ci_pct, reason } = compared;
  const [estimate, low, high] = [change_pct, ...ci_pct].map(speedupOf);
  const speedup: Speedup | undefined =
    estimate === undefined || low === undefined || high === undefined ? undefined : { estimate, low, high };
  return { verdict: compared.verdict as MeasuredVerdict, reason, ...defined({ speedup }) };
}

/** By rank, and by median where ranks are shared; what did not race comes last. */
function fastestFirst(one: Racer, other: Racer): number {
  const place = ({ rank, median_ms }: Racer): readonly [number, number, number] => [
    rank?.[0] ?? Infinity,
    rank?.[1] ?? Infinity,
    median_ms ?? Infinity,
  ];
  const [a, b] = [place(one), place(other)];
  const first = a.findIndex((value, index) => value !== b[index]);
  return first === -1 ? 0 : a[first]! - b[first]!;
}

/** Being slower is an answer; what is wrong is bad, and what was not decided or not measured is not an answer. */
export function raceResult(cases: readonly RaceCase[]): Race['result'] {
  const states = new Set(cases.flatMap(({ kernels }) => kernels.map(({ state }) => state)));
  if (states.has('wrong') || states.has('refused') || states.has('broken')) return 'bad';
  const isOpen = cases.some(
    ({ kernels, pairs }) =>
      kernels.some(({ state, verdict }) => state !== 'raced' || verdict === 'undecided') ||
      pairs.some(({ compared }) => compared.verdict === 'undecided'),
  );
  return isOpen || cases.length === 0 ? 'undecided' : 'good';
}
