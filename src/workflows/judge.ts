import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { defined } from '../model/defined.ts';
import {
  JUDGEMENT_ERROR_SCHEMA,
  type Judgement,
  type JudgementError,
  type JudgementLine,
} from '../model/queue/judgement.ts';
import { PawlError } from '../model/pawl-error.ts';
import { Judge, MOST_TOGETHER, type BuiltCandidate } from './runs/judge.ts';
import { judgeOnce } from './runs/judge-once.ts';
import type { JudgeOptions } from './runs/judge/judge-options.ts';
import { Answered } from './judge/answered.ts';
import { builtAhead } from './judge/built-ahead.ts';
import { readyTogether } from './judge/ready-together.ts';
import { readBatch, type Submission } from './judge/read-batch.ts';

/**
 * Judges one candidate of a problem against the problem's reference, and returns the verdict and the reward. The
 * candidate is a list of paths, or texts by file name. A candidate that is wrong or does not build gets the verdict
 * `incorrect`.
 *
 * @throws {PawlError} of kind `usage` if there is no such problem; `bad-data` if the problem is wrong, or the candidate
 * has no files; `unavailable` if this machine cannot run it; `try-again` if the device is in use
 * @example
 * ```ts
 * import { judge } from 'pawl';
 *
 * const { verdict, reward, findings } = await judge('softmax', ['candidate.cpp'], { budget_s: 30 });
 * console.log(verdict, reward, findings);
 * ```
 */
export const judge = judgeOnce;

