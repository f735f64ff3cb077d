import type { Trend } from '../../../src/model/history/history.ts';
import type { RooflineChart } from '../../../src/model/profile/profile-page.ts';
import { scaled } from '../../../src/model/text/number-text.ts';
import { rooflinePlot } from '../../../src/report/svg/roofline-plot.tsx';
import { dateText, shortCommit } from '../common/format.ts';
import { hrefOf } from '../common/router.ts';

/** More cover each other: what is earlier is in the trend above. */
const MOST_POINTS = 40;

/** The ceilings of the device, and how a case moved below them; nothing where its work or the ceilings are not known. */
export function RooflineHistory({ trend }: { readonly trend: Trend }) {
  const chart = chartOf(trend);
  if (chart === undefined) return null;
  const { width, height, label, body } = rooflinePlot(chart);
  return (
    <>
      <h2>Roofline</h2>
      <figure class="panel roofline">
        <svg class="figure small" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={label}>
          {body}
        </svg>
        <figcaption class="quiet">
          The diamond is the newest point. Earlier ones
          {chart.history?.length === MOST_POINTS ? ` (the last ${MOST_POINTS})` : ''} are fainter the older
          they are, and link to their runs. {chart.basis}
        </figcaption>
      </figure>
    </>
  );
}

function chartOf({ lines, points }: Trend): RooflineChart | undefined {
  const { roofline } = lines ?? {};
  const newest = points.at(-1);
  if (roofline === undefined || newest === undefined) return undefined;
  const { operations, bytes, operations_per_s, bytes_per_s } = roofline;
  const intensity = operations / bytes;
  const rateOf = (level_ms: number): number => (1000 * operations) / level_ms;
  return {
    counted: 'operations of the problem',
    unit: 'FLOP',
    roofs: [{ label: 'Arithmetic', perSecond: operations_per_s }],
    memory: { label: 'Memory', bytesPerSecond: bytes_per_s },
    points: [{ side: 'after', intensity, perSecond: rateOf(newest.level_ms) }],
    history: points.slice(-MOST_POINTS - 1, -1).map(({ level_ms, run, commit, time }) => ({
      intensity,
      perSecond: rateOf(level_ms),
      href: hrefOf(['run', run]),
      label: `${shortCommit(commit)}, ${dateText(time)}: ${scaled(rateOf(level_ms))}FLOP/s`,
    })),
    basis:
      "Ceilings are the measured peak rates of the device; operations and bytes come from the problem's formulas.",
  };
}
