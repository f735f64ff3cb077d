import { planKernel } from '../../config/plan-kernel.ts';
import { loadMethod } from '../../learn/method/load-method.ts';
import { flagsOfTry, STOPPING_FLAGS } from '../../learn/session/flags-of-try.ts';
import { ideaOf } from '../../learn/session/idea-of.ts';
import { defined } from '../../model/defined.ts';
import type { RuleId } from '../../model/profile/diagnosis-words.ts';
import type { Method } from '../../model/learn/gate.ts';
import { isPlainCommand } from '../../model/text/plain-command.ts';
import { ownHint, PawlError } from '../../model/pawl-error.ts';
import type { Session, Try } from '../../model/learn/session.ts';
import { isStopping } from '../../model/learn/session-progress.ts';
import { variantText, type Variant } from '../../model/problem/variant.ts';
import { keepState, revertState } from '../../learn/session/keep-state.ts';
import { lookAtChange } from '../../learn/session/look-at-change.ts';
import { measureTry } from './measure-try.ts';
import { runGatesAfterTry, runGatesBeforeTry } from './run-gates.ts';
import { workOnSession, type OpenSession } from '../../learn/session/open-session.ts';
import type { JudgeOptions } from '../../learn/session/session-judge.ts';
import type { SessionTarget } from '../../learn/session/session-options.ts';
import { openSnapshots, stateRef } from '../../learn/session/session-states.ts';
import type { Snapshots } from '../../learn/session/snapshots.ts';
import { warnOfErrors, warnOfTry } from '../../learn/session/warn-of-try.ts';
import { runContext } from '../../os/run-context.ts';

export interface TryOptions extends SessionTarget, JudgeOptions {
  readonly hypothesis: string;
  /** The finding that the change follows. */
  readonly rule?: RuleId;
  readonly idea?: string;
  /** The expected saving, in percent of the time. */
  readonly predict?: number;
  readonly set?: Variant;
  /** The reason to measure it in spite of its flags. */
  readonly anyway?: string;
  /** False: return the change with its flags and warnings, and measure nothing. */
  readonly measure?: boolean;
  readonly learnt?: string;
  /** Keep the change, or revert the files. Default: keep it if it improved or corrected the kernel; the files stay. */
  readonly after?: 'keep' | 'revert';
}

export interface TriedChange {
  readonly session: Session;
  readonly try: Try;
  /** False where `measure` was false, or a flag stopped it. */
  readonly measured: boolean;
}

/**
 * Measures what changed since the last state that was kept, and stores hypothesis, prediction and outcome as a try. An
 * improvement is kept. A change with a stopping flag is not measured, unless `anyway` says why.
 *
 * @throws {PawlError} of kind `usage` if no session is open or a gate stops it; `try-again` if another command works on
 * it
 */
export async function tryChange(options: TryOptions): Promise<TriedChange> {
  return workOnSession(options, 'pawl session try', async (opened) => {
    const method = await loadMethod(opened.loaded);
    const snapshots = await openSnapshots(opened.loaded, options.signal);
    const candidate = await candidateOf(opened, method, snapshots, options);
    if (options.measure === false) return { session: opened.session, try: candidate, measured: false };
    await refuseStopped(opened, method, candidate, options);
    const stopping = candidate.flags.filter((flag) => STOPPING_FLAGS.includes(flag));
    if (stopping.length > 0 && candidate.override === undefined) {
      const text = `held back (${stopping.join(', ')}): ${candidate.hypothesis}`;
      const session = await opened.add({ type: 'noted', text, held_back: stopping });
      return { session, try: candidate, measured: false };
    }
    const number = await open(opened, snapshots, candidate);
    await measure(opened, number, options);
    await settle(opened, snapshots, number, options);
    await runGatesAfterTry(opened, method, options);
    return { session: opened.session, try: tryOf(opened, number), measured: true };
  });
}

