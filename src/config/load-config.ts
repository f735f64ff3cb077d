import { dirname } from 'node:path';

import { validateConfig } from './validate-config.ts';
import { configFile, configLabel, readConfigText } from './find-config.ts';
import { mistakesError } from './mistake.ts';
import type { CaseDims, Problem } from './problem-schema.ts';
import { withRecordings } from './with-recordings.ts';
import { configSchema } from './schema.ts';
import type { Config } from './schema.ts';
import { placeMistakes, readYaml } from './yaml-file.ts';

/** Whose word counts on what is right, where it is not this project's own (see under-judge.ts). */
interface ForeignJudge {
  /** The project whose oracles these are. */
  readonly root: string;
  readonly kernels: ReadonlyMap<string, JudgedKernel>;
}

export interface JudgedKernel {
  /** Where the oracle's headers are looked for, absolute; absent where the oracle is the project's own. */
  readonly includeDirs?: readonly string[];
  readonly cases: ReadonlyMap<string, CaseDims>;
  /** What a case is called here, by what it is called in the project. */
  readonly renamed: ReadonlyMap<string, string>;
}

export interface LoadedConfig {
  readonly config: Config;
  /** The file, absolute. */
  readonly path: string;
  /** The folder of the file, absolute: what paths in it are relative to. */
  readonly root: string;
  readonly judge?: ForeignJudge;
}

/**
 * Reads and checks pawl.yaml.
 *
 * @param path the file, or the folder it is in; by default the nearest one at or above `cwd`
 * @throws {PawlError} of kind `configuration`, with one line for every mistake
 */
export async function loadConfig(path?: string, cwd: string = process.cwd()): Promise<LoadedConfig> {
  const file = await configFile(path, cwd);
  const root = dirname(file);
  const label = configLabel(file, cwd);
  const yaml = readYaml(await readConfigText(file, label));
  if (!yaml.usable) throw mistakesError(label, yaml.mistakes);
  if (yaml.value === null || typeof yaml.value !== 'object' || Array.isArray(yaml.value)) {
    const found = yaml.value === null ? 'the file is empty' : 'the file is not a mapping';
    const text = `${found}; expected \`version: 1\`, \`problems\` and \`kernels\``;
    throw mistakesError(label, [{ ...yaml.locate([], 'value', 0), text }]);
  }
  const mistakes = [...yaml.mistakes, ...placeMistakes(await validateConfig(yaml.value, root), yaml)];
  if (mistakes.length > 0) throw mistakesError(label, mistakes);
  return { config: await withAllRecordings(configSchema.parse(yaml.value), root), path: file, root };
}

/** The files were read when the file was checked, and hold what they should. */
async function withAllRecordings(config: Config, root: string): Promise<Config> {
  const problems = await Promise.all(
    Object.entries(config.problems).map(async ([name, problem]): Promise<[string, Problem]> => [
      name,
      await withRecordings(problem, root, [], () => undefined),
    ]),
  );
  return { ...config, problems: Object.fromEntries(problems) };
}
