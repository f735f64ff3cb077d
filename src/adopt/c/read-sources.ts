import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';

import { fileFailure } from '../../model/file-failure.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { tokenize, type Token } from './tokens.ts';

/** A source file with the headers that it includes by quotes. */
export interface ReadSources {
  readonly main: { readonly text: string; readonly tokens: readonly Token[] };
  /** Headers in the source's folder and below, by their paths from there. */
  readonly headers: readonly {
    readonly path: string;
    readonly text: string;
    readonly tokens: readonly Token[];
  }[];
  /** Headers that are elsewhere. */
  readonly outside: readonly string[];
  readonly usesOpenMp: boolean;
}

/** Generated sources are larger, and are not optimised by hand. */
const MOST_BYTES = 4 * 1024 * 1024;

export async function readSources(path: string, flags: readonly string[] = []): Promise<ReadSources> {
  const folder = dirname(path);
  const text = await readText(path);
  const given = flags.flatMap((flag) => /^-D(\w+)/u.exec(flag)?.[1] ?? []);
  const { tokens, includes, usesOpenMp, defined } = tokenize(text, given);
  const headers = new Map<string, ReadSources['headers'][number]>();
  const outside = new Set<string>();
  const pending = new Set(includes.map((name) => normalize(name)));
  // What is added meanwhile is come to, too.
  for (const name of pending) {
    if (name === basename(path)) continue;
    const isThere = await stat(join(folder, name)).then(
      (found) => found.isFile(),
      () => false,
    );
    // One that is not there comes from the compiler's own folders, or is missed when it is built.
    if (!isThere) continue;
    if (name.startsWith('..') || name.startsWith('/')) {
      outside.add(name);
      continue;
    }
    const header = await readText(join(folder, name));
    const read = tokenize(header, defined);
    headers.set(name, { path: name, text: header, tokens: read.tokens });
    for (const next of read.includes) pending.add(normalize(join(dirname(name), next)));
  }
  return {
    main: { text, tokens },
    headers: [...headers.values()],
    outside: [...outside],
    usesOpenMp,
  };
}

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) {
      throw new PawlError(
        'bad-data',
        `${basename(path)} is ${Math.ceil(size / 2 ** 20)} MiB: too large for a source file.`,
      );
    }
    return await readFile(path, 'utf8');
  } catch (error) {
    throw fileFailure(error) ?? error;
  }
}
