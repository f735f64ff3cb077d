import { samplesCalledAs } from '../../../judge/called-as.ts';
import { describeComparison } from '../../../judge/describe-comparison.ts';
import { measureSides, type MeasuredSides } from '../../../judge/measure-sides.ts';
import { settleCases, type CaseName, type SettledCases } from '../../../judge/settle-cases.ts';
import type { Comparison } from '../../../model/judge/comparison.ts';
import { defined } from '../../../model/defined.ts';
import { PawlError } from '../../../model/pawl-error.ts';
import type { Samples } from '../../../model/measure/samples.ts';
import { refuseEmptyBench } from '../../../rig/bench-result.ts';
import { isBroken, type SkippedKernel } from '../../../model/measure/skipped-kernel.ts';
import { interrupted } from '../../../rig/prepare-targets.ts';
import type { PreparedSide } from '../../../rig/prepared-side.ts';
import { recordSide, type RecordedSide } from '../../../rig/recorded-side.ts';
import { verifyTargets } from '../../../rig/verify-targets.ts';
import { KeptJudge } from '../../../runner/kept-judge.ts';
import type { Target } from '../../../runner/target.ts';
import { Xoshiro128 } from '../../../stats/index.ts';
import {
  holdSides,
  type CompareOptions,
  type MeasuringCost,
  type Running,
  type SidesOptions,
} from './hold-sides.ts';

/** The comparison of two sides, the samples of both, and what measuring cost. */
export interface CompareOutcome {
  readonly comparison: Comparison;
  /** `base` against itself, where it was measured. */
  readonly control?: Comparison;
  readonly samples: { readonly base: Samples; readonly control?: Samples; readonly head: Samples };
  /** Kernels of either side that cannot be measured here, or do not build. */
  readonly skipped: { readonly base: readonly SkippedKernel[]; readonly head: readonly SkippedKernel[] };
  /** Why measuring ended; absent where nothing needed to be measured. */
  readonly stopped_by?: MeasuredSides['stopped_by'];
  readonly cost: MeasuringCost;
}

/** Checks both sides, measures what is worth measuring in interleaved blocks, and judges. */
export async function compareSides(
  base: PreparedSide,
  head: PreparedSide,
  options: SidesOptions,
): Promise<CompareOutcome> {
  refuseNothing(base, head);
  const outcome = await holdSides([head, base], options, async (running) => {
    // The next process starts while results are compared, which no others are.
    const keptJudge = new KeptJudge({ ahead: isVerified(running) });
    try {
      return await checkAndMeasure(base, head, { ...running, keptJudge });
    } finally {
      await keptJudge.close();
    }
  });
  return { ...outcome, skipped: { base: base.skipped, head: head.skipped } };
}

async function checkAndMeasure(
  base: PreparedSide,
  head: PreparedSide,
  options: Running & { readonly keptJudge: KeptJudge },
): Promise<
  Omit<CompareOutcome, 'skipped' | 'cost'> & { readonly cost: { processes: number; looks: number } }
> {
  const { settings, signal, onProgress, keptJudge } = options;
  const verified = isVerified(options);
  const random = new Xoshiro128(BigInt(settings.seed));
  const { recording } = options;
  const sides = {
    base: await recordSide('base', base, recording),
    head: await recordSide('head', head, recording),
  };
  if (options.check !== false) {
    for (const label of ['base', 'head'] as const) {
      const { targets, recorder } = sides[label];
      // A base that a blind tolerance let pass can only be too fast, which never speaks for the head.
      const blind = label === 'head';
      await verifyTargets(targets, recorder, {
        ...settings,
        audit: verified,
        blind,
        signal,
        onProgress,
        keptJudge,
      });
    }
  }
  if (signal.aborted) throw interrupted();

  const checked = (side: PreparedSide, { builder }: RecordedSide) => ({ ...side, checked: builder.build() });
  const settled = settleCases(checked(base, sides.base), checked(head, sides.head), {
    measureIdentical: options.measureIdentical === true,
  });
  const { missing } = settled;
  const cases = casesToTell(settled.cases, options.timedCases);
  if (cases.length === 0) throw nothingInCommon();
  const open = cases.filter(({ settled }) => settled === undefined);
  const onBase = { ...base, targets: restricted(base, open) };
  const measured = await measureSides(
    {
      base: { ...sides.base, targets: onBase.targets },
      head: { ...sides.head, targets: restricted(head, open) },
      ...(options.control === false ? {} : { control: await recordSide('control', onBase, recording) }),
    },
    {
      ...options,
      random,
      verified,
      ...(options.baseIsVerified === true ? { trust: { base: 'results', control: 'results' } } : {}),
    },
  );

  const load = await options.loadSoFar();
  const finish = (side: RecordedSide): Promise<Samples> => options.finish(load, side);
  const samples = {
    base: await finish(sides.base),
    ...(measured.control === undefined ? {} : { control: await finish(measured.control) }),
    head: await finish(sides.head),
  };
  const { look, stopped_by, processes, looks } = measured;
  return {
    comparison: describeComparison({
      cases,
      missing,
      modes: settings.modes,
      look,
      samples: { ...samples, base: samplesCalledAs(samples.base, base.calledAs) },
      policy: options.policy,
    }),
    ...defined({ control: look?.control }),
    samples,
    ...defined({ stopped_by }),
    cost: { processes, looks },
  };
}

function isVerified({ verified, check }: Running): boolean {
  return verified !== false && check !== false;
}

/** Without those that are only checked and right; and only with what was settled where the head is wrong in one of them. */
function casesToTell(all: SettledCases['cases'], timed: CompareOptions['timedCases']): SettledCases['cases'] {
  if (timed === undefined) return all;
  const isKnown = ({ settled }: (typeof all)[number]) => settled !== undefined;
  const isWrong = all.some(({ settled }) => settled?.verdict === 'incorrect');
  return isWrong ? all.filter(isKnown) : all.filter((one) => isKnown(one) || timed.includes(one.case));
}

/** The targets of a side with these cases only. */
export function restricted({ targets, calledAs }: PreparedSide, names: readonly CaseName[]): Target[] {
  return targets.flatMap((target) => {
    const kernel = calledAs ?? target.plan.name;
    const cases = target.plan.cases.filter((each) =>
      names.some((name) => name.kernel === kernel && name.case === each.name),
    );
    return cases.length === 0 ? [] : [{ ...target, plan: { ...target.plan, cases } }];
  });
}

/** Where no kernel can run here, that is what there is to say. */
function refuseNothing(base: PreparedSide, head: PreparedSide): void {
  if (head.plans.length === 0) throw nothingInCommon();
  const skipped = [...head.skipped, ...base.skipped];
  if (!skipped.some(isBroken)) refuseEmptyBench(head.targets, skipped);
}

function nothingInCommon(): PawlError {
  return new PawlError(
    'bad-data',
    'The head has no case to compare.',
    'Compare revisions that have kernels in common.',
  );
}
