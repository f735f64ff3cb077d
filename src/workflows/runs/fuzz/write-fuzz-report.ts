import { dirname, join, resolve } from 'node:path';

import { makeFolder } from '../../../os/make-folder.ts';
import { writeDurably } from '../../../os/write-durably.ts';
import type { FuzzReport } from '../../../model/correctness/fuzz-report.ts';
import { renderFuzzHtml } from '../../../report/html/fuzz-html.tsx';

export interface FuzzFiles {
  readonly html: string;
  readonly json: string;
}

/** Writes the report for people, and beside it the one for programs. The last run's lies below .pawl. */
export async function writeFuzzReport(
  report: FuzzReport,
  root: string,
  out: string | undefined,
): Promise<FuzzFiles> {
  const html = out === undefined ? join(root, '.pawl', 'fuzz', 'report.html') : htmlPath(resolve(out));
  const files = { html, json: html.replace(/\.html$/u, '.json') };
  await makeFolder(dirname(html));
  await writeDurably(files.html, renderFuzzHtml(report));
  await writeDurably(files.json, `${JSON.stringify(report, undefined, 2)}\n`);
  return files;
}

/** A folder, or a file that ends in .html. */
function htmlPath(path: string): string {
  return path.endsWith('.html') ? path : join(path, 'fuzz.html');
}
