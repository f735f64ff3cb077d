import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

import { z } from 'zod';

import { fileFailure } from '../../model/file-failure.ts';
import { candidateNameSchema } from '../../model/queue/judgement.ts';
import { PawlError } from '../../model/pawl-error.ts';
import {
  candidateSources,
  writtenSources,
  type CandidateSources,
} from '../../adopt/candidate/candidate-sources.ts';

/** One candidate of a batch, before its files are read. */
export interface Submission {
  readonly id: string | undefined;
  /** Of the batch, counted from 1. */
  readonly line: number;
  /** @throws {PawlError} where the line is not a candidate, or its files cannot be read */
  readonly sources: () => Promise<CandidateSources>;
}

const lineSchema = z
  .object({
    id: z
      .union([z.string().min(1).max(500), z.number()], { error: 'a number, or text of 1 to 500 characters' })
      .transform(String),
    files: z.record(candidateNameSchema, z.string()).optional(),
    candidate: z.string().min(1).optional(),
  })
  .refine(({ files, candidate }) => (files === undefined) !== (candidate === undefined), {
    error: 'either `files` or `candidate`',
  });

/** Far above any candidate; longer lines are not read. */
const MOST_CHARACTERS = 40_000_000;

/**
 * Candidates of a file of JSON lines, or of a folder: each file and each folder in it is one.
 *
 * @param path `-`: what `stdin` has
 * @param scratch where sources that are in the lines are written
 */
export async function* readBatch(
  path: string,
  stdin: AsyncIterable<Uint8Array | string>,
  scratch: string,
): AsyncGenerator<Submission> {
  if (path === '-') {
    const input = stdin instanceof Readable ? stdin : Readable.from(stdin);
    yield* ofLines(input, process.cwd(), scratch);
    return;
  }
  const place = resolve(path);
  let isFolder: boolean;
  try {
    isFolder = (await stat(place)).isDirectory();
  } catch (error) {
    throw fileFailure(error) ?? error;
  }
  if (isFolder) yield* ofFolder(place);
  else yield* ofLines(createReadStream(place), dirname(place), scratch);
}

async function* ofFolder(folder: string): AsyncGenerator<Submission> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => (entry.isFile() || entry.isDirectory()) && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
  if (names.length === 0) throw new PawlError('bad-data', `${folder} has no candidates.`);
  for (const [at, id] of names.entries()) {
    yield { id, line: at + 1, sources: () => candidateSources([join(folder, id)]) };
  }
}

async function* ofLines(input: Readable, folder: string, scratch: string): AsyncGenerator<Submission> {
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === '') continue;
    yield submissionOf(text, line, folder, join(scratch, `line-${line}`));
  }
}

function submissionOf(text: string, line: number, folder: string, scratch: string): Submission {
  const refused = (id: string | undefined, why: string): Submission => ({
    id,
    line,
    sources: () => Promise.reject(new PawlError('bad-data', `Line ${line} is not a candidate: ${why}.`)),
  });
  if (text.length > MOST_CHARACTERS) return refused(undefined, `it has ${text.length} characters`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(undefined, 'it is not JSON');
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) {
    const named = z.object({ id: z.union([z.string(), z.number()]) }).safeParse(value);
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') ?? '';
    return refused(
      named.success ? String(named.data.id) : undefined,
      `${where === '' ? '' : `${where}: `}${issue?.message ?? 'it has another form'}`,
    );
  }
  const { id, files, candidate } = parsed.data;
  const sources =
    candidate === undefined
      ? () => writtenSources(files ?? {}, scratch)
      : () => candidateSources([resolve(folder, candidate)]);
  return { id, line, sources };
}
