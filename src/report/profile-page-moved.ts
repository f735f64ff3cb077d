import type { ProfileComparison } from '../model/diagnosis.ts';
import { htmlText } from './html-text.ts';
import { signalLabel, signalSense, signalValue } from './signal-text.ts';

type Moved = ProfileComparison['moved'][number];

/** The largest moves come first; the others are for those who look for one. */
const SHOWN = 14;

export function movedTable(moved: readonly Moved[]): string {
  if (moved.length === 0) return '<p class="quiet">No signal moved by more than noise.</p>';
  const rest = moved.slice(SHOWN);
  return `${table(moved.slice(0, SHOWN))}${rest.length === 0 ? '' : `<details><summary>and ${rest.length} more</summary>${table(rest)}</details>`}`;
}

function table(moved: readonly Moved[]): string {
  return `<div class="table panel"><table>
<thead><tr><th class="left" scope="col">signal</th><th scope="col">before</th><th scope="col">after</th><th scope="col">change</th></tr></thead>
<tbody>
${moved.map(row).join('\n')}
</tbody></table></div>`;
}

function row({ metric, unit, before, after }: Moved): string {
  const sense = movedSense(metric, before, after);
  const value = (number: number): string => htmlText(signalValue(metric, number, unit));
  return `<tr><td class="left">${htmlText(signalLabel(metric))}</td><td>${value(before)}</td><td>${value(after)}</td><td class="${sense}">${changeText(before, after, unit)}${sense === 'moved' ? '' : `, ${sense}`}</td></tr>`;
}

/** Most signals are neither good nor bad by themselves. */
function movedSense(metric: string, before: number, after: number): 'better' | 'worse' | 'moved' {
  const sense = signalSense(metric);
  if (sense === undefined || before === after) return 'moved';
  return after > before === (sense === 'health') ? 'better' : 'worse';
}

/** Percentages by points, other numbers by factor or percent. */
function changeText(before: number, after: number, unit: string): string {
  const arrow = after > before ? '▲' : '▼';
  if (unit === '%') return `${arrow} ${Math.abs(after - before).toFixed(1)} points`;
  if (before === 0) return `${arrow} from none`;
  if (after === 0) return `${arrow} to none`;
  const ratio = after / before;
  if (ratio >= 2) return `${arrow} × ${Number(ratio.toPrecision(2))}`;
  return `${arrow} ${Math.abs(100 * (ratio - 1)).toFixed(0)} %`;
}
