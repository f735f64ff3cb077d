import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { plainDocument } from './text/plain-text.ts';

/**
 * Elements as HTML, or as an SVG file. Text is escaped by the renderer, and what cannot be seen is taken out of the
 * whole: neither is left to those who write a page.
 */
export function markup(element: VNode): string {
  // XML forbids `]]>` in text, and the renderer leaves `>` alone, as HTML does.
  return `${plainDocument(renderToString(element)).replaceAll(']]>', ']]&gt;')}\n`;
}

/** Our own style sheets, as they are: the only place where a report has HTML that is not escaped. */
export function Style({ css }: { readonly css: string }) {
  return <style dangerouslySetInnerHTML={{ __html: css }} />;
}
