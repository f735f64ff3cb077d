import type { Fault } from '../model/fault.ts';
import { ELEMENT_HEADERS, faultView } from './fault-view.ts';
import { htmlText } from './html-text.ts';

/** A fault as HTML, to stand below the sentence that names it. */
export function faultHtml(fault: Fault): string {
  const { headline, caption, elements, printed, reproduce } = faultView(fault);
  const header = ELEMENT_HEADERS.map((name) => `<th class="right" scope="col">${name}</th>`).join('');
  const rows = elements.map(({ index, got, want, error, isWorst }) => {
    const cells = [index, got, want, error].map((cell) => `<td class="right">${htmlText(cell)}</td>`);
    return `<tr${isWorst ? ' class="worst"' : ''}>${cells.join('')}</tr>`;
  });
  const parts = [
    `<p class="quiet">${htmlText(headline)}</p>`,
    rows.length === 0
      ? ''
      : `<div class="table"><table><caption>${htmlText(caption)}</caption><thead><tr>${header}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
    printed.length === 0 ? '' : `<pre>${printed.map(htmlText).join('\n')}</pre>`,
    reproduce === undefined ? '' : `<p>See it again: <code>${htmlText(reproduce)}</code></p>`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}
