import { readFile } from 'node:fs/promises';

import { PawlError } from '../model/pawl-error.ts';

/** Shorter can be guessed. */
const SHORTEST_TOKEN = 16;

/**
 * A secret from a file or, where none is named, from the environment; undefined where there is neither.
 *
 * @param what `read token`, for the error message
 */
export async function readToken(
  what: string,
  {
    file,
    variable,
    env,
  }: { readonly file?: string; readonly variable: string; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  const text = file === undefined ? env[variable] : await readFile(file, 'utf8').catch(unreadable);
  if (text === undefined) return undefined;
  const token = text.trim();
  if (token.length < SHORTEST_TOKEN || !/^[\x21-\x7e]+$/.test(token)) {
    throw new PawlError(
      'configuration',
      `The ${what} in ${file ?? variable} is not ${SHORTEST_TOKEN} or more printable characters.`,
      'Make one: openssl rand -hex 32',
    );
  }
  return token;
}

function unreadable(error: Error): never {
  throw new PawlError('configuration', `The token cannot be read: ${error.message}`);
}
