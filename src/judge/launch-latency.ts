import type { Decision } from './decide.ts';
import type { EstimatedPair } from './describe-case.ts';
import type { JudgePolicy } from './judge-policy.ts';

/**
 * A launch takes ten times as long as a short kernel. A side whose times contain it is slower for that alone, so which of
 * two is faster stays open. At the gate, with both sides measured in turns, it is the change that put the launch into the
 * times: a call that waits for the device now keeps its users waiting, too.
 */
export function withoutLaunches(decision: Decision, pair: EstimatedPair, policy: JudgePolicy): Decision {
  const { outcome } = decision;
  if (outcome !== 'regressed' && outcome !== 'improved') return decision;
  const { baseline, candidate, shifts } = pair;
  const [slower, faster] = outcome === 'regressed' ? [candidate, baseline] : [baseline, candidate];
  if (shareWithLaunches(slower) - shareWithLaunches(faster) < 0.5) return decision;
  const isOwnDoing = outcome === 'regressed' && policy.question === 'gate' && shifts.inTurns;
  return { outcome: isOwnDoing ? 'regressed' : 'undecided', basis: 'launch-latency' };
}

function shareWithLaunches({ series }: EstimatedPair['candidate']): number {
  return series.filter(({ timing }) => timing === 'plain').length / Math.max(1, series.length);
}
