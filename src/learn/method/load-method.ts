import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { packageRoot } from '../../build/package-root.ts';
import { didYouMean } from '../../model/text/did-you-mean.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { mistakesError, type Mistake } from '../../config/mistake.ts';
import { schemaMistakes } from '../../config/schema-mistakes.ts';
import { placeMistakes, readYaml } from '../../config/yaml-file.ts';
import { methodSchema, type Method } from '../../model/learn/gate.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { validateGates } from './validate-method.ts';
import { mergeMethod, type MethodPart } from './merge-method.ts';

const partSchema = methodSchema.partial({ settings: true, phases: true, gates: true });

const HINT = 'docs/method.md in the Pawl repository describes gates, their facts and settings.';

/**
 * Pawl's own gates with what the project adds: the file that `method.gates` of pawl.yaml names, and `method.settings`.
 *
 * @throws {PawlError} of kind `configuration`, with one line for every mistake, that names file and gate
 */
export async function loadMethod(config: LoadedConfig | undefined): Promise<Method> {
  const own = methodSchema.parse(await readPart(join(packageRoot(), 'method', 'gates.yaml'), {}));
  const { gates, settings = {} } = config?.config.method ?? {};
  const part =
    config === undefined || gates === undefined
      ? {}
      : await readPart(resolve(config.root, gates), own.settings, gates);
  const method = mergeMethod(own, part);
  for (const name of Object.keys(settings)) {
    if (Object.hasOwn(method.settings, name)) continue;
    const known = Object.keys(method.settings);
    throw new PawlError(
      'configuration',
      `${config?.path ?? 'pawl.yaml'}: method.settings: no setting is called ${name}${didYouMean(name, known)}.`,
      `There are ${known.join(', ')}.`,
    );
  }
  return { ...method, settings: { ...method.settings, ...settings } };
}

async function readPart(
  path: string,
  settings: Method['settings'],
  label: string = path,
): Promise<MethodPart> {
  const yaml = readYaml(await readText(path, label));
  if (!yaml.usable) throw refused(label, yaml.mistakes);
  const place = (mistakes: readonly Mistake[]) => [...yaml.mistakes, ...placeMistakes(mistakes, yaml)];
  const unfit = place(schemaMistakes(partSchema, yaml.value));
  if (unfit.length > 0) throw refused(label, unfit);
  const part = partSchema.parse(yaml.value);
  const wrong = place(validateGates(part.gates ?? [], Object.keys({ ...settings, ...part.settings })));
  if (wrong.length > 0) throw refused(label, wrong);
  return part as MethodPart;
}

function refused(label: string, mistakes: Parameters<typeof mistakesError>[1]): PawlError {
  return new PawlError('configuration', mistakesError(label, mistakes).message, HINT);
}

async function readText(path: string, label: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new PawlError(
      'configuration',
      `method.gates: ${label}: ${why}.`,
      'Paths are relative to the folder of pawl.yaml.',
    );
  }
}
