import { samplesCalledAs } from './called-as.ts';
import { measureInBlocks, type Measured, type MeasuringOptions } from './measure-in-blocks.ts';
import { SequentialJudge } from './sequential.ts';
import type { SideLabel } from '../measure/interleave.ts';
import { caseId } from '../model/judge/case-key.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import type { RecordedSide } from '../rig/recorded-side.ts';

export interface SidesToMeasure {
  readonly base: RecordedSide;
  readonly control?: RecordedSide;
  readonly head: RecordedSide;
}

export interface MeasuredSides extends Measured {
  readonly control: RecordedSide | undefined;
}

/** Measures the head beside the base until the answer is clear for every case. */
export async function measureSides(sides: SidesToMeasure, options: MeasuringOptions): Promise<MeasuredSides> {
  if (sides.head.targets.length === 0) {
    return { look: undefined, control: undefined, stopped_by: undefined, processes: 0, looks: 0 };
  }
  const recorded = new Map<SideLabel, RecordedSide>();
  for (const label of ['base', 'control', 'head'] as const) {
    const side = sides[label];
    if (side !== undefined) recorded.set(label, side);
  }
  const measured = await measureInBlocks(
    recorded,
    {
      soFar: () => measuredSoFar(sides),
      judge: (policy, plan) => new SequentialJudge(policy, plan),
      wanted: (judge) => (shared, able) =>
        able.length === recorded.size && judge.isOpen(shared) ? able : [],
    },
    options,
  );
  return { ...measured, control: sides.control };
}

/**
 * What there is to judge: cases with a series of the base. Variants are left out of the keys, because a change of
 * the variant may be the very thing that is compared.
 */
export function measuredSoFar(
  sides: SidesToMeasure,
): (Record<'base' | 'head', Samples> & { control?: Samples }) | undefined {
  const built = ({ builder, calledAs }: RecordedSide): Samples => samplesCalledAs(builder.build(), calledAs);
  const base = built(sides.base);
  const idOf = (one: Measurement): string => caseId(withoutVariant(one));
  const measured = new Set(base.measurements.filter(({ series }) => series.length > 0).map(idOf));
  if (measured.size === 0) return undefined;
  const only = (samples: Samples): Samples => ({
    ...samples,
    measurements: samples.measurements.filter((one) => measured.has(idOf(one))).map(withoutVariant),
  });
  return {
    base: only(base),
    ...(sides.control === undefined ? {} : { control: only(built(sides.control)) }),
    head: only(built(sides.head)),
  };
}

function withoutVariant(measurement: Measurement): Measurement {
  const { variant: _, ...rest } = measurement;
  return rest;
}