/** The try as it would be, with what changed, what is known of it, and what is to be said against it. */
async function candidateOf(
  opened: OpenSession,
  method: Method,
  snapshots: Snapshots,
  options: TryOptions,
): Promise<Try> {
  const { session, loaded } = opened;
  const { hypothesis, rule, set = {}, learnt } = options;
  const now = runContext(options).now();
  // Throws for a tunable or a value that there is not.
  planKernel(loaded, session.kernel, { variant: set });
  const head = await snapshots.take(`Pawl session ${session.id}: ${hypothesis}`);
  const { change, changes } = await lookAtChange({ loaded, kernel: session.kernel, set }, snapshots, {
    base: opened.kept,
    head,
  });
  const idea = options.idea ?? ideaOf(rule, change.variables, hypothesis);
  const pending = await pendingTry(opened, snapshots, head, set);
  const before = { ...session, tries: session.tries.filter(({ number }) => number !== pending?.number) };
  const fix = session.advice?.fixes.find((each) => each.rule === rule);
  const predicted = options.predict ?? fix?.expected_gain_pct;
  const { warnings, ...known } = await warnOfTry(
    opened,
    { change, rule, ...defined({ idea: options.idea }) },
    { now, onProgress: options.onProgress, tries: before.tries },
  );
  return {
    number: pending?.number ?? (session.tries.at(-1)?.number ?? 0) + 1,
    opened_at: pending?.opened_at ?? now.toISOString(),
    hypothesis,
    ...defined({ rule }),
    idea,
    ...defined({ predicted_change_pct: predicted, rule_gain_pct: fix?.rule_gain_pct }),
    change,
    flags: flagsOfTry({
      changes,
      rule,
      idea,
      session: before,
      warnings,
      ...known,
      triesPerIdea: method.settings['tries_per_idea'] ?? 3,
      profileGates: method.gates.filter(({ evidence }) => evidence === 'profile').map(({ id }) => id),
    }),
    warnings,
    ...defined({ override: options.anyway, learnt }),
  };
}

/** A try that was started and never measured, because its command was killed: the same files again go on with it. */
async function pendingTry(
  { session }: OpenSession,
  snapshots: Snapshots,
  head: string,
  set: Variant,
): Promise<Try | undefined> {
  const last = session.tries.at(-1);
  if (last?.outcome !== undefined || last?.change.head === undefined) return undefined;
  const isSame =
    variantText(last.change.variant ?? {}) === variantText(set) &&
    (await snapshots.isSame(last.change.head, head));
  return isSame ? last : undefined;
}

async function refuseStopped(
  opened: OpenSession,
  method: Method,
  candidate: Try,
  options: TryOptions,
): Promise<void> {
  if (opened.session.state !== 'stopped') return;
  // What stopped at an idea goes on with another.
  await runGatesBeforeTry(opened, method, candidate.idea, options);
  if (opened.session.state !== 'stopped') return;
  const gate = opened.session.gates.find(isStopping);
  const { next } = opened.session;
  const hint = `\`${next}\`, then \`pawl session check\`; or override it with a reason: \`pawl session override ${gate?.gate ?? 'GATE'} --reason "…"\``;
  throw new PawlError(
    'usage',
    `The session is stopped at the gate ${gate?.gate ?? ''}: ${gate?.reason ?? ''}`,
    isPlainCommand(next) ? ownHint(hint, next) : hint,
  );
}

/** Writes the try down before it is measured. */
async function open(opened: OpenSession, snapshots: Snapshots, candidate: Try): Promise<number> {
  const last = opened.session.tries.at(-1);
  const { number, change } = candidate;
  if (last !== undefined && last.outcome === undefined && last.number === number) return number;
  if (change.head !== undefined)
    await snapshots.keep(stateRef(opened.session.id, String(number)), change.head);
  if (last !== undefined && last.outcome === undefined) {
    await opened.add(
      { type: 'measured', number: last.number, outcome: 'failed', warnings: [] },
      { type: 'kept', number: last.number, kept: false },
      { type: 'noted', text: `try ${last.number} was started and never measured` },
    );
  }
  await opened.add({ type: 'tried', try: candidate });
  return number;
}

async function measure(opened: OpenSession, number: number, options: TryOptions): Promise<void> {
  const one = tryOf(opened, number);
  const { config, onProgress, signal, env, now, wait_s, processes, acceptJudgeChange } = options;
  const working = { config, onProgress, signal, env, now, wait_s, processes, acceptJudgeChange };
  const result = await measureTry(opened.session, one, { ...defined(working), judge: opened.judge });
  const isError = result.outcome === 'failed' || result.outcome === 'incorrect';
  await opened.add({
    type: 'measured',
    number,
    ...result,
    warnings: isError ? await warnOfErrors(opened, one, result.measured.reason, options) : [],
  });
}

/** Moves the state on, or back. */
async function settle(
  opened: OpenSession,
  snapshots: Snapshots,
  number: number,
  { after }: Pick<TryOptions, 'after'>,
): Promise<void> {
  const one = tryOf(opened, number);
  // A state that is wrong or does not build is nothing to compare the next one with.
  const isSound = one.outcome !== 'incorrect' && one.outcome !== 'failed';
  const isKept =
    isSound &&
    (after === 'keep' ||
      (after === undefined && (one.outcome === 'improved' || one.outcome === 'corrected')));
  if (isKept) {
    await opened.add({ type: 'kept', number, kept: true, state: await keepState(opened, snapshots, one) });
    return;
  }
  await opened.add({ type: 'kept', number, kept: false });
  if (after === 'revert') await revertState(opened, snapshots, one);
}

function tryOf({ session }: OpenSession, number: number): Try {
  const one = session.tries.find((each) => each.number === number);
  if (one === undefined) throw new Error(`there is no try ${number}`);
  return one;
}
