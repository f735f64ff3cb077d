import { readFile, stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';

import { mistakesError } from '../../config/mistake.ts';
import { schemaMistakes } from '../../config/schema-mistakes.ts';
import { placeMistakes, readYaml } from '../../config/yaml-file.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { wakeConfigSchema, type SecretSource, type WakeConfig } from '../../model/server/wake.ts';

export interface LoadedWakeConfig {
  readonly config: WakeConfig;
  readonly path: string;
  /** What paths in the file are relative to, and where its commands run. */
  readonly folder: string;
  /** The folder of the journal, absolute. */
  readonly state: string;
}

const MAX_BYTES = 1_000_000;

/** @throws {PawlError} of kind `configuration`, with one line for every mistake */
export async function loadWakeConfig(file: string, cwd: string = process.cwd()): Promise<LoadedWakeConfig> {
  const path = resolve(cwd, file);
  const yaml = readYaml(await readText(path));
  const label = relative(cwd, path).startsWith('..') ? path : relative(cwd, path);
  if (!yaml.usable) throw withHint(mistakesError(label, yaml.mistakes));
  const mistakes = [...yaml.mistakes, ...placeMistakes(schemaMistakes(wakeConfigSchema, yaml.value), yaml)];
  if (mistakes.length > 0) throw withHint(mistakesError(label, mistakes));
  const config = wakeConfigSchema.parse(yaml.value);
  const folder = dirname(path);
  return { config, path, folder, state: resolve(folder, config.state) };
}

function withHint({ kind, message }: PawlError): PawlError {
  return new PawlError(
    kind,
    message,
    'docs/wake.md in the Pawl repository describes every key, with recipes.',
  );
}

async function readText(path: string): Promise<string> {
  const hint = 'docs/wake.md has an example.';
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw new PawlError('configuration', `${path} is too large.`, hint);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof PawlError) throw error;
    throw new PawlError('configuration', `${path} cannot be read: ${(error as Error).message}`, hint);
  }
}

/** Shorter can be guessed from one delivery that somebody has seen. */
const SHORTEST_SECRET = 16;

/** @throws {PawlError} where it is not there, or too short to be one */
export async function readSecret(
  source: SecretSource,
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const where = 'env' in source ? `the environment variable ${source.env}` : source.file;
  const text =
    'env' in source
      ? env[source.env]
      : await readFile(resolve(folder, source.file), 'utf8').catch((error: Error) => {
          throw new PawlError('configuration', `The secret in ${where} cannot be read: ${error.message}`);
        });
  const secret = text?.replace(/\r?\n$/, '') ?? '';
  if (secret === '') throw new PawlError('configuration', `There is no secret in ${where}.`, MAKE_ONE);
  if (secret.length < SHORTEST_SECRET) {
    throw new PawlError(
      'configuration',
      `The secret in ${where} has fewer than ${SHORTEST_SECRET} characters.`,
      MAKE_ONE,
    );
  }
  return secret;
}

const MAKE_ONE = 'Create one (openssl rand -hex 32), and set it in the webhook as well.';
