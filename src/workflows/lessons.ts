/** `pawl lessons match`, `add` and `withdraw`: known problems and their fixes. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import type { LoadedConfig } from '../config/load-config.ts';
import { pick } from '../config/plan-kernel.ts';
import { listGpus } from '../device/gpus.ts';
import { cpuModel } from '../device/host.ts';
import { variablesOfDiff } from '../learn/lessons/diff-variables.ts';
import { matchLessons, type SourceText } from '../learn/lessons/match-lessons.ts';
import { parseLessons } from '../learn/lessons/parse-lessons.ts';
import { readLessons, readLessonsText } from '../learn/lessons/read-lessons.ts';
import { addLesson, withdrawLesson, type WrittenLesson } from '../learn/lessons/write-lesson.ts';
import type { RuleId } from '../model/profile/diagnosis-words.ts';
import type { Fact } from '../model/learn/gate.ts';
import type { Lesson, Warning } from '../model/learn/lesson.ts';
import { PawlError } from '../model/pawl-error.ts';
import { optionalProject } from '../config/try-project.ts';
import { unknownLesson } from './lessons/unknown-lesson.ts';
import { openProject } from './project.ts';
import { runContext } from '../os/run-context.ts';

/** A change, a failure or findings to match lessons with. */
export interface MatchOptions {
  readonly config?: string;
  /** A unified diff. */
  readonly diff?: string;
  /** A kernel of pawl.yaml. Its kind, language, device and sources are used where none are given. */
  readonly kernel?: string;
  readonly kind?: string;
  readonly language?: string;
  readonly device?: string;
  readonly rules?: readonly RuleId[];
  readonly facts?: Readonly<Record<string, Fact>>;
  /** The messages of failed builds and runs. */
  readonly errors?: readonly string[];
  readonly now?: () => Date;
}

/**
 * Returns the lessons that apply to a change, a failure or a finding, as warnings.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is wrong; `usage` if it has no such kernel
 */
export async function matchKnownLessons(options: MatchOptions): Promise<{ readonly warnings: Warning[] }> {
  const project =
    options.kernel === undefined ? await optionalProject(options.config) : await openProject(options.config);
  const kernel =
    project === undefined || options.kernel === undefined
      ? undefined
      : await kernelFacts(project, options.kernel);
  const { diff, rules, facts, errors } = options;
  const warnings = matchLessons({
    lessons: await readLessons(project),
    change: diff,
    variables: diff === undefined ? [] : variablesOfDiff(diff),
    rules,
    facts,
    errors,
    sources: kernel?.sources,
    kind: options.kind ?? kernel?.kind,
    language: options.language ?? kernel?.language,
    hardware: kernel?.hardware,
    device: options.device ?? kernel?.device,
    now: runContext(options).now(),
  });
  return { warnings };
}

/**
 * Adds the lessons of a file to the project's. A lesson that the project has already gets the new evidence.
 *
 * @throws {PawlError} of kind `usage` if the file does not exist; `bad-data` if it is not a file of lessons
 */
export async function addLessonsFrom(options: {
  readonly config?: string;
  readonly file: string;
}): Promise<{ readonly written: WrittenLesson[] }> {
  const project = await openProject(options.config);
  const text = await readLessonsText(options.file);
  if (text === undefined) throw new PawlError('usage', `There is no ${options.file}.`);
  const written: WrittenLesson[] = [];
  for (const lesson of parseLessons(text, options.file)) written.push(await addLesson(project, lesson));
  return { written };
}

/**
 * Withdraws a lesson, with a reason. It stays in the file and is no longer matched.
 *
 * @throws {PawlError} of kind `usage` if there is no such lesson, or no reason is given
 */
export async function withdrawKnownLesson(options: {
  readonly config?: string;
  readonly id: string;
  readonly reason: string;
}): Promise<{ readonly lesson: Lesson; readonly file: string }> {
  const project = await openProject(options.config);
  const lessons = await readLessons(project);
  if (!lessons.some(({ id }) => id === options.id)) throw unknownLesson(options.id, lessons);
  const { lesson, file } = await withdrawLesson(project, options.id, options.reason);
  return { lesson, file: relative(process.cwd(), file) };
}

/** Larger than any source that people write. */
const MAX_SOURCE_BYTES = 2_000_000;

async function kernelFacts({ config, root }: LoadedConfig, name: string) {
  const kernel = pick(config.kernels, name, 'kernel');
  const sources: SourceText[] = [];
  for (const file of kernel.sources ?? (kernel.module === undefined ? [] : [kernel.module])) {
    const text = await readFile(join(root, file), 'utf8');
    if (text.length <= MAX_SOURCE_BYTES) sources.push({ file, text });
  }
  const device = kernel.device === 'cuda' ? await gpuName() : await cpuModel();
  return { kind: kernel.problem, language: kernel.language, hardware: kernel.device, device, sources };
}

async function gpuName(): Promise<string | undefined> {
  const gpus = await listGpus();
  return gpus.status === 'found' ? gpus.gpus[0]?.info.name : undefined;
}
