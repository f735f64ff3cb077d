import type { OccupancyFigures, OccupancyResource, ProfilePage } from '../../model/profile/profile-page.ts';
import { formatBytes } from '../text/units.ts';
import type { Figure } from './figure.tsx';
import { svgText } from './figure.tsx';
import { barRows, PANEL_WIDTH, percentText, sideLegend, type BarRow } from './percent-bars.ts';

const ROW = 26;

const LABELS: Readonly<Record<OccupancyResource, string>> = {
  registers: 'Registers',
  'shared memory': 'Shared mem.',
  warps: 'Warps',
  blocks: 'Blocks',
  barriers: 'Barriers',
};

/** How many warps an SM held, and what kept it from holding more. */
export function occupancyBars({ before, after }: ProfilePage): Figure {
  const isCompared = before !== undefined;
  const [was, is] = [before?.occupancy, after.occupancy];
  const top = isCompared ? 20 : 4;
  const shares: readonly BarRow[] = [
    { label: 'Theoretical', before: was?.theoreticalPct, after: is.theoreticalPct, isLimit: false },
    { label: 'Achieved', before: was?.achievedPct, after: is.achievedPct, isLimit: false },
  ];
  const limits = limitRows(is, was);
  const limitsTop = top + ROW * shares.length + 26;
  const bottom = limitsTop + ROW * Math.max(1, limits.length);
  const most = Math.max(1, ...limits.flatMap(({ before: one, after: other }) => [one ?? 0, other ?? 0]));
  return {
    width: PANEL_WIDTH,
    height: bottom + 24,
    label: labelOf(is, limits),
    body: [
      isCompared && sideLegend(12),
      barRows(shares, { top, rowHeight: ROW, full: 100, isCompared, format: percentText, unit: '%' }),
      svgText(0, limitsTop - 8, 'Blocks that fit on an SM if only this limited them', 'small'),
      limits.length === 0
        ? svgText(0, limitsTop + 16, 'not collected')
        : barRows(limits, {
            top: limitsTop,
            rowHeight: ROW,
            full: most,
            isCompared,
            format: String,
            unit: '',
          }),
      svgText(0, bottom + 18, resources(is), 'small'),
    ],
  };
}

function limitRows(is: OccupancyFigures, was: OccupancyFigures | undefined): readonly BarRow[] {
  const least = Math.min(...is.limits.map(({ blocks }) => blocks));
  return is.limits.map(({ resource, blocks }) => ({
    label: LABELS[resource],
    before: was?.limits.find((limit) => limit.resource === resource)?.blocks,
    after: blocks,
    // At full occupancy nothing keeps warps away.
    isLimit: blocks === least && (is.theoreticalPct ?? 0) < 100,
  }));
}

function resources({ registersPerThread, sharedBytesPerBlock, threadsPerBlock }: OccupancyFigures): string {
  const said = [
    registersPerThread === undefined ? undefined : `${registersPerThread} registers a thread`,
    sharedBytesPerBlock === undefined ? undefined : `${formatBytes(sharedBytesPerBlock)} shared a block`,
    threadsPerBlock === undefined ? undefined : `${threadsPerBlock} threads a block`,
  ];
  return said.filter((fact) => fact !== undefined).join(' · ');
}

function labelOf({ theoreticalPct, achievedPct }: OccupancyFigures, limits: readonly BarRow[]): string {
  const limiting = limits.filter(({ isLimit }) => isLimit).map(({ label }) => label.toLowerCase());
  const said = [
    theoreticalPct === undefined ? undefined : `theoretical ${theoreticalPct.toFixed(1)} %`,
    achievedPct === undefined ? undefined : `achieved ${achievedPct.toFixed(1)} %`,
    limiting.length === 0 ? undefined : `limited by ${limiting.join(' and ')}`,
  ].filter((fact) => fact !== undefined);
  return `Occupancy: ${said.length === 0 ? 'not collected' : said.join(', ')}`;
}
