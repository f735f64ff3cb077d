import type { Fault } from '../../model/measure/fault.ts';
import { ELEMENT_HEADERS, faultView, type ElementRow } from '../fault-view.ts';
import type { Paint } from './paint.ts';
import { displayWidth, padStart, truncate, wrap } from '../text/plain-text.ts';

/** A fault below the sentence that names it: what the detector means, the worst element, how to see it again. */
export function faultLines(fault: Fault, width: number, paint: Paint): string[] {
  const { headline, caption, elements, printed, reproduce, locate } = faultView(fault);
  return [
    ...wrap(headline, width).map((line) => paint('dim', line)),
    ...(elements.length === 0 ? [] : [`${caption}:`, ...elementTable(elements, paint)]),
    ...printed.map((line) => paint('dim', truncate(`│ ${line}`, width))),
    ...(reproduce === undefined ? [] : [paint('dim', '→ reproduce:'), `    ${reproduce}`]),
    ...(locate === undefined ? [] : [paint('dim', '→ find the line:'), `    ${locate}`]),
  ];
}

function elementTable(elements: readonly ElementRow[], paint: Paint): string[] {
  const rows = elements.map(({ index, got, want, error }) => [index, got, want, error]);
  const widths = ELEMENT_HEADERS.map((header, column) =>
    Math.max(displayWidth(header), ...rows.map((row) => displayWidth(row[column]!))),
  );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => padStart(cell, widths[column]!)).join('  ');
  return [
    paint('dim', `  ${line(ELEMENT_HEADERS)}`),
    ...rows.map((row, index) =>
      elements[index]!.isWorst ? paint('red', `▸ ${line(row)}`) : `  ${line(row)}`,
    ),
  ];
}
