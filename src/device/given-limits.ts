import { readFile } from 'node:fs/promises';

import { parse } from 'yaml';

import { didYouMean } from '../config/did-you-mean.ts';
import { DEVICE_LIMIT_NAMES, type DeviceLimits } from '../model/device-limits.ts';
import { PawlError } from '../model/pawl-error.ts';
import { deviceLimits } from './device-limits.ts';
import { knownGpu } from './known-gpus.ts';

/**
 * Limits of a device that is not at hand: a GPU by name (`H200`), or a YAML or JSON file that maps limits to numbers,
 * and may begin with those of a GPU (`gpu: H200`).
 *
 * @throws {PawlError} of kind `usage` for what is neither, of kind `bad-data` for a file with something else in it
 */
export async function givenLimits(given: string): Promise<DeviceLimits> {
  if (!/\.(?:ya?ml|json)$/i.test(given)) return deviceLimits(knownGpu(given));
  const entries = Object.entries(mapping(given, await readText(given)));
  const limits: Record<string, number> = {};
  for (const [name, value] of entries) {
    if (name === 'gpu' && typeof value === 'string') Object.assign(limits, deviceLimits(knownGpu(value)));
  }
  for (const [name, value] of entries) {
    if (name === 'gpu') continue;
    if (!(DEVICE_LIMIT_NAMES as readonly string[]).includes(name)) {
      throw unfit(
        given,
        `no limit is called ${JSON.stringify(name.slice(0, 80))}${didYouMean(name, DEVICE_LIMIT_NAMES)}`,
      );
    }
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
      throw unfit(given, `${name} is not a number from 0 on`);
    }
    limits[name] = value;
  }
  return limits;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : String(error);
    throw new PawlError(
      'usage',
      `The limits ${path}: ${reason}.`,
      'Give the name of a GPU, or a file of limits.',
    );
  }
}

function mapping(path: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw unfit(path, error instanceof Error ? error.message.split('\n', 1)[0]! : String(error));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unfit(path, 'not a mapping');
  return { ...value };
}

function unfit(path: string, reason: string): PawlError {
  return new PawlError(
    'bad-data',
    `The limits ${path}: ${reason}.`,
    `It maps limits to numbers; there are ${DEVICE_LIMIT_NAMES.join(', ')}.`,
  );
}
