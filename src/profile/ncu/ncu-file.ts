import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

import { PawlError } from '../../model/pawl-error.ts';
import type { Profile } from '../../model/profile/profile.ts';
import { importNcuReport, printNcuSourceIfThere, type NcuImportOptions } from './ncu-import.ts';
import { parseNcuProfile } from './ncu-profile.ts';
import { decodeNcuContent, type NcuContent } from './ncu-text.ts';

/** JavaScript's strings end at 512 Mi characters. */
const MAX_BYTES = 500 * 1024 * 1024;

/** What ncu measured, and its source page where there is one. */
export interface NcuExport {
  readonly profile: Profile;
  readonly source?: NcuSourcePage;
}

export interface NcuSourcePage {
  readonly page: string;
  /** The report itself, which holds the compiled code. */
  readonly report?: Buffer;
}

/** Reads a CSV that ncu printed, or a report of its own where ncu is there to open it. */
export async function readNcuFile(path: string, options: NcuImportOptions): Promise<Profile> {
  const content = await contentOf(path);
  const text = content.kind === 'text' ? content.text : await importNcuReport(path, options);
  return parseNcuProfile(text, basename(path));
}

/** The same with the samples by instruction, as far as the file has them. */
export async function readNcuExport(path: string, options: NcuImportOptions): Promise<NcuExport> {
  const file = basename(path);
  const content = await contentOf(path);
  if (content.kind === 'text') {
    const { page, rest } = splitSourcePage(content.text);
    if (page === '') return { profile: parseNcuProfile(content.text, file) };
    if (rest.trim() === '')
      throw new PawlError(
        'bad-data',
        `${file} is only the source page of ncu, without the metrics of the launch.`,
        `Export the raw page too, and give both: pawl diagnose RAW.csv --source ${file}`,
      );
    return { profile: parseNcuProfile(rest, file), source: { page } };
  }
  const profile = parseNcuProfile(await importNcuReport(path, options), file);
  const page = await printNcuSourceIfThere(path, options);
  return { profile, ...(page === undefined ? {} : { source: { page, report: content.bytes } }) };
}

/** A source page in a file of its own. */
export async function readNcuSourcePage(path: string): Promise<NcuSourcePage> {
  const content = await contentOf(path);
  const page = content.kind === 'text' ? splitSourcePage(content.text).page : '';
  if (page !== '') return { page };
  throw new PawlError(
    'bad-data',
    `${basename(path)} is not a source page of ncu.`,
    `Export it with: ${SOURCE_COMMAND}`,
  );
}

/** How the lines of a report get into a file. */
export const SOURCE_COMMAND =
  'ncu --import REPORT.ncu-rep --page source --csv --print-source cuda,sass > SOURCE.csv';

/** What tells a source page from others. */
const SOURCE_HEADER = /^"(?:Line No|Address)","Source",/mu;
const SOURCE_BEGINS = /^"(?:File Path|Function Name|Kernel Name)","(?:[^"]|"")*",?\s*$/u;

/** Several pages may stand in one file, one after the other. */
function splitSourcePage(text: string): { readonly page: string; readonly rest: string } {
  if (!SOURCE_HEADER.test(text)) return { page: '', rest: text };
  const [page, rest]: [string[], string[]] = [[], []];
  let isSource = false;
  for (const line of text.split('\n')) {
    if (SOURCE_BEGINS.test(line)) isSource = true;
    else if (line.startsWith('"ID",') || line.startsWith('==')) isSource = false;
    (isSource ? page : rest).push(line);
  }
  return { page: page.join('\n'), rest: rest.join('\n') };
}

type Readable = Extract<NcuContent, { kind: 'text' }> | { readonly kind: 'report'; readonly bytes: Buffer };

async function contentOf(path: string): Promise<Readable> {
  const file = basename(path);
  const bytes = await bytesOf(path);
  const content = decodeNcuContent(bytes);
  if (content.kind === 'text') return content;
  if (content.kind === 'report' || path.endsWith('.ncu-rep')) return { kind: 'report', bytes };
  throw new PawlError(
    'bad-data',
    content.kind === 'compressed'
      ? `${file} is compressed.`
      : `${file} is neither a CSV nor a report of ncu.`,
    content.kind === 'compressed'
      ? 'Unpack it first.'
      : 'Export a report with: ncu --import REPORT.ncu-rep --page raw --csv --print-units base > FILE.csv',
  );
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) {
      throw new PawlError(
        'bad-data',
        `${basename(path)} has ${Math.round(size / 1e6)} MB, which is too large to read.`,
        'Export fewer launches: ncu --import … -k regex:NAME -c 10.',
      );
    }
    return await readFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'EISDIR') throw error;
    throw new PawlError(
      'usage',
      code === 'EISDIR' ? `${path} is a folder.` : `There is no file ${path}.`,
      'Name a CSV from ncu, or an .ncu-rep file.',
    );
  }
}
