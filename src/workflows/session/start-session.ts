import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { defined } from '../../model/defined.ts';
import { loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { UNKNOWN_DEVICE } from '../../learn/advice/likeness.ts';
import { predictSession } from '../../learn/advice/predict-session.ts';
import { openGate } from '../../learn/gates/evaluate-gate.ts';
import { matchLessons } from '../../learn/lessons/match-lessons.ts';
import { readLessons } from '../../learn/lessons/read-lessons.ts';
import { loadMethod } from '../../learn/method/load-method.ts';
import { foldSession } from '../../learn/session/fold-session.ts';
import { parseGoal } from '../../learn/session/parse-goal.ts';
import { createJournal } from '../../learn/session/session-journal.ts';
import { warnOfTries } from '../../learn/session/warn-of-tries.ts';
import type { Warning } from '../../model/learn/lesson.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { StartedRecord } from '../../model/learn/session-record.ts';
import type { Session } from '../../model/learn/session.ts';
import { timeStamp } from '../../model/text/time-stamp.ts';
import { findAuthor } from '../../ratchet/author.ts';
import { recordSession } from '../../history/store/record-run.ts';
import { namedReference } from '../../learn/session/default-reference.ts';
import { deviceName } from '../../learn/session/device-name.ts';
import { earlierSessions } from '../../learn/session/earlier-sessions.ts';
import { kernelSources } from '../../learn/session/kernel-sources.ts';
import { sessionsFolder } from '../../learn/session/session-folders.ts';
import type { Working } from '../../learn/session/session-options.ts';
import { sessionSubject, type Subject } from '../../learn/session/session-subject.ts';
import { openSnapshots, stateRef } from '../../learn/session/session-states.ts';
import { settleGoal } from './settle-goal.ts';
import type { Snapshots } from '../../learn/session/snapshots.ts';
import { runContext } from '../../os/run-context.ts';

export interface StartOptions extends Working {
  readonly config?: string;
  readonly goal: string;
  readonly kernel?: string;
  readonly case?: string;
  /** Another kernel of the problem, or a commit. Default: the files as they are. */
  readonly reference?: string;
  readonly by?: string;
}

/**
 * Starts a session on one kernel: stores the goal and the state of the files, predicts time and speed-up, and returns
 * warnings from lessons and earlier sessions.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is wrong, or the project is not in a git repository; `usage`
 * if the goal, kernel, case or reference is not valid
 * @example
 * ```ts
 * import { endSession, startSession, tryChange } from 'pawl';
 *
 * await startSession({ kernel: 'softmax-cpu', goal: '1.2x on small' });
 * // Edit the kernel, or set its tunables, and say what you expect.
 * const tried = await tryChange({ hypothesis: 'Larger blocks', predict: 10, set: { BLOCK: 1024 } });
 * // A flag, such as no profile before the change, stops a try unless `anyway` gives a reason.
 * console.log(tried.measured ? tried.try.outcome : tried.try.flags);
 * const { outcome } = await endSession({});
 * console.log(outcome?.summary);
 * ```
 */
export async function startSession(options: StartOptions): Promise<Session> {
  const { now } = runContext(options);
  const loaded = await loadConfig(options.config);
  const parsed = parseGoal(options.goal);
  const subject = sessionSubject(loaded, {
    kernel: options.kernel,
    case: parsed.case ?? options.case,
    reference: options.reference,
  });
  const method = await loadMethod(loaded);
  const snapshots = await openSnapshots(loaded, options.signal);
  const sessions = await earlierSessions(loaded, options.onProgress);
  noteOpen(sessions, subject, options);
  const device = await deviceName(subject.device);
  const named = await referenceAsked(loaded, snapshots, subject, options.reference);
  const settled = await settleGoal(parsed, { loaded, ...subject, reference: named ?? {} }, options);
  const goal = { text: options.goal, speedup: settled.speedup, case: subject.case };
  const place = { kind: subject.kind, device: device ?? UNKNOWN_DEVICE };
  const prediction = predictSession({ sessions, method, ...place, goal });
  const by = options.by ?? (await findAuthor(loaded.root, options.env));
  const state = await snapshots.take(`Pawl session: ${subject.kernel} before ${options.goal}`);
  const config = await configPlace(snapshots, loaded);
  if ((await snapshots.text(state, config)) === '') throw ignoredConfig(config);
  const started: Omit<StartedRecord, 'id'> = {
    type: 'started',
    at: now().toISOString(),
    goal,
    kernel: subject.kernel,
    kind: subject.kind,
    reference: named ?? { commit: state },
    ...defined({ device }),
    by,
    prediction,
    warnings: [
      ...(await lessonWarnings(loaded, subject, device, now())),
      ...warnOfTries(sessions, { ...subject, device }, now()),
    ],
    gates: method.gates.map((gate) => {
      const { phase, title } = openGate(gate);
      return { gate: gate.id, phase, title };
    }),
    phases: method.phases.map(({ id, title, budget_min }) => ({
      phase: id,
      title,
      budget_s: 60 * budget_min,
    })),
    state,
    ...defined({ cost: settled.cost }),
  };
  for (let turn = 1; ; turn++) {
    const id = nameOf(now(), subject.kernel, turn);
    // The state first: a session without it could not go on.
    await snapshots.keep(stateRef(id, '0'), state);
    if (named?.commit !== undefined) await snapshots.keep(stateRef(id, 'reference'), named.commit);
    const record: StartedRecord = { ...started, id };
    if (!createJournal(join(sessionsFolder(loaded.root), id), record)) continue;
    const session = foldSession([record]);
    await recordSession(session, options);
    return session;
  }
}

/** The kernel or the commit that was named; a commit is kept, for its branch may move on. */
async function referenceAsked(
  loaded: LoadedConfig,
  snapshots: Snapshots,
  subject: Subject,
  named: string | undefined,
): Promise<Session['reference'] | undefined> {
  if (named === undefined) return undefined;
  const reference = await namedReference(loaded, subject, named);
  if (reference.commit === undefined) return reference;
  const config = await configPlace(snapshots, loaded);
  if ((await snapshots.text(reference.commit, config)) !== '') return { ...reference, revision: named };
  throw new PawlError(
    'usage',
    `${named} has no ${config}, so it cannot be built and measured.`,
    'Give a later commit, or another kernel of the problem.',
  );
}

/** In the repository. */
async function configPlace({ top }: Snapshots, { path }: LoadedConfig): Promise<string> {
  return relative(top, await realpath(path));
}

/** States are checked out to be measured: what git ignores is not in them. */
function ignoredConfig(place: string): PawlError {
  return new PawlError(
    'configuration',
    `git ignores ${place}, so states of the project cannot be rebuilt.`,
    'Remove it from .gitignore; the same holds for the sources of kernels.',
  );
}

/** Somebody may have forgotten that one is open; two at a time are allowed. */
function noteOpen(sessions: readonly Session[], { kernel }: Subject, { onProgress }: Working): void {
  const open = sessions.findLast((one) => one.kernel === kernel && one.state !== 'ended');
  if (open === undefined) return;
  const text = `session ${open.id} on ${kernel} is still open: pawl session end --session ${open.id}`;
  onProgress?.({ type: 'note', level: 'warning', text });
}

/** Sorts by time; a second one in the same second gets a number. */
function nameOf(at: Date, kernel: string, turn: number): string {
  const name = kernel.replaceAll(/[^\w-]+/g, '-').slice(0, 60);
  return `${timeStamp(at)}-${name}${turn === 1 ? '' : `-${turn}`}`;
}

/** What lessons say of the kernel as it is, before anything is known of it but its code. */
async function lessonWarnings(
  loaded: LoadedConfig,
  { kernel, kind }: Subject,
  device: string | undefined,
  now: Date,
): Promise<Warning[]> {
  return matchLessons({
    lessons: await readLessons(loaded),
    sources: await kernelSources(loaded, kernel),
    kind,
    device,
    language: loaded.config.kernels[kernel]?.language,
    hardware: loaded.config.kernels[kernel]?.device,
    now,
  });
}
