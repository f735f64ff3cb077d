import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import type { Draft } from '../adopt/draft.ts';
import type { BenchOverrides } from '../rig/bench-settings.ts';
import { defined } from '../model/defined.ts';
import { ADOPT_SCHEMA, type AdoptReport, type Missing } from '../model/reports/adopt-report.ts';
import { runContext, type RunContext } from '../os/run-context.ts';
import { filesOf, refuseMissing, writeDraft } from '../adopt/project/draft-files.ts';
import { draftOf, type Told } from '../adopt/project/draft-of.ts';
import { fileToAdopt } from '../adopt/project/file-to-adopt.ts';
import { seeingDraft } from '../adopt/project/seeing-draft.ts';
import { refuseToOverwrite } from '../adopt/project/refuse-to-overwrite.ts';
import { ignoreResults, write } from '../scaffold/project-folder.ts';
import { schemaPath } from '../scaffold/schema-path.ts';
import { bench, type BenchOutcome } from './runs/bench.ts';

/** Which file to adopt, what it does not say itself, and where the project goes. */
export interface AdoptOptions extends Told, BenchOverrides, Partial<RunContext> {
  /** A file, or a folder that has one file that can be adopted. */
  readonly path: string;
  /** The project's folder; default: that of the file. */
  readonly out?: string;
  /** Overwrite existing files. */
  readonly force?: boolean;
  /** Write nothing. */
  readonly dryRun?: boolean;
  /** Measure at once, in a temporary folder that is removed. */
  readonly run?: boolean;
  /** With `run`: these cases only. */
  readonly cases?: readonly string[];
  /** With `run`: these kernels only. Default: all of them. */
  readonly only?: readonly string[];
  /** With `run`: measure kernels whose results are right. Default true. */
  readonly timed?: boolean;
  /** With `run`: as for `bench`. */
  readonly gpu?: number;
  readonly wait_s?: number;
  readonly clocks?: 'as-is' | 'lock';
  /** Asks the user for a missing shape; undefined leaves it open. */
  readonly ask?: (missing: Missing, dims: readonly string[]) => Promise<string | undefined>;
}

/**
 * Makes a project of a file that was not written for Pawl. With `run` it measures the file at once and keeps no
 * project. Shapes that are still unknown are in `missing`.
 *
 * @throws {PawlError} of kind `usage` if the path or an option is wrong, or a file would be overwritten without
 * `force`; `bad-data` if the file cannot be adopted, or if `run` needs a shape that is not known
 * @example
 * ```ts
 * import { adopt } from 'pawl';
 *
 * const asked = { path: 'scale.cpp', shapes: { x: 'n', y: 'n' }, sizes: { n: 4096 } };
 * const { missing, files } = await adopt({ ...asked, dryRun: true });
 * if (missing.length === 0) await adopt({ ...asked, out: 'scale' });
 * for (const { path } of files) console.log(path);
 * ```
 */
export async function adopt(options: AdoptOptions): Promise<AdoptReport> {
  const file = await fileToAdopt(options.path);
  if (options.run === true) return runOnce(file, options);
  const out = resolve(options.out ?? dirname(file));
  const draft = await completeDraft(file, out, options);
  const files = filesOf(draft, file, schemaPath(out));
  if (options.dryRun === true) {
    const shown = files.map(({ path, text }) => ({ path, state: 'shown' as const, text }));
    return { ...reportOf(draft, file), out, files: shown };
  }
  const isSame = await refuseToOverwrite(out, files, options.force === true);
  for (const { path, text } of files) if (!isSame.has(path)) await write(join(out, path), text);
  const isIgnoreWritten = await ignoreResults(out);
  const written = files.map(({ path }) => ({
    path,
    state: isSame.has(path) ? ('same' as const) : ('written' as const),
  }));
  return {
    ...reportOf(draft, file),
    out,
    files: [...written, { path: '.gitignore', state: isIgnoreWritten ? 'written' : 'same' }],
  };
}

/**
 * In a folder of its own, with the file where it is. Where the tolerance of a suite turns out to be blind, it runs once
 * more with one that sees.
 */
async function runOnce(file: string, options: AdoptOptions): Promise<AdoptReport> {
  const draft = await completeDraft(file, undefined, options);
  refuseMissing(draft);
  const first = await runDraft(draft, file, options);
  const seeing = seeingDraft(draft, first.samples.measurements);
  const [chosen, outcome] =
    seeing === undefined ? [draft, first] : [seeing, await runDraft(seeing, file, options)];
  return { ...reportOf(chosen, file), files: [], run: { result: outcome.result, report: outcome.report } };
}

async function runDraft(draft: Draft, file: string, options: AdoptOptions): Promise<BenchOutcome> {
  const context = runContext(options);
  const folder = await mkdtemp(join(tmpdir(), 'pawl-adopt-'));
  try {
    await writeDraft(draft, file, folder);
    const { processes, samples, timeout_s, gpu, wait_s, clocks } = options;
    const measuring = defined({ processes, samples, timeout_s, gpu, wait_s, clocks });
    return await bench({
      ...context,
      ...measuring,
      ...defined({ cases: options.cases, only: options.only, timed: options.timed }),
      config: folder,
      history: false,
      recordsCost: false,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The draft, with what a person answered. What one answer makes known is not asked for. */
async function completeDraft(file: string, out: string | undefined, options: AdoptOptions): Promise<Draft> {
  const shapes = { ...options.shapes };
  const open = new Set<string>();
  for (;;) {
    const draft = await draftOf(file, out, { ...options, shapes });
    const next = draft.missing.find(({ name }) => !open.has(name));
    if (next === undefined || options.ask === undefined) return draft;
    open.add(next.name);
    const answer = await options.ask(next, draft.dims);
    if (answer !== undefined) shapes[next.name] = answer;
  }
}

function reportOf(draft: Draft, file: string): Omit<AdoptReport, 'files'> {
  const { entrance, candidates, adopted, problem, dims, tensors, cases, assumed, missing, kernels } = draft;
  return {
    schema: ADOPT_SCHEMA,
    path: file,
    entrance,
    candidates: [...candidates],
    adopted,
    problem,
    kernels: kernels.map(({ name }) => name),
    dims: [...dims],
    tensors: tensors.map(({ name, role, dtype, shape, strides }) =>
      Object.assign(
        { name, role, dtype },
        defined({ shape: shape && [...shape], strides: strides && [...strides] }),
      ),
    ),
    cases: Object.fromEntries(Object.entries(cases).map(([name, values]) => [name, { ...values }])),
    assumed: [...assumed],
    missing: [...missing],
  };
}
