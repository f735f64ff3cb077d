import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { jsonFault } from '../../model/json-fault.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { RecordedSpace } from '../../model/tune/recorded-space.ts';
import { parseUnclosedJson } from './parse-unclosed-json.ts';
import { isKernelTunerCache, readKernelTunerCache } from './read-kernel-tuner-cache.ts';
import { badSpace, readPawlSpace } from './read-pawl-space.ts';
import { isT4, readT4 } from './read-t4.ts';

/** A recorded space from any of the formats that Pawl reads, told apart by what is in the file. */
export async function readRecordedSpace(path: string): Promise<RecordedSpace> {
  const file = basename(path);
  const document = parse(await read(path), file);
  if (typeof document !== 'object' || document === null) throw badSpace(file, 'it is not a JSON object');
  if ('schema' in document || 'configs' in document) return readPawlSpace(document, file);
  if (isKernelTunerCache(document)) return readKernelTunerCache(document, file);
  if (isT4(document)) return readT4(document, file);
  throw badSpace(file, 'it has neither `configs`, `cache` nor `results`');
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PawlError('usage', `Cannot read the recorded space ${path}: ${reason}`, 'Check the path.');
  }
}

function parse(text: string, file: string): unknown {
  try {
    return parseUnclosedJson(text);
  } catch (error) {
    throw badSpace(file, `it is not JSON: ${jsonFault(error, text)}`);
  }
}
