import { changeInterval, changeText } from '../common/format.ts';

/** Without an interval nothing says whether a smaller change is one. */
const CLEAR_PCT = 2;

/** A change with its interval; coloured only where there is no doubt about its direction. */
export function Change(props: {
  readonly change_pct?: number | undefined;
  readonly ci_pct?: readonly [number, number] | undefined;
}) {
  const { change_pct, ci_pct } = props;
  if (change_pct === undefined) return <span class="quiet">–</span>;
  return (
    <span class={`change ${toneOf(change_pct, ci_pct)}`}>
      {changeText(change_pct)}
      {ci_pct === undefined ? null : <small> {changeInterval(ci_pct)}</small>}
    </span>
  );
}

function toneOf(change_pct: number, ci_pct: readonly [number, number] | undefined): string {
  const [low, high] = ci_pct ?? [change_pct - CLEAR_PCT, change_pct + CLEAR_PCT];
  if (high < 0) return 'slower';
  return low > 0 ? 'faster' : '';
}
