/** The queue behind `pawl judge`: who may submit, what is submitted, and the workers that judge it. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import { submissionRequestSchema, type SubmissionAnswer } from '../model/queue/queue.ts';
import type { ShiftEvent } from '../model/queue/shift-event.ts';
import type { Environment } from '../os/environment.ts';
import { runContext } from '../os/run-context.ts';
import { openQueue } from '../queue/open-queue.ts';
import type { Queue } from '../queue/queue.ts';
import { openJudging, type OpenedJudging } from './queue/open-judging.ts';
import { offerProject } from '../queue/offer-project.ts';
import { queuePlace } from '../queue/queue-place.ts';
import { Shift, type WorkerQueue } from '../queue/shift.ts';
import { MOST_TOGETHER } from './runs/judge.ts';
import type { JudgeOptions } from './runs/judge/judge-options.ts';
import { candidateSources, canonicalFiles, textsHash } from '../adopt/candidate/candidate-sources.ts';

/** Which queue is meant. */
export interface QueueOptions {
  /** A path or a `postgres://` address; default: `PAWL_QUEUE`, or the project's queue. */
  readonly queue?: string;
  readonly config?: string;
  readonly env?: Environment;
}

/** How long a worker waits for a database that went away. */
const WORKER_PATIENCE_MS = 600_000;

/**
 * Opens the queue, calls `work` with it, closes it, and returns what `work` returned.
 *
 * @throws {PawlError} of kind `unavailable` if the database does not answer; `configuration` if pawl.yaml is wrong
 */
export async function withQueue<Result>(
  options: QueueOptions,
  work: (queue: Queue) => Promise<Result>,
): Promise<Result> {
  const { queue: named, config, env = process.env } = options;
  const queue = await openQueue(await queuePlace(named, { config, env }));
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

/** A candidate, and the tenant that submits it. */
export interface SubmitOptions extends QueueOptions {
  readonly tenant: string;
  readonly problem: string;
  readonly candidate: readonly string[];
  readonly id?: string;
  readonly author?: string;
  readonly priority?: number;
  readonly fresh?: boolean;
  readonly device_class?: string;
}

/**
 * Submits one candidate for a tenant, directly into the database and without a token.
 *
 * @throws {PawlError} of kind `usage` if the submission is wrong or refused; `try-again` if the tenant has to wait;
 * `bad-data` if the candidate has no files
 */
export async function submitCandidate(options: SubmitOptions): Promise<SubmissionAnswer> {
  const { tenant, problem, candidate, id, author, priority, fresh, device_class } = options;
  const { files: paths, folder } = await candidateSources(candidate);
  const files: Record<string, string> = {};
  for (const path of paths) files[relative(folder, path)] = await readFile(path, 'utf8');
  const asked = submissionRequestSchema.safeParse({
    problem,
    files: canonicalFiles(files),
    ...defined({ id, author, priority, fresh, device_class }),
  });
  if (!asked.success) {
    const [issue] = asked.error.issues;
    throw new PawlError('usage', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a submission'}.`);
  }
  return withQueue(options, async (queue) => {
    await offerProject(queue, options.config);
    const answer = await queue.submit({ ...asked.data, tenant, sources_sha256: textsHash(asked.data.files) });
    if (answer.state === 'refused') {
      const kind = answer.wait_s === undefined ? 'usage' : 'try-again';
      throw new PawlError(kind, answer.message, answer.hint);
    }
    return (await queue.find(answer.id))!.answer;
  });
}

/** Which problems a worker judges, and how it takes candidates from the queue. */
export interface WorkOptions extends QueueOptions, JudgeOptions {
  /** Names of problems in pawl.yaml, or files that `pawl adopt` understands. */
  readonly problems: readonly string[];
  readonly worker?: string;
  readonly lease_s?: number;
  readonly ahead?: number;
  readonly idle_s?: number;
  readonly poll_ms?: number;
  /** A queue to use instead of the database, for example over HTTP. */
  readonly through?: WorkerQueue;
  readonly onEvent: (event: ShiftEvent) => void;
  /** Called when all problems are open and the worker starts to take submissions. */
  readonly onReady?: (worker: string, problems: readonly string[]) => void;
}

const LEASE_S = 60;
const POLL_MS = 500;
const MOST_AHEAD = 4;
/** Several workers may share a device, and take turns on it. */
const DEVICE_WAIT_S = 24 * 3600;

/**
 * Judges candidates from the queue until the signal is aborted, or until none came for `idle_s`. Returns how many it
 * answered.
 *
 * @throws {PawlError} of kind `usage` if no problem is named, or two have one name; `bad-data` if a problem is wrong;
 * `unavailable` if the database stays away for ten minutes
 */
export async function work(options: WorkOptions): Promise<number> {
  const { problems, onEvent, onReady, lease_s = LEASE_S, poll_ms = POLL_MS, idle_s } = options;
  if (problems.length === 0) {
    throw new PawlError('usage', 'No problem given for the worker.', 'Give --problem NAME.');
  }
  const { signal } = runContext(options);
  const { queue: named, config, env = process.env } = options;
  const own = options.through === undefined;
  const queue =
    options.through ??
    (await openQueue(await queuePlace(named, { config, env }), { patience_ms: WORKER_PATIENCE_MS }));
  const judgings: OpenedJudging[] = [];
  try {
    for (const problem of problems) {
      const opened = await openJudging(problem, { wait_s: DEVICE_WAIT_S, ...options });
      judgings.push(opened);
    }
    refuseSameNames(judgings);
    const worker = options.worker ?? `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
    const free = Math.min(...judgings.map(({ parallelBuilds }) => parallelBuilds));
    const ahead = options.ahead ?? Math.min(MOST_AHEAD, free);
    const shift = new Shift(queue, judgings, {
      worker,
      lease_s,
      ahead,
      together: MOST_TOGETHER,
      poll_ms,
      signal,
      onEvent,
      idle_s,
    });
    onReady?.(
      worker,
      judgings.map(({ offered }) => offered.problem),
    );
    return await shift.run();
  } finally {
    for (const judging of judgings) await judging.close();
    if (own) await (queue as Queue).close();
  }
}

function refuseSameNames(judgings: readonly OpenedJudging[]): void {
  const names = judgings.map(({ offered }) => offered.problem);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new PawlError('usage', `Two problems have the name ${twice}.`, 'Give each problem its own name.');
}
