import type { ComponentChildren } from 'preact';

import { markup, Style } from '../markup.tsx';

interface HtmlPage {
  readonly title: string;
  readonly style: string;
  readonly body: ComponentChildren;
}

/** A report as one file: no scripts, nothing fetched. */
export function htmlPage({ title, style, body }: HtmlPage): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
  return `<!doctype html>\n${markup(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <link rel="icon" href="data:," />
        <title>{title}</title>
        <Style css={style} />
      </head>
      <body>
        <main>{body}</main>
      </body>
    </html>,
  )}`;
}
