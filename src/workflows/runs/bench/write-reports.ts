import { dirname, join, resolve } from 'node:path';

import { makeFolder } from '../../../os/make-folder.ts';
import { writeDurably } from '../../../os/write-durably.ts';
import type { BenchReport } from '../../../model/reports/bench-report.ts';
import type { Samples } from '../../../model/measure/samples.ts';
import { renderBenchHtml } from '../../../report/html/bench-html.tsx';
import { renderBenchMarkdown } from '../../../report/markdown/bench-markdown.ts';

export interface BenchFiles {
  readonly samples: string;
  readonly markdown: string;
  readonly html: string;
}

/** Makes the folder that `out` lies in: before the measuring, so that one that cannot be costs none. */
export async function makeRoom(out: string): Promise<void> {
  await makeFolder(out.endsWith('.json') ? dirname(resolve(out)) : resolve(out));
}

/** Writes the samples file and, beside it, the report for people. `out` is a `.json` file or a folder. */
export async function writeReports(samples: Samples, report: BenchReport, out: string): Promise<BenchFiles> {
  const path = out.endsWith('.json') ? resolve(out) : join(resolve(out), 'samples.json');
  const stem = out.endsWith('.json') ? path.slice(0, -'.json'.length) : join(resolve(out), 'report');
  const files = { samples: path, markdown: `${stem}.md`, html: `${stem}.html` };
  await makeRoom(out);
  await writeDurably(files.samples, `${JSON.stringify(samples)}\n`);
  await writeDurably(files.markdown, renderBenchMarkdown(report));
  await writeDurably(files.html, renderBenchHtml(report, samples));
  return files;
}
