import { join, resolve } from 'node:path';

import { makeFolder } from '../../os/make-folder.ts';
import { writeDurably } from '../../os/write-durably.ts';
import type { Study } from '../../model/tune/study-report.ts';
import { renderStudyHtml, studyPictures } from '../../report/html/study-html.tsx';
import { renderSuggestions } from '../../report/markdown/study-markdown.ts';
import { studyAsT4 } from '../../report/study-t4.ts';
import { figureFile } from '../../report/svg/figure-file.tsx';

/** Writes what came of a study into a folder, and the study itself beside its journal; returns it with its files. */
export async function writeStudy(study: Study, out: string, own: string): Promise<Study> {
  const folder = resolve(out);
  const pictures = studyPictures(study);
  const files: Record<string, string> = {
    suggestions: join(folder, 'suggestions.md'),
    trials: join(folder, 'trials.json'),
    t4: join(folder, 't4-results.json'),
    report: join(folder, 'report.html'),
    ...Object.fromEntries(pictures.map(({ name }) => [name.replace('.svg', ''), join(folder, name)])),
  };
  const written = { ...study, files };
  await makeFolder(folder);
  const texts: Record<string, string> = {
    'suggestions.md': renderSuggestions(written),
    'trials.json': `${JSON.stringify(written, undefined, 1)}\n`,
    't4-results.json': `${JSON.stringify(studyAsT4(written), undefined, 1)}\n`,
    'report.html': renderStudyHtml(written),
    ...Object.fromEntries(pictures.map(({ name, figure }) => [name, figureFile(figure)])),
  };
  for (const [name, text] of Object.entries(texts)) await writeDurably(join(folder, name), text);
  await writeDurably(join(own, 'study.json'), texts['trials.json']!);
  return written;
}