/** How to judge a batch, and who gets the answers. */
export interface JudgeBatchOptions extends JudgeOptions {
  /** Receives each answer as soon as it is ready. */
  readonly onAnswer: (line: JudgementLine) => void;
  /** A file of answers. Candidates that it has are not judged again, and new answers are added. */
  readonly out?: string;
  /** The stream that the batch `-` is read from. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

/** How many candidates were judged, failed with an error, or had an answer from an earlier run. */
export interface BatchOutcome {
  readonly judged: number;
  readonly errors: number;
  /** Answered by an earlier run. */
  readonly known: number;
}

/**
 * Judges the candidates of a batch and calls `onAnswer` for each, in the order of completion. Candidates are built in
 * parallel while others are measured; those that are ready are measured together, beside one reference. The same
 * sources are judged once. A candidate that cannot be judged gets an error line.
 *
 * @param batch a file of JSON lines, `-` for standard input, or a folder in which each file and each folder is a
 * candidate
 * @throws {PawlError} as `judge` does if the problem is wrong; `try-again` if it was interrupted; with `out`, the same
 * call continues
 * @example
 * ```ts
 * import { judgeBatch } from 'pawl';
 *
 * const { judged, errors } = await judgeBatch('softmax', 'candidates.jsonl', {
 *   out: 'judgements.jsonl',
 *   onAnswer: (line) => console.log(line.id, 'error' in line ? line.error.message : line.reward),
 * });
 * console.log(judged, errors);
 * ```
 */
export async function judgeBatch(
  problem: string,
  batch: string,
  options: JudgeBatchOptions,
): Promise<BatchOutcome> {
  const { onAnswer, out, stdin = process.stdin, signal } = options;
  const answered = new Answered(out);
  const scratch = await mkdtemp(join(tmpdir(), 'pawl-batch-'));
  const count = { judged: 0, errors: 0, known: 0 };
  const tell = (line: JudgementLine): void => {
    count[line.schema === JUDGEMENT_ERROR_SCHEMA ? 'errors' : 'judged'] += 1;
    answered.add(line);
    onAnswer(line);
  };
  let open: Judge | undefined;
  try {
    const warm = (open = await Judge.open(problem, options));
    const first = new Map<string, First>();
    const prepare = (one: Submission): Promise<Prepared> => prepared(one, warm, answered, first);
    const submissions = readBatch(batch, stdin, scratch);
    const ahead = { parallel: parallelBuilds(warm), waiting: 2 * MOST_TOGETHER };
    const built = builtAhead(submissions, prepare, ahead);
    for await (const group of readyTogether(built, MOST_TOGETHER)) {
      if (signal?.aborted === true) break;
      const toJudge: Built[] = [];
      for (const { item, result } of group) {
        if (result.status === 'rejected') tell(errorLine(item, result.reason));
        else if (result.value.state === 'known') count.known += 1;
        else if (result.value.state === 'same') result.value.as.waiting.push(item);
        else toJudge.push({ item, ...result.value });
      }
      await judgeGroup(toJudge, warm, tell);
      for (const one of first.values()) for (const line of one.answers()) tell(line);
    }
    if (signal?.aborted === true) {
      throw new PawlError(
        'try-again',
        `Interrupted after ${count.judged} judgements.`,
        out === undefined ? undefined : 'Run the same command to judge the rest.',
      );
    }
    return count;
  } finally {
    await open?.close();
    answered.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The first candidate with some sources, and the others with the same, which have its answer. */
class First {
  readonly id: string | undefined;
  readonly waiting: Submission[] = [];
  outcome: Judgement | PawlError | undefined;

  constructor(id: string | undefined) {
    this.id = id;
  }

  /** Of those that wait, each once. */
  answers(): JudgementLine[] {
    const { outcome } = this;
    if (outcome === undefined) return [];
    return this.waiting.splice(0).map((item) => this.#answerOf(item, outcome));
  }

  #answerOf(item: Submission, outcome: Judgement | PawlError): JudgementLine {
    if (outcome instanceof PawlError) return errorLine(item, outcome);
    const cost = { wall_s: 0, device_s: 0, build_s: 0 };
    return { ...outcome, ...defined({ id: item.id, same_as: this.id }), cost };
  }
}

type Prepared =
  | { readonly state: 'known' }
  | { readonly state: 'same'; readonly as: First }
  | ({ readonly state: 'built' } & Omit<Built, 'item'>);

interface Built {
  readonly item: Submission;
  readonly built: BuiltCandidate;
  readonly as: First;
}

async function prepared(
  { id, sources }: Submission,
  judge: Judge,
  answered: Answered,
  first: Map<string, First>,
): Promise<Prepared> {
  const found = await sources();
  if (answered.has(id, found.sha256)) return { state: 'known' };
  const earlier = first.get(found.sha256);
  if (earlier !== undefined) return { state: 'same', as: earlier };
  const as = new First(id);
  first.set(found.sha256, as);
  try {
    return { state: 'built', built: await judge.build(found), as };
  } catch (error) {
    if (error instanceof PawlError) as.outcome = error;
    throw error;
  }
}

async function judgeGroup(
  group: readonly Built[],
  judge: Judge,
  tell: (line: JudgementLine) => void,
): Promise<void> {
  try {
    await judge.judgeTogether(
      group.map(({ built }) => built),
      (at, judged) => {
        const { item, as } = group[at]!;
        if (judged.status === 'fulfilled') {
          as.outcome = judged.value;
          tell({ ...judged.value, ...defined({ id: item.id }) });
        } else {
          if (judged.reason instanceof PawlError) as.outcome = judged.reason;
          tell(errorLine(item, judged.reason));
        }
      },
    );
  } finally {
    for (const { built } of group) await built.remove();
  }
}

/** Anything but an expected failure is a bug and ends the batch. */
function errorLine({ id, line }: Submission, error: unknown): JudgementError {
  if (!(error instanceof PawlError)) throw error;
  const { kind, message, hint } = error;
  return {
    schema: JUDGEMENT_ERROR_SCHEMA,
    ...defined({ id }),
    line,
    error: { kind, message, ...defined({ hint }) },
  };
}

/** CPUs that are left beside the one that is measured on. */
function parallelBuilds({ device, threads }: Judge): number {
  const used = device === 'cpu' ? threads : 1;
  return Math.max(1, availableParallelism() - used);
}
