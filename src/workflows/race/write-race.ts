import { join, resolve } from 'node:path';

import type { Race } from '../../model/judge/race.ts';
import type { Samples } from '../../model/measure/samples.ts';
import { makeFolder } from '../../os/make-folder.ts';
import { writeDurably } from '../../os/write-durably.ts';
import { renderRaceHtml } from '../../report/html/race-html.tsx';
import { renderRaceMarkdown } from '../../report/markdown/race-markdown.ts';

/** Writes the report and the samples into a folder; returns the race with the files in it. */
export async function writeRace(race: Race, samples: Samples, out: string | undefined): Promise<Race> {
  if (out === undefined) return race;
  const folder = resolve(out);
  const files = {
    report: join(folder, 'report.json'),
    markdown: join(folder, 'report.md'),
    html: join(folder, 'report.html'),
    samples: join(folder, 'samples.json'),
  };
  const written = { ...race, files };
  await makeFolder(folder);
  await writeDurably(files.report, `${JSON.stringify(written, undefined, 2)}\n`);
  await writeDurably(files.markdown, renderRaceMarkdown(written));
  await writeDurably(files.html, renderRaceHtml(written));
  await writeDurably(files.samples, `${JSON.stringify(samples)}\n`);
  return written;
}
