import type { Limiter } from '../../model/profile/diagnosis.ts';
import { PROFILED_UNITS, type ProfiledUnit, type ProfilePage } from '../../model/profile/profile-page.ts';
import type { Figure } from './figure.tsx';
import { barRows, PANEL_WIDTH, percentGrid, percentText, sideLegend } from './percent-bars.ts';

const LABELS: Readonly<Record<ProfiledUnit, string>> = {
  sm: 'SM',
  memory: 'Memory',
  dram: 'DRAM',
  l2: 'L2 cache',
  l1: 'L1 / shared',
  tensor: 'Tensor cores',
  'special-function': 'Special fn.',
};

const LIMITING: Partial<Readonly<Record<Limiter, ProfiledUnit>>> = {
  dram: 'dram',
  l2: 'l2',
  'l1-shared': 'l1',
  compute: 'sm',
  tensor: 'tensor',
  'special-function': 'special-function',
};

const ROW = 34;

/** How close to its peak each unit ran. */
export function speedBars({ before, after }: ProfilePage): Figure {
  const top = before === undefined ? 4 : 20;
  const bottom = top + ROW * PROFILED_UNITS.length;
  const rows = PROFILED_UNITS.map((unit) => ({
    label: LABELS[unit],
    before: before?.units[unit],
    after: after.units[unit],
    isLimit: LIMITING[after.diagnosis.limiter] === unit,
  }));
  const said = rows.flatMap(({ label, after: pct }) =>
    pct === undefined ? [] : `${label} ${pct.toFixed(1)} %`,
  );
  return {
    width: PANEL_WIDTH,
    height: bottom + 22,
    label: `Load of each unit in percent of its peak: ${said.length === 0 ? 'not collected' : said.join(', ')}`,
    body: [
      before !== undefined && sideLegend(12),
      percentGrid(top, bottom),
      barRows(rows, {
        top,
        rowHeight: ROW,
        full: 100,
        isCompared: before !== undefined,
        format: percentText,
        unit: '%',
      }),
    ],
  };
}
