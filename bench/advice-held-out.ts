/**
 * How far off advice is for kernels that it has not seen: each kernel of the recorded outcomes is left out in turn, and
 * predicted from the others. Prints the rows of docs/results/advice.md: `advice-held-out`.
 */
import { rankFixes } from '../src/learn/advice/rank-fixes.ts';
import { RECORDED_OUTCOMES } from '../src/learn/advice/recorded-outcomes.ts';
import type { FixOutcome } from '../src/model/learn/advice.ts';
import type { Finding } from '../src/model/profile/diagnosis.ts';

interface Predicted {
  readonly gain: number;
  readonly inside: boolean;
}

function predict(outcome: FixOutcome, outcomes: readonly FixOutcome[]): Predicted {
  const { rule, kind, device, expected_gain_pct, change_pct } = outcome;
  const finding = { rule, expected_gain_pct, diagnosis: '', fix: '' } as unknown as Finding;
  const [fix] = rankFixes({ findings: [finding], outcomes, kind, device });
  const [low, high] = fix!.ci_pct;
  return { gain: fix!.expected_gain_pct, inside: low <= change_pct && change_pct <= high };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const rows = RECORDED_OUTCOMES.map((outcome) => {
  const others = RECORDED_OUTCOMES.filter(({ kind }) => kind !== outcome.kind);
  return { outcome, assumed: predict(outcome, []), learnt: predict(outcome, others) };
});
console.log('| kernel | finding | promised, % | brought, % | half assumed, % | learnt from the others, % |');
console.log('| --- | --- | --: | --: | --: | --: |');
for (const { outcome, assumed, learnt } of rows)
  console.log(
    `| ${outcome.kind} | ${outcome.rule} | ${outcome.expected_gain_pct} | ${outcome.change_pct.toFixed(1)} | ${assumed.gain.toFixed(1)} | ${learnt.gain.toFixed(1)} |`,
  );
for (const name of ['assumed', 'learnt'] as const) {
  const off = rows.map(({ outcome, [name]: { gain } }) => gain - outcome.change_pct);
  const inside = rows.filter(({ [name]: one }) => one.inside).length;
  console.log(
    `${name}: off by ${mean(off.map(Math.abs)).toFixed(1)} points, with the sign ${mean(off).toFixed(1)}; ${inside} of ${rows.length} in the 80 % interval`,
  );
}
