import { useEffect, useRef, useState } from 'preact/hooks';

import type { Trend } from '../../../src/model/history/history.ts';
import { countText, levelTexts, restsOn, shortCommit, timeOfDay } from '../common/format.ts';
import { markText } from '../../../src/report/text/trend-text.ts';
import {
  trendData,
  TREND_HEIGHT,
  trendOptions,
  zoomRange,
  type TrendPicks,
  type TrendZoom,
} from './trend-options.ts';
import { usePlot } from './use-plot.ts';

/** The level over commits. A click, or the keys, choose the two points of the comparison. */
export function TrendChart(props: {
  readonly trend: Trend;
  readonly picks: TrendPicks;
  readonly onPick: (side: 'a' | 'b', commit: string) => void;
  readonly zoom: TrendZoom;
  readonly onZoom: (zoom: TrendZoom) => void;
}) {
  const { trend, picks, onPick, zoom, onZoom } = props;
  const [cursor, setCursor] = useState(-1);
  const shown = useRef(picks);
  shown.current = picks;
  const { frame, plot } = usePlot(
    (width) => ({
      options: trendOptions(trend, width, { picks: () => shown.current, onCursor: setCursor, onZoom }),
      data: trendData(trend),
    }),
    [trend],
  );
  useEffect(() => plot.current?.redraw(false), [picks.a, picks.b]);
  useEffect(() => {
    const made = plot.current;
    const range = zoomRange(trend, zoom);
    if (made === undefined) return;
    const { min, max } = made.scales['x']!;
    if (min !== range.min - 0.5 || max !== range.max + 0.5) made.setScale('x', range);
  });
  const last = trend.points.length - 1;
  const moveTo = (index: number): void => {
    const made = plot.current;
    const next = Math.min(last, Math.max(0, index));
    const point = trend.points[next];
    if (made === undefined || point === undefined) return;
    made.setCursor({ left: made.valToPos(next, 'x'), top: made.valToPos(point.level_ms, 'y') });
    setCursor(next);
  };
  const pick = (side: 'a' | 'b'): void => {
    const point = trend.points[cursor];
    if (point !== undefined) onPick(side, point.commit);
  };
  const pressed = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: cursor < 0 ? last : cursor - 1,
      ArrowRight: cursor + 1,
      PageUp: cursor - 10,
      PageDown: cursor + 10,
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (next !== undefined) moveTo(next);
    else if (event.key === 'a' || event.key === 'b') pick(event.key);
    else if (event.key === 'Enter') pick(nextSide(picks));
    else return;
    event.preventDefault();
  };
  const point = trend.points[cursor];
  const told = (trend.marks ?? []).filter(({ commit }) => commit === point?.commit);
  return (
    <div
      class="chart panel"
      role="group"
      tabIndex={0}
      aria-label={`Trend of ${countText(trend.points.length, 'point')}, ${countText(trend.changes.length, 'change')}. Use the arrow keys to move between points; a and b choose two to compare.`}
      onKeyDown={pressed}
    >
      <div
        ref={frame}
        class="plot"
        style={{ height: `${TREND_HEIGHT}px` }}
        onClick={(event) => {
          // A drag that zooms ends in a click too: uPlot's own layer tells them apart by what was selected.
          if ((plot.current?.select.width ?? 0) === 0) pick(event.shiftKey ? 'b' : nextSide(picks));
        }}
      />
      <p class="readout" aria-live="polite">
        {point === undefined ? (
          <span class="quiet">Point at the line, or use the arrow keys; a click chooses A, then B.</span>
        ) : (
          <>
            <code>{shortCommit(point.commit)}</code> {timeOfDay(point.time)} ·{' '}
            <b>{levelTexts(point.level_ms, point.ci_ms).level}</b> (
            {levelTexts(point.level_ms, point.ci_ms).interval}) · {restsOn(point)}
            {point.host === undefined ? '' : ` · on ${point.host}`}
            {point.verdict === undefined ? '' : ` · ${point.verdict}`}
            {told.map((mark) => ` · ${markText(mark)}`).join('')}
          </>
        )}
      </p>
    </div>
  );
}

/** A first, then B; a third choice moves B. */
function nextSide({ a }: TrendPicks): 'a' | 'b' {
  return a === undefined ? 'a' : 'b';
}
