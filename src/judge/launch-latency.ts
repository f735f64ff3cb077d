import type { Measurement } from '../model/samples.ts';
import type { Decision } from './decide.ts';

/**
 * A launch takes ten times as long as a short kernel. A side whose times contain it is slower for that alone, so it is
 * not called slower than one whose times do not.
 */
export function withoutLaunches(
  decision: Decision,
  { baseline, candidate }: { readonly baseline: Measurement; readonly candidate: Measurement },
): Decision {
  const { outcome } = decision;
  if (outcome !== 'regressed' && outcome !== 'improved') return decision;
  const [slower, faster] = outcome === 'regressed' ? [candidate, baseline] : [baseline, candidate];
  const isUnlike = shareWithLaunches(slower) - shareWithLaunches(faster) >= 0.5;
  return isUnlike ? { outcome: 'undecided', basis: 'launch-latency' } : decision;
}

function shareWithLaunches({ series }: Measurement): number {
  return series.filter(({ timing }) => timing === 'plain').length / Math.max(1, series.length);
}
