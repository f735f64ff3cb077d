import type { Verdict } from '../../../src/model/comparison.ts';
import { VERDICT_LOOK } from '../../../src/report/verdict-look.ts';

export function VerdictChip({ verdict }: { readonly verdict: Verdict | undefined }) {
  if (verdict === undefined) return <span class="quiet">–</span>;
  return (
    <span class={`chip verdict-${verdict}`}>
      {/* A mark beside the word, so that no hue is needed. */}
      <span aria-hidden="true">{VERDICT_LOOK[verdict].mark}</span> {verdict}
    </span>
  );
}
