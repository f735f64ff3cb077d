import type { RooflineChart } from '../../model/profile/profile-page.ts';
import type { Facts } from '../facts/facts.ts';
import { computePaths, instructionPath, type ComputePath } from './compute-paths.ts';

/** Less of a path's peak than this is not the work that a kernel was made for. */
const TELLING_SHARE = 0.001;
/** A kernel that keeps the tensor cores busier than this is not placed by its other arithmetic. */
const MATRIX_PCT = 1;

const BASIS =
  'Ceilings are the peaks that ncu states, at the clocks of this profile; bytes are those of DRAM.';

/** From ncu's own achieved rates and peaks. Undefined where they were not collected. */
export function rooflineChart(after: Facts, before?: Facts): RooflineChart | undefined {
  const sides = [
    ...(before === undefined ? [] : [{ side: 'before' as const, facts: before }]),
    { side: 'after' as const, facts: after },
  ];
  const own = pathOfAll(sides.map(({ facts }) => facts));
  const bytesPerSecond = dramPeak(after);
  if (own === undefined || bytesPerSecond === undefined) return undefined;
  const points = sides.flatMap(({ side, facts }) => {
    const perSecond = pathsOf(facts).find(({ id }) => id === own.id)?.perSecond;
    const bytes = dramRate(facts);
    if (perSecond === undefined || bytes === undefined || bytes <= 0) return [];
    return [{ side, intensity: perSecond / bytes, perSecond }];
  });
  if (!points.some(({ side }) => side === 'after')) return undefined;
  const others = computePaths(after).filter(
    ({ id, unit }) => id === 'fp32' && unit === own.unit && id !== own.id,
  );
  return {
    counted: own.counted,
    unit: own.unit,
    roofs: [own, ...others].map(({ label, peakPerSecond }) => ({ label, perSecond: peakPerSecond })),
    memory: { label: 'DRAM', bytesPerSecond },
    points,
    basis: BASIS,
  };
}

function pathsOf(facts: Facts): readonly ComputePath[] {
  const instructions = instructionPath(facts);
  return [...computePaths(facts), ...(instructions === undefined ? [] : [instructions])];
}

/** What the last of them uses closest to its peak, as long as all of them use it; else instructions, which all have. */
function pathOfAll(all: readonly Facts[]): ComputePath | undefined {
  const last = all.at(-1);
  if (last === undefined) return undefined;
  const share = ({ perSecond, peakPerSecond }: ComputePath): number => perSecond / peakPerSecond;
  const isTelling = (id: string): boolean =>
    all.every((facts) => computePaths(facts).some((path) => path.id === id && share(path) >= TELLING_SHARE));
  const [best] = computePaths(last)
    .filter(({ id }) => isTelling(id))
    .toSorted((one, other) => share(other) - share(one));
  // Where the matrix work was not counted, what else it computes would put it in the wrong place.
  const isMatrix = all.some((facts) => (facts.have('matrix_pct') ?? 0) > MATRIX_PCT);
  if (best !== undefined && (!isMatrix || best.id.startsWith('tensor'))) return best;
  return instructionPath(last);
}

function dramRate(facts: Facts): number | undefined {
  const bytes = facts.have('dram_bytes');
  const ns = facts.have('duration_ns');
  return bytes === undefined || ns === undefined || ns <= 0 ? undefined : (1e9 * bytes) / ns;
}

function dramPeak(facts: Facts): number | undefined {
  const perCycle = facts.have('dram_peak_bytes_per_cycle');
  const clockHz = facts.have('dram_clock_hz');
  if (perCycle !== undefined && clockHz !== undefined && perCycle * clockHz > 0) return perCycle * clockHz;
  const rate = dramRate(facts);
  const pct = facts.have('dram_pct');
  // Two digits of a small percentage say nothing about the peak.
  return rate === undefined || pct === undefined || pct < 1 ? undefined : (100 * rate) / pct;
}
