import { join, resolve } from 'node:path';

import { caseKeyOf } from '../../../model/judge/case-key.ts';
import { defined } from '../../../model/defined.ts';
import { workOf } from '../../../model/device/rates.ts';
import { makeFolder } from '../../../os/make-folder.ts';
import { writeDurably } from '../../../os/write-durably.ts';
import { samplesCalledAs } from '../../../judge/called-as.ts';
import type { CaseWork, CheckReport } from '../../../model/reports/check-report.ts';
import type { Samples } from '../../../model/measure/samples.ts';
import { renderComparisonHtml } from '../../../report/html/comparison-html.tsx';
import { renderComparisonMarkdown } from '../../../report/markdown/comparison-markdown.ts';
import { comparisonPictures } from '../../../report/svg/comparison-pictures.ts';

interface SidesMeasured {
  readonly base: Samples;
  readonly control?: Samples;
  readonly head: Samples;
}

/** What a reader wants to know of what was measured, and where. */
export function provenance({
  base,
  head,
}: SidesMeasured): Pick<
  CheckReport,
  'work' | 'hardware' | 'commit' | 'dirty' | 'base_commit' | 'environment' | 'skipped'
> {
  const device = head.device ?? head.measurements.find(({ device }) => device !== undefined)?.device;
  const facts = [
    device?.name,
    device?.driver && `driver ${device.driver}`,
    device?.cuda_runtime && `CUDA ${device.cuda_runtime}`,
  ];
  const hardware = facts.filter((fact) => fact !== undefined && fact !== '').join(', ');
  const commit = commitOf(head);
  const base_commit = commitOf(base);
  const work = headWork(head);
  return {
    ...(work.length === 0 ? {} : { work }),
    ...(hardware === '' ? {} : { hardware }),
    ...defined({ commit, base_commit, environment: head.environment, skipped: head.skipped }),
    ...(head.measurements.some(({ dirty }) => dirty === true) ? { dirty: true } : {}),
  };
}

function headWork({ measurements }: Samples): CaseWork[] {
  return measurements.flatMap((one) => {
    const work = workOf(one);
    return one.series.length === 0 || Object.keys(work).length === 0
      ? []
      : [{ key: caseKeyOf(one), ...work }];
  });
}

function commitOf({ measurements }: Samples): string | undefined {
  return measurements.find((one) => one.commit !== undefined)?.commit;
}

/** Writes report, pictures and samples into a folder; returns the report with the files in it. */
export async function writeComparison(
  report: CheckReport,
  samples: SidesMeasured,
  out: string | undefined,
): Promise<CheckReport> {
  if (out === undefined) return report;
  const folder = resolve(out);
  const files: Record<string, string> = {
    report: join(folder, 'report.json'),
    markdown: join(folder, 'report.md'),
    html: join(folder, 'report.html'),
    base: join(folder, 'base.json'),
    head: join(folder, 'head.json'),
    ...(samples.control === undefined ? {} : { control: join(folder, 'control.json') }),
  };
  const written = { ...report, files };
  // Reports look both sides of a case up by one name.
  const shown = { ...samples, base: samplesCalledAs(samples.base, report.comparison.kernels?.candidate) };
  const pictures = comparisonPictures(written, shown);
  const links = pictures.map(({ name, title }) => ({ title, url: name }));
  await makeFolder(folder);
  const texts: Record<string, string> = {
    'report.json': `${JSON.stringify(written, undefined, 2)}\n`,
    'report.md': renderComparisonMarkdown(written, { samples: shown, pictures: links }),
    'report.html': renderComparisonHtml(written, shown),
    'base.json': `${JSON.stringify(samples.base)}\n`,
    'head.json': `${JSON.stringify(samples.head)}\n`,
    ...(samples.control === undefined ? {} : { 'control.json': `${JSON.stringify(samples.control)}\n` }),
    ...Object.fromEntries(pictures.map(({ name, svg }) => [name, svg])),
  };
  for (const [name, text] of Object.entries(texts)) await writeDurably(join(folder, name), text);
  return written;
}
