import { levelTexts } from '../common/format.ts';

/** A level with its interval. */
export function Level(props: {
  readonly level_ms: number | undefined;
  readonly ci_ms?: readonly [number, number] | undefined;
}) {
  const { level_ms, ci_ms } = props;
  if (level_ms === undefined) return <span class="quiet">–</span>;
  const { level, interval } = levelTexts(level_ms, ci_ms ?? [level_ms, level_ms]);
  return (
    <span class="level">
      {level}
      {ci_ms === undefined ? null : <small> {interval}</small>}
    </span>
  );
}
