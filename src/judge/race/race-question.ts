import type { SideLabel } from '../../measure/interleave.ts';
import { faultOf } from '../../model/measure/fault.ts';
import type { Mode } from '../../model/problem/mode.ts';
import { omit } from '../../model/omit.ts';
import type { Measurement, Samples } from '../../model/measure/samples.ts';
import type { RecordedSide } from '../../rig/recorded-side.ts';
import { samplesCalledAs } from '../called-as.ts';
import type { Question } from '../measure-in-blocks.ts';
import { mergeSamples } from '../merge-comparisons.ts';
import { SequentialJudge, type SidesSoFar } from '../sequential.ts';

/** No kernel has this name: names have no spaces. */
export const CONTROL: SideLabel = 'A/A control';

export interface Pair {
  readonly baseline: string;
  readonly candidate: string;
}

/** Every two, once; who is named first is the baseline. */
export function pairsOf(kernels: readonly string[]): Pair[] {
  return kernels.flatMap((baseline, index) =>
    kernels.slice(index + 1).map((candidate) => ({ baseline, candidate })),
  );
}

/** What a pair is called as the kernel of a comparison. */
export function pairName({ baseline, candidate }: Pair): string {
  return `${candidate} against ${baseline}`;
}

/**
 * Which of all kernels are faster than which. Every pair in every case is a case of one comparison, so that one
 * correction and one plan of looks serve all of them; a kernel is measured until all of its pairs are decided.
 *
 * @param sides by the kernels' names, with `CONTROL` where there is one: `controlled` once more
 */
export function raceQuestion(sides: ReadonlyMap<SideLabel, RecordedSide>, controlled: string): Question {
  const kernels = [...sides.keys()].filter((label) => label !== CONTROL);
  const pairs = pairsOf(kernels);
  return {
    // A device that was not steady in a case was not so for any pair in it.
    judge: (policy, plan) => new SequentialJudge(policy, plan, placeId),
    soFar: () => soFar(sides, pairs, controlled),
    wanted:
      (judge) =>
      ({ case: name, mode }, able) => {
        const fit = able.filter(
          (label) => label === CONTROL || isFit(sides.get(label)!, { case: name, mode }),
        );
        const open = pairs.filter(
          (pair) =>
            fit.includes(pair.baseline) &&
            fit.includes(pair.candidate) &&
            judge.isOpen({ kernel: pairName(pair), case: name, mode }),
        );
        const labels = new Set(open.flatMap(({ baseline, candidate }) => [baseline, candidate]));
        if (labels.has(controlled) && able.includes(CONTROL)) labels.add(CONTROL);
        return [...labels];
      },
  };
}

interface Place {
  readonly case: string;
  readonly mode?: Mode | undefined;
}

function placeId({ case: name, mode }: Place): string {
  return JSON.stringify([name, mode]);
}

/** Nothing is known against it so far. */
function isFit({ builder }: RecordedSide, place: Place): boolean {
  return builder.build().measurements.every((one) => placeId(one) !== placeId(place) || !isFaulty(one));
}

function isFaulty(one: Measurement): boolean {
  return faultOf(one) !== undefined;
}

function soFar(
  sides: ReadonlyMap<SideLabel, RecordedSide>,
  pairs: readonly Pair[],
  controlled: string,
): SidesSoFar | undefined {
  const timed = new Map([...sides].map(([label, { builder }]) => [label, timedOf(builder.build())]));
  const together = (one: string, other: string): Samples => inCasesOf(timed.get(one)!, timed.get(other)!);
  const base = pairs.map((pair) => samplesCalledAs(together(pair.baseline, pair.candidate), pairName(pair)));
  const head = pairs.map((pair) => samplesCalledAs(together(pair.candidate, pair.baseline), pairName(pair)));
  if (base.every(({ measurements }) => measurements.length === 0)) return undefined;
  const judged = { base: mergeSamples(base), head: mergeSamples(head) };
  if (!timed.has(CONTROL) || together(CONTROL, controlled).measurements.length === 0) return judged;
  return { ...judged, control: together(CONTROL, controlled), controlled: together(controlled, CONTROL) };
}

/** What has series, and nothing against it. Kernels have variants of their own. */
function timedOf(samples: Samples): Samples {
  const timed = samples.measurements.filter((one) => one.series.length > 0 && !isFaulty(one));
  return { ...samples, measurements: timed.map((one) => omit(one, 'variant')) };
}

function inCasesOf(one: Samples, other: Samples): Samples {
  const places = new Set(other.measurements.map(placeId));
  return { ...one, measurements: one.measurements.filter((each) => places.has(placeId(each))) };
}
