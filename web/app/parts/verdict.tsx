import type { Verdict } from '../../../src/model/comparison.ts';

/** A mark beside the word, so that no hue is needed. */
const MARKS: Readonly<Record<Verdict, string>> = {
  incorrect: '‼',
  regressed: '✗',
  undecided: '?',
  improved: '▲',
  maintained: '✓',
  new: '+',
};

export function VerdictChip({ verdict }: { readonly verdict: Verdict | undefined }) {
  if (verdict === undefined) return <span class="quiet">–</span>;
  return (
    <span class={`chip verdict-${verdict}`}>
      <span aria-hidden="true">{MARKS[verdict]}</span> {verdict}
    </span>
  );
}
