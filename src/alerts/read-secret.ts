import { open } from 'node:fs/promises';

import { PawlError } from '../model/pawl-error.ts';
import type { Environment } from '../os/environment.ts';

const MOST_BYTES = 16_384;

/**
 * The value of a variable, or of the file that `NAME_FILE` names, as containers hand secrets over. pawl.yaml names
 * variables and never files: a pull request could otherwise name any file of the machine.
 *
 * @throws {PawlError} where there is neither; its sentence never holds the value
 */
export async function readSecret(variable: string, env: Environment): Promise<string> {
  const own = env[variable]?.trim();
  if (own !== undefined && own !== '') return own;
  const file = env[`${variable}_FILE`];
  if (file === undefined || file === '') {
    throw new PawlError(
      'configuration',
      `${variable} is not set.`,
      `Set ${variable}, or ${variable}_FILE to the path of a file that holds it.`,
    );
  }
  const value = await beginningOf(file).catch((error: NodeJS.ErrnoException) => {
    throw new PawlError(
      'configuration',
      `The file that ${variable}_FILE names cannot be read (${error.code ?? error.name}).`,
    );
  });
  if (value === '') throw new PawlError('configuration', `The file that ${variable}_FILE names is empty.`);
  return value;
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES);
    return buffer.subarray(0, bytesRead).toString('utf8').trim();
  } finally {
    await file.close();
  }
}
