import { VERDICT, type Verdict } from '../../../src/model/judge/verdict.ts';

export function VerdictChip({ verdict }: { readonly verdict: Verdict | undefined }) {
  if (verdict === undefined) return <span class="quiet">–</span>;
  const { tone, mark } = VERDICT[verdict];
  return (
    <span class={`chip tone-${tone}`}>
      <span aria-hidden="true">{mark}</span> {verdict}
    </span>
  );
}
