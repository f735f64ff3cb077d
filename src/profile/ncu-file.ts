import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

import { PawlError } from '../model/pawl-error.ts';
import type { Profile } from '../model/profile.ts';
import { importNcuReport, type NcuImportOptions } from './ncu-import.ts';
import { parseNcuProfile } from './ncu-profile.ts';
import { decodeNcuContent } from './ncu-text.ts';

/** JavaScript's strings end at 512 Mi characters. */
const MAX_BYTES = 500 * 1024 * 1024;

/** Reads a CSV that ncu printed, or a report of its own where ncu is there to open it. */
export async function readNcuFile(path: string, options: NcuImportOptions): Promise<Profile> {
  const file = basename(path);
  const content = decodeNcuContent(await bytesOf(path));
  if (content.kind === 'text') return parseNcuProfile(content.text, file);
  if (content.kind === 'report' || path.endsWith('.ncu-rep')) {
    return parseNcuProfile(await importNcuReport(path, options), file);
  }
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
        `${basename(path)} has ${Math.round(size / 1e6)} MB, more than can be read at once.`,
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
