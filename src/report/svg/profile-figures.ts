import type { ProfilePage } from '../../model/profile/profile-page.ts';
import type { Figure } from './figure.tsx';
import { occupancyBars } from './occupancy-bars.ts';
import { rooflinePlot } from './roofline-plot.tsx';
import { speedBars } from './speed-bars.ts';
import { stallBars } from './stall-bars.tsx';

export interface Panel {
  readonly title: string;
  readonly subtitle: string;
  readonly figure: Figure;
}

/** The picture part, in the order in which it is read: how far from the ceilings, which unit, why, and what fits. */
export function profilePanels(page: ProfilePage): readonly Panel[] {
  return [
    { title: 'Roofline', subtitle: page.roofline?.counted ?? '', figure: rooflinePlot(page.roofline) },
    { title: 'Speed of light', subtitle: 'percent of each unit’s peak', figure: speedBars(page) },
    { title: 'Where warps wait', subtitle: 'share of a warp’s cycles', figure: stallBars(page) },
    { title: 'Occupancy', subtitle: 'warps on an SM', figure: occupancyBars(page) },
  ];
}
