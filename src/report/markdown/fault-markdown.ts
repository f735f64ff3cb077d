import type { Fault } from '../../model/measure/fault.ts';
import { ELEMENT_HEADERS, faultView } from '../fault-view.ts';
import { markdownCode, markdownText } from './markdown-text.ts';

/** A fault as blocks of Markdown, to stand below the sentence that names it. */
export function faultMarkdown(fault: Fault): string {
  const { headline, caption, elements, printed, reproduce, locate } = faultView(fault);
  const table = [
    [...ELEMENT_HEADERS],
    ELEMENT_HEADERS.map(() => '--:'),
    ...elements.map(({ index, got, want, error, isWorst }) =>
      [index, got, want, error].map((cell) =>
        isWorst && cell !== '' ? `**${markdownText(cell)}**` : markdownText(cell),
      ),
    ),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const blocks = [
    `*${markdownText(headline)}*`,
    elements.length === 0 ? '' : `Of ${markdownText(caption)}:\n\n${table.join('\n')}`,
    printed.map(markdownCode).join('<br>'),
    reproduce === undefined ? '' : `Reproduce: ${markdownCode(reproduce)}`,
    locate === undefined ? '' : `Find the line: ${markdownCode(locate)}`,
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}
