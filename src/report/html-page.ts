import { htmlText } from './html-text.ts';

interface HtmlPage {
  readonly title: string;
  readonly style: string;
  /** Already HTML; empty parts are left out. */
  readonly parts: readonly string[];
}

/** A report as one file: no scripts, nothing fetched. */
export function htmlPage({ title, style, parts }: HtmlPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${htmlText(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${parts.filter((part) => part !== '').join('\n')}
</main>
</body>
</html>
`;
}
