import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { CHECK_SCHEMA } from '../model/reports/check-report.ts';
import { COMPARISON_SCHEMA, comparisonSchema, type Comparison } from '../model/judge/comparison.ts';
import { jsonFault } from '../model/json-fault.ts';
import { PawlError } from '../model/pawl-error.ts';

/** Reads a comparison, or the one in the report of a check. */
export async function readComparison(path: string): Promise<Comparison> {
  const value = await readJson(path);
  const isCheck =
    typeof value === 'object' && value !== null && 'schema' in value && value.schema === CHECK_SCHEMA;
  const parsed = comparisonSchema.safeParse(isCheck && 'comparison' in value ? value.comparison : value);
  if (parsed.success) return parsed.data;
  throw new PawlError(
    'bad-data',
    `${basename(path)} is not a ${COMPARISON_SCHEMA} file`,
    'Write one with: pawl compare --json',
  );
}

async function readJson(path: string): Promise<unknown> {
  const text = await readText(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PawlError(
      'bad-data',
      `${basename(path)} is not JSON: ${jsonFault(error, text)}.`,
      'Create it again.',
    );
  }
}

export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'EISDIR') throw error;
    throw new PawlError('usage', `There is no file ${path}.`, 'Check the path.');
  }
}
