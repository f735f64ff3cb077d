/** Two countings of one CPU kernel: what moved, in one sentence. */
import type { Counter } from '../model/profile/profile-report.ts';

const NOISE_PCT = 2;

/** In this order: more work explains a change better than how well it ran. */
const CAUSES: readonly (readonly [name: string, subject: string])[] = [
  ['instructions', 'instructions'],
  ['cache-misses', 'cache misses'],
  ['branch-misses', 'mispredicted branches'],
  ['stalled-cycles-backend', 'cycles stalled for data'],
  ['stalled-cycles-frontend', 'cycles stalled for instructions'],
];

export function compareCounters(before: readonly Counter[], after: readonly Counter[]): string {
  const moves = (name: string) => {
    const [was, is] = [before, after].map((side) => side.find((one) => one.name === name)?.per_call);
    if (was === undefined || is === undefined || was <= 0) return undefined;
    return { was, is, pct: (100 * (is - was)) / was };
  };
  const cycles = moves('cycles');
  const cause = CAUSES.flatMap(([name, subject]) => {
    const move = moves(name);
    const isSame = move === undefined || Math.abs(move.pct) < NOISE_PCT;
    const fits = cycles === undefined || move === undefined || cycles.pct > 0 === move.pct > 0;
    return isSame || !fits ? [] : [`${subject} went from ${count(move.was)} to ${count(move.is)} per call`];
  })[0];
  if (cycles === undefined) return `${cause ?? 'No counter moved beyond noise'}.`;
  if (Math.abs(cycles.pct) < NOISE_PCT) return 'No change in cycles beyond noise.';
  const how = `${Math.abs(cycles.pct).toFixed(0)} % ${cycles.pct > 0 ? 'more' : 'fewer'} cycles`;
  return `${how}: ${cause ?? 'no other counter explains it'}.`;
}

function count(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
