import type { UndecidedQuestion } from '../model/profile/diagnosis.ts';
import type { Facts } from './facts/facts.ts';
import { functionName } from './function-name.ts';
import type { Limit } from './rules/limiter.ts';

/** What the profile leaves open about the limit, with the metrics that would decide and how to collect them. */
export function undecidedQuestion(limit: Limit, facts: Facts): UndecidedQuestion | undefined {
  const open = limit.unknown ?? limit.needlessWork;
  if (open === undefined) return undefined;
  const metrics = [...new Set(open.facts.flatMap((name) => facts.missingMetrics(name)))];
  return {
    question: limit.unknown ? 'limiter' : 'needless-work',
    why: open.why,
    metrics,
    collect: `ncu --metrics ${metrics.join(',')}${kernelFilter(facts.launch.name)} --launch-count 1 --csv --page raw --print-units base ./program`,
  };
}

/** Only a plain name is safe to paste into a shell. */
function kernelFilter(name: string): string {
  const plain = functionName(name);
  return /^\w+$/.test(plain) ? ` --kernel-name regex:${plain}` : '';
}
