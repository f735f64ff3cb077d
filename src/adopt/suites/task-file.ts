/** `task.yml` of GPU MODE's reference-kernels: which files a task has, and the parameter sets it is tested with. */
import { dirname, join } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

import { PawlError } from '../../model/pawl-error.ts';

const valueSchema = z.union([z.number(), z.boolean(), z.string(), z.array(z.number())]);
export type ParameterValue = z.infer<typeof valueSchema>;
const setSchema = z.record(z.string(), valueSchema);
export type ParameterSet = z.infer<typeof setSchema>;

const taskSchema = z.object({
  files: z.array(z.object({ name: z.string(), source: z.string() })),
  multi_gpu: z.boolean().optional(),
  tests: z.array(setSchema).min(1),
  benchmarks: z.array(setSchema).nullish(),
});

export interface TaskFile {
  /** Python modules by the names that the task's files import them by. */
  readonly modules: Readonly<Record<string, string>>;
  /** By the names that cases get. */
  readonly sets: Readonly<Record<string, ParameterSet>>;
}

const SUBMISSION = '@SUBMISSION@';

/**
 * @param file its path: sources are relative to it
 * @throws {PawlError} where it is another file, or needs more than one GPU
 */
export function parseTask(text: string, file: string): TaskFile {
  const read = taskSchema.safeParse(parsed(text, file));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new PawlError(
      'bad-data',
      `${file} is not a task of GPU MODE: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`,
      'Such a task has `files` and `tests`.',
    );
  }
  const { files, multi_gpu, tests, benchmarks } = read.data;
  if (multi_gpu === true) {
    throw new PawlError('bad-data', `${file} is a task for several GPUs; Pawl measures on one.`);
  }
  const modules = files
    .filter(({ name, source }) => name.endsWith('.py') && source !== SUBMISSION)
    .map(({ name, source }) => [name.slice(0, -'.py'.length), join(dirname(file), source)] as const);
  const named = (name: string, sets: readonly ParameterSet[]) =>
    sets.map((set, at) => [`${name}_${at + 1}`, withoutSeed(set)] as const);
  const sets = [...named('test', tests), ...named('benchmark', benchmarks ?? [])];
  return { modules: Object.fromEntries(modules), sets: Object.fromEntries(different(sets)) };
}

function parsed(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new PawlError(
      'bad-data',
      `${file} is not YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`,
    );
  }
}

/** Pawl has seeds of its own, new ones every time. */
function withoutSeed(set: ParameterSet): ParameterSet {
  return Object.fromEntries(Object.entries(set).filter(([name]) => name !== 'seed'));
}

/** Sets that differ in their seed only are one case. */
function different(sets: readonly (readonly [string, ParameterSet])[]): (readonly [string, ParameterSet])[] {
  const seen = new Set<string>();
  return sets.filter(([, set]) => {
    const key = JSON.stringify(Object.entries(set).toSorted(([a], [b]) => a.localeCompare(b)));
    return !seen.has(key) && seen.add(key);
  });
}
