import { useRef, useState } from 'preact/hooks';

import type { Variant } from '../../../src/model/problem/variant.ts';
import { parallelBody } from '../../../src/report/svg/parallel-coordinates-plot.tsx';
import {
  PARALLEL,
  type ParallelAxis,
  type ParallelLayout,
  type ParallelLine,
} from '../../../src/report/svg/parallel-layout.ts';
import { timeText, variantText } from '../common/format.ts';
import { adjust, type Place } from '../common/router.ts';
import { Scroll } from '../common/scroll.tsx';

/** A part of an axis, by the places of its first and last value. */
interface Brush {
  readonly axis: ParallelAxis;
  readonly from: number;
  readonly to: number;
}

const keyOf = (name: string): string => `axis.${name}`;

/** What the address says is chosen; what does not fit its axis is as if it were not said. */
export function brushesOf({ axes }: ParallelLayout, query: Place['query']): Brush[] {
  return axes.flatMap((axis) => {
    const said = /^(\d+)-(\d+)$/u.exec(query[keyOf(axis.name)] ?? '');
    const [from, to] = [Number(said?.[1]), Number(said?.[2])];
    return said !== null && from <= to && to < axis.values.length ? [{ axis, from, to }] : [];
  });
}

/** Whether a variant lies within all that is chosen. */
export function isWithin(variant: Variant, brushes: readonly Brush[]): boolean {
  return brushes.every(({ axis, from, to }) => {
    const place = axis.values.findIndex(({ value }) => value === variant[axis.name]);
    return place >= from && place <= to;
  });
}

/** The picture of the reports, with axes of which a part can be chosen: by dragging along them, or below. */
export function ParallelCoordinates(props: {
  readonly layout: ParallelLayout;
  readonly query: Place['query'];
  readonly confirmed: number | undefined;
}) {
  const { layout, query, confirmed } = props;
  const [pointed, setPointed] = useState<number>();
  const brushes = brushesOf(layout, query);
  const isChosen =
    brushes.length === 0 ? undefined : ({ variant }: ParallelLine) => isWithin(variant, brushes);
  const { axes, lines } = layout;
  const shown =
    lines.find(({ number }) => number === pointed) ??
    lines.find((line) => isChosen?.(line) ?? line.number === (confirmed ?? line.number));
  return (
    <>
      <Scroll label="Parallel coordinates">
        <svg
          class="figure parallel"
          viewBox={`0 0 ${PARALLEL.width} ${PARALLEL.height}`}
          role="img"
          aria-label={`Values of ${axes.length} tunables in ${lines.length} trials`}
        >
          {parallelBody(layout, { confirmed, isChosen, pointed, onPoint: setPointed })}
          {brushes.map((brush) => (
            <BrushMark key={brush.axis.name} brush={brush} />
          ))}
          {axes.map((axis) => (
            <BrushArea key={axis.name} axis={axis} />
          ))}
        </svg>
      </Scroll>
      {shown === undefined ? null : (
        <p class="readout">
          Trial {shown.number}: <b>{timeText(shown.time_ms)}</b>
          {shown.number === confirmed ? ', confirmed' : ', unconfirmed'} ·{' '}
          <code>{variantText(shown.variant)}</code>
        </p>
      )}
      <Ranges layout={layout} brushes={brushes} />
    </>
  );
}

const BRUSH_WIDTH = 24;

function BrushMark({ brush: { axis, from, to } }: { readonly brush: Brush }) {
  const [low, high] = [axis.values[from]!.y, axis.values[to]!.y];
  return (
    <rect
      class="brush"
      x={axis.x - BRUSH_WIDTH / 4}
      y={high - 6}
      width={BRUSH_WIDTH / 2}
      height={low - high + 12}
    />
  );
}

/** A drag along an axis chooses the values that it passes; a click chooses all of them again. */
function BrushArea({ axis }: { readonly axis: ParallelAxis }) {
  const start = useRef<number | undefined>(undefined);
  const placeOf = (event: PointerEvent & { readonly currentTarget: SVGRectElement }): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientY - box.top) / box.height;
    return PARALLEL.top - 10 + share * (PARALLEL.floor - PARALLEL.top + 20);
  };
  return (
    <rect
      class="brush-area"
      data-axis={axis.name}
      x={axis.x - BRUSH_WIDTH / 2}
      y={PARALLEL.top - 10}
      width={BRUSH_WIDTH}
      height={PARALLEL.floor - PARALLEL.top + 20}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = placeOf(event);
      }}
      onPointerUp={(event) => {
        if (start.current === undefined) return;
        const [top, bottom] = [start.current, placeOf(event)].toSorted((one, other) => one - other);
        start.current = undefined;
        const passed = axis.values.flatMap(({ y }, place) => (y >= top! && y <= bottom! ? [place] : []));
        adjust({
          [keyOf(axis.name)]: passed.length === 0 ? undefined : `${passed[0]!}-${passed.at(-1)!}`,
        });
      }}
    />
  );
}

/** The same by keyboard and finger. */
function Ranges({
  layout: { axes },
  brushes,
}: {
  readonly layout: ParallelLayout;
  readonly brushes: readonly Brush[];
}) {
  return (
    <fieldset class="ranges">
      <legend>Show variants with</legend>
      {axes.map((axis) => {
        const brush = brushes.find(({ axis: { name } }) => name === axis.name);
        const [from, to] = [brush?.from ?? 0, brush?.to ?? axis.values.length - 1];
        const choose = (low: number, high: number): void => {
          const isAll = low === 0 && high === axis.values.length - 1;
          adjust({ [keyOf(axis.name)]: isAll ? undefined : `${Math.min(low, high)}-${Math.max(low, high)}` });
        };
        return (
          <span class="range" key={axis.name}>
            <b>{axis.name}</b>{' '}
            <End
              label={`${axis.name} from`}
              axis={axis}
              place={from}
              onChoose={(place) => choose(place, to)}
            />
            {' to '}
            <End label={`${axis.name} to`} axis={axis} place={to} onChoose={(place) => choose(from, place)} />
          </span>
        );
      })}
      {brushes.length === 0 ? null : (
        <button
          type="button"
          onClick={() => adjust(Object.fromEntries(axes.map(({ name }) => [keyOf(name), undefined])))}
        >
          Show all
        </button>
      )}
    </fieldset>
  );
}

function End(props: {
  readonly label: string;
  readonly axis: ParallelAxis;
  readonly place: number;
  readonly onChoose: (place: number) => void;
}) {
  const { label, axis, place, onChoose } = props;
  return (
    <select
      aria-label={label}
      value={String(place)}
      onChange={(event) => onChoose(Number(event.currentTarget.value))}
    >
      {axis.values.map(({ value }, index) => (
        <option key={index} value={String(index)}>
          {String(value)}
        </option>
      ))}
    </select>
  );
}
