import { didYouMean } from '../../config/did-you-mean.ts';
import { evaluateGate } from '../../learn/gates/evaluate-gate.ts';
import { gateNames } from '../../learn/gates/gate-names.ts';
import { loadMethod } from '../../learn/method/load-method.ts';
import { isGateDone } from '../../learn/session/fold-session.ts';
import type { RunCost } from '../../model/cost.ts';
import { PHASES, type Evidence, type EvidenceKind, type Gate, type Method } from '../../model/gate.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Session } from '../../model/session.ts';
import { adviseSession } from './advise-session.ts';
import { collectEvidence } from './evidence/collect-evidence.ts';
import { workOnSession, type SessionDesk } from './session-desk.ts';
import type { SessionTarget, Working } from './session-options.ts';
import { withCost } from './spent-costs.ts';

export interface GatesOptions extends SessionTarget, Working {
  /** Only these, whatever their state. Default: those that are not done, but for validation. */
  readonly gates?: readonly string[];
  /** Also those of validation. */
  readonly validate?: boolean;
}

/** Runs the next gates in order until one stops. */
export async function evaluateGates(options: GatesOptions): Promise<Session> {
  return workOnSession(options, 'pawl session check', async (desk) => {
    const method = await loadMethod(desk.loaded);
    await runGates(desk, method, chosenGates(desk.session, method, options), options);
    return desk.session;
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

/** Each kind of evidence is taken once for all gates that read it. */
export async function runGates(
  desk: SessionDesk,
  method: Method,
  gates: readonly Gate[],
  options: Working,
): Promise<void> {
  const taken = new Map<EvidenceKind, Evidence>();
  for (const gate of gates) {
    if (options.signal?.aborted === true) throw new PawlError('try-again', 'Interrupted.');
    const isNew = !taken.has(gate.evidence);
    const stops = await runGate(desk, method, gate, taken, options);
    const evidence = taken.get(gate.evidence);
    if (isNew && evidence?.kind === 'profile' && !stops) await adviseSession(desk, evidence, options);
    if (stops) return;
  }
}

/**
 * Gates that look at the tries so far: they measure nothing, so they are asked again after every try, and those that
 * stop before the next one, which may be about another idea.
 */
export async function evaluateTriesGates(
  desk: SessionDesk,
  method: Method,
  options: Working & { readonly idea?: string },
): Promise<void> {
  const { gates: states } = desk.session;
  const isAsked = ({ id, evidence }: Gate) =>
    evidence === 'tries' &&
    (options.idea === undefined || states.some(({ gate, state }) => gate === id && state === 'failed'));
  const gates = inOrder(method).filter(isAsked);
  const taken = new Map<EvidenceKind, Evidence>();
  for (const gate of gates) await runGate(desk, method, gate, taken, options);
}

/** @returns whether it stops the session */
async function runGate(
  desk: SessionDesk,
  { settings }: Method,
  gate: Gate,
  taken: Map<EvidenceKind, Evidence>,
  options: Working & { readonly idea?: string },
): Promise<boolean> {
  const { session, loaded } = desk;
  const now = options.now ?? (() => new Date());
  const subject = { kernel: session.kernel, case: session.goal.case, reference: session.reference };
  const started = now();
  let cost: RunCost | undefined;
  let evidence = taken.get(gate.evidence);
  if (evidence === undefined) {
    const { onProgress, signal, env, wait_s, processes, idea } = options;
    options.onProgress?.({ type: 'note', level: 'info', text: `${gate.phase}: ${gate.title} …` });
    const kernels = [session.kernel, session.reference.kernel ?? session.kernel];
    const collected = await withCost(loaded, kernels, options, () =>
      collectEvidence(gate.evidence, {
        loaded,
        ...subject,
        target: session.goal.speedup,
        session,
        now,
        ...(idea === undefined ? {} : { idea }),
        ...(onProgress === undefined ? {} : { onProgress }),
        ...(signal === undefined ? {} : { signal }),
        ...(env === undefined ? {} : { env }),
        ...(wait_s === undefined ? {} : { wait_s }),
        ...(processes === undefined ? {} : { processes }),
      }),
    );
    evidence = collected.done;
    cost = gate.evidence === 'tries' ? undefined : collected.cost;
    taken.set(gate.evidence, evidence);
  }
  const result = evaluateGate(gate, { evidence, settings, names: gateNames(subject), now });
  const took_s = Math.max(0, (now().getTime() - started.getTime()) / 1000);
  const isStop = gate.severity === 'stop';
  await desk.add({
    type: 'gate',
    result: { ...result, took_s },
    stops: isStop,
    ...(cost === undefined ? {} : { cost }),
  });
  return isStop && (result.state === 'failed' || result.state === 'unknown');
}
