/** How a signal of a profile moved, in words. */
import { signalSense } from './signal-text.ts';

/** Most signals are neither good nor bad by themselves. */
export function movedSense(metric: string, before: number, after: number): 'better' | 'worse' | 'moved' {
  const sense = signalSense(metric);
  if (sense === undefined || before === after) return 'moved';
  return after > before === (sense === 'health') ? 'better' : 'worse';
}

/** Percentages by points, other numbers by factor or percent. */
export function movedText(before: number, after: number, unit: string): string {
  const arrow = after > before ? '▲' : '▼';
  if (unit === '%') return `${arrow} ${Math.abs(after - before).toFixed(1)} points`;
  if (before === 0) return `${arrow} from none`;
  if (after === 0) return `${arrow} to none`;
  const ratio = after / before;
  if (ratio >= 2) return `${arrow} × ${Number(ratio.toPrecision(2))}`;
  return `${arrow} ${Math.abs(100 * (ratio - 1)).toFixed(0)} %`;
}
