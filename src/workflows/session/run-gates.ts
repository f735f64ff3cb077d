import { defined } from '../../model/defined.ts';
import { didYouMean } from '../../model/text/did-you-mean.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { underJudge } from '../../config/under-judge.ts';
import { loadMethod } from '../../learn/method/load-method.ts';
import type { RunCost } from '../../model/device/cost.ts';
import { PHASES, type Evidence, type Gate, type Method } from '../../model/learn/gate.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Session } from '../../model/learn/session.ts';
import { isGateDone, isStopping } from '../../model/learn/session-progress.ts';
import type { Ruling } from '../../ratchet/base-judge/rule-on-judge.ts';
import { adviseSession } from './advise-session.ts';
import { evaluateInOrder, type GatesInOrder } from '../../learn/session/evaluate-in-order.ts';
import { collectEvidence } from './evidence/collect-evidence.ts';
import { QuickLooks } from './evidence/quick-looks.ts';
import { workOnSession, type OpenSession } from '../../learn/session/open-session.ts';
import { withSessionJudge } from '../../learn/session/session-judge.ts';
import type { SessionTarget, Working } from '../../learn/session/session-options.ts';
import { withCost } from '../../learn/session/spent-costs.ts';

export interface GatesOptions extends SessionTarget, Working {
  /** Only these gates, whatever their state. Default: gates that are not done, except those of validation. */
  readonly gates?: readonly string[];
  /** Also run the gates of validation. */
  readonly validate?: boolean;
}

/**
 * Runs the gates of a session in order, until one stops.
 *
 * @throws {PawlError} of kind `usage` if no session is open, or a gate does not exist; `try-again` if another command
 * works on it
 */
export async function evaluateGates(options: GatesOptions): Promise<Session> {
  return workOnSession(options, 'pawl session check', async (opened) => {
    const method = await loadMethod(opened.loaded);
    await runGates(opened, method, chosenGates(opened.session, method, options), options);
    return opened.session;
  });
}

/** Gates of a phase after another come after it, in whatever order a project's file adds them. */
export function inOrder({ gates }: Method): Gate[] {
  return PHASES.flatMap((phase) => gates.filter((gate) => gate.phase === phase));
}

function chosenGates(session: Session, method: Method, { gates, validate }: GatesOptions): Gate[] {
  const all = inOrder(method);
  if (gates !== undefined && gates.length > 0) {
    for (const name of gates) if (!all.some(({ id }) => id === name)) throw unknownGate(name, all);
    return all.filter(({ id }) => gates.includes(id));
  }
  return all.filter(({ id, phase }) => {
    const state = session.gates.find(({ gate }) => gate === id);
    return (phase !== 'validate' || validate === true) && (state === undefined || !isGateDone(state));
  });
}

export function unknownGate(name: string, gates: readonly Pick<Gate, 'id'>[]): PawlError {
  const known = gates.map(({ id }) => id);
  return new PawlError(
    'usage',
    `The method has no gate ${name.slice(0, 100)}${didYouMean(name, known)}.`,
    `It has ${known.join(', ')}.`,
  );
}

/** Runs gates in order until one stops, and writes each down. */
export async function runGates(
  opened: OpenSession,
  method: Method,
  gates: readonly Gate[],
  options: Working & { readonly ruling?: Pick<Ruling, 'judge'> },
): Promise<void> {
  const { signal, ruling } = options;
  const which = { gates, afterStop: 'nothing', signal } as const;
  if (ruling !== undefined) return writeGates(opened, method, which, { ...options, judge: ruling.judge });
  await withSessionJudge(opened, options, ({ judge }) =>
    writeGates(opened, method, which, { ...options, judge }),
  );
}

/** Gates that look at the tries so far: they measure nothing, so all of them are asked again after every try. */
export async function runGatesAfterTry(opened: OpenSession, method: Method, options: Working): Promise<void> {
  await writeGates(opened, method, { gates: triesGates(method), afterStop: 'cheap' }, options);
}

/** Those of them that stopped are asked again before the next try, which may be about another idea. */
export async function runGatesBeforeTry(
  opened: OpenSession,
  method: Method,
  idea: string,
  options: Working,
): Promise<void> {
  const failed = new Set(opened.session.gates.flatMap(({ gate, state }) => (state === 'failed' ? gate : [])));
  const gates = triesGates(method).filter(({ id }) => failed.has(id));
  await writeGates(opened, method, { gates, afterStop: 'cheap' }, options, idea);
}

function triesGates(method: Method): Gate[] {
  return inOrder(method).filter(({ evidence }) => evidence === 'tries');
}

async function writeGates(
  opened: OpenSession,
  { settings }: Method,
  which: Pick<GatesInOrder<Taken>, 'gates' | 'afterStop' | 'signal'>,
  options: Judged,
  idea?: string,
): Promise<void> {
  const { kernel, goal, reference } = opened.session;
  const looks = new QuickLooks();
  await evaluateInOrder({
    ...which,
    settings,
    subject: { kernel, case: goal.case, reference },
    now: options.now,
    collect: (gate) => takeEvidence(opened, gate, options, { looks, idea }),
    onResult: async ({ gate, result, taken }) => {
      const { cost } = taken ?? {};
      await opened.add({
        type: 'gate',
        result,
        stops: gate.severity === 'stop',
        ...defined({ cost }),
      });
      if (taken?.evidence.kind === 'profile' && !isStopping(result)) {
        await adviseSession(opened, taken.evidence, options);
      }
    },
  });
}

/** Without a judge, nothing is judged: the gates only look at what was written down. */
interface Judged extends Working {
  readonly judge?: LoadedConfig;
}

interface Taken {
  readonly evidence: Evidence;
  /** Not of evidence that is only read. */
  readonly cost?: RunCost;
}

async function takeEvidence(
  opened: OpenSession,
  gate: Gate,
  options: Judged,
  { looks, idea }: { readonly looks: QuickLooks; readonly idea: string | undefined },
): Promise<Taken> {
  const { onProgress, signal, env, now, wait_s, processes, judge } = options;
  const { session } = opened;
  const { kernel, goal, reference } = session;
  const loaded = judge === undefined ? opened.loaded : underJudge(opened.loaded, judge);
  onProgress?.({ type: 'note', level: 'info', text: `${gate.phase}: ${gate.title} …` });
  const { done: evidence, cost } = await withCost(loaded, [kernel, reference.kernel ?? kernel], options, () =>
    collectEvidence(gate.evidence, {
      loaded,
      kernel,
      case: goal.case,
      reference,
      target: goal.speedup,
      session,
      looks,
      ...defined({ judge, idea, onProgress, signal, env, now, wait_s, processes }),
    }),
  );
  return gate.evidence === 'tries' ? { evidence } : { evidence, cost };
}
