import type { z } from 'zod';

import { validateFiles, kernelFiles, problemFiles } from './validate-files.ts';
import { validateFuzz } from './validate-fuzz.ts';
import { validateKernel } from './validate-kernel.ts';
import { validateFormulas, validateProblem } from './validate-problem.ts';
import { didYouMean } from '../model/text/did-you-mean.ts';
import { kernelCases } from './kernel-cases.ts';
import { kernelSchema, type Kernel } from './kernel-schema.ts';
import { showValue } from './mistake.ts';
import type { AddMistake, Mistake } from './mistake.ts';
import { problemSchema, type Problem } from './problem-schema.ts';
import { withRecordings } from './with-recordings.ts';
import { schemaMistakes } from './schema-mistakes.ts';
import { configSchema } from './schema.ts';
import { soundParts } from './sound-parts.ts';
import type { SoundParts } from './sound-parts.ts';

/**
 * Every mistake in the value of a pawl.yaml. What fits its schema is also checked for what a schema cannot
 * see, whatever is wrong elsewhere: one run reports everything that is wrong.
 */
export async function validateConfig(value: unknown, root: string): Promise<Mistake[]> {
  const mistakes: Mistake[] = schemaMistakes(configSchema, value);
  const add: AddMistake = (path, message, details) => mistakes.push({ path, message, ...details });
  const file = mapping(value);
  const written = mapping(file['problems']);
  const problems = soundEntries(written, problemSchema);
  const kernels = soundEntries(mapping(file['kernels']), kernelSchema);

  for (const [name, entry] of problems) {
    const value = await withRecordings(entry.value, root, ['problems', name], add);
    problems.set(name, { ...entry, value });
  }
  for (const [name, { value: problem }] of problems) {
    validateProblem(problem, ['problems', name], add);
    if (!validateFormulas(problem, [], () => {})) continue;
    validateFuzz(problem.fuzz, problem, undefined, ['problems', name, 'fuzz'], add);
  }
  validateProblemNames(mapping(file['kernels']), Object.keys(written), add);
  for (const [name, kernel] of kernels) {
    const problem = problems.get(kernel.value.problem);
    const isSound = problem?.uncertain.size === 0 && validateFormulas(problem.value, [], () => {});
    validateKernel(kernel, isSound ? problem.value : undefined, ['kernels', name], add);
  }
  validateCaseThresholds(file, kernels, problems, add);
  await validateFiles(
    [
      ...[...problems].flatMap(([name, entry]) => problemFiles(entry.value, ['problems', name])),
      ...[...kernels].flatMap(([name, entry]) => kernelFiles(entry.value, ['kernels', name])),
    ],
    root,
    add,
  );
  return mistakes;
}

/** Also in kernels that fit their schema in nothing else. */
function validateProblemNames(kernels: Mapping, problems: readonly string[], add: AddMistake): void {
  for (const [name, kernel] of Object.entries(kernels)) {
    const wanted = mapping(kernel)['problem'];
    if (typeof wanted !== 'string' || problems.includes(wanted)) continue;
    const suggestion = didYouMean(wanted, problems) || `; there are ${problems.join(', ') || 'none'}`;
    add(['kernels', name, 'problem'], `no problem is called ${showValue(wanted)}${suggestion}`);
  }
}

/** A threshold of a case that there is not would never be used. Kernels with mistakes in them are not asked. */
function validateCaseThresholds(
  file: Mapping,
  kernels: ReadonlyMap<string, SoundParts<Kernel>>,
  problems: ReadonlyMap<string, SoundParts<Problem>>,
  add: AddMistake,
): void {
  const isSound = Object.keys(mapping(file['kernels'])).every((name) => kernels.has(name));
  const names: string[] = [];
  for (const [name, { value }] of kernels) {
    const problem = problems.get(value.problem);
    if (problem === undefined || !isSound) return;
    names.push(...[...kernelCases(value, problem.value).keys()].map((each) => `${name}/${each}`));
  }
  for (const wanted of Object.keys(mapping(mapping(file['thresholds'])['cases']))) {
    if (names.includes(wanted)) continue;
    const suggestion = didYouMean(wanted, names) || '; write KERNEL/CASE';
    add(['thresholds', 'cases', wanted], `there is no case ${showValue(wanted)}${suggestion}`);
  }
}

type Mapping = Readonly<Record<string, unknown>>;

/** The value as a mapping; an empty one where it is something else, which the schema tells. */
function mapping(value: unknown): Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function soundEntries<Schema extends z.ZodObject>(
  section: Mapping,
  schema: Schema,
): Map<string, SoundParts<z.output<Schema>>> {
  const entries = new Map<string, SoundParts<z.output<Schema>>>();
  for (const [name, entry] of Object.entries(section)) {
    const sound = soundParts(schema, entry);
    if (sound !== undefined) entries.set(name, sound);
  }
  return entries;
}
