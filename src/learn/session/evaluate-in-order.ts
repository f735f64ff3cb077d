import { evaluateGate, openGate } from '../gates/evaluate-gate.ts';
import { gateNames, type GateSubject } from '../gates/gate-names.ts';
import type { Evidence, EvidenceKind, Gate, GateResult, Method } from '../../model/learn/gate.ts';
import { isStopping } from '../../model/learn/session-progress.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { runContext } from '../../os/run-context.ts';

/** What was measured for a gate, with what a caller wants to know besides. */
interface Taken {
  readonly evidence: Evidence;
}

interface EvaluatedGate<T extends Taken> {
  readonly gate: Gate;
  readonly result: GateResult;
  /** Where it was measured for this gate, and not for one before it. */
  readonly taken: T | undefined;
}

export interface GatesInOrder<T extends Taken> extends Pick<Method, 'settings'> {
  readonly gates: readonly Gate[];
  readonly subject: GateSubject;
  readonly collect: (gate: Gate) => Promise<T>;
  /** After a gate that stops: nothing, or what takes no device. What is left out stays open. */
  readonly afterStop: 'nothing' | 'cheap';
  readonly signal?: AbortSignal | undefined;
  readonly now?: (() => Date) | undefined;
  readonly onResult?: (evaluated: EvaluatedGate<T>) => Promise<void>;
}

/** Evidence for which no kernel runs. */
const CHEAP: readonly EvidenceKind[] = ['environment', 'resources', 'build', 'tries'];

/** Evaluates gates one after the other; those of one kind share their evidence. */
export async function evaluateInOrder<T extends Taken>(options: GatesInOrder<T>): Promise<GateResult[]> {
  const { gates, settings, subject, collect, afterStop, onResult } = options;
  const { signal, now } = runContext(options);
  const collected = new Map<EvidenceKind, T>();
  const results: GateResult[] = [];
  for (const gate of gates) {
    const isStopped = results.some(isStopping);
    if (isStopped && (afterStop === 'nothing' || !CHEAP.includes(gate.evidence))) {
      results.push(openGate(gate));
      continue;
    }
    refuseInterrupted(signal);
    const started = now().getTime();
    const known = collected.get(gate.evidence);
    const taken = known ?? (await collect(gate));
    // What an interrupted measurement left is not evidence.
    refuseInterrupted(signal);
    collected.set(gate.evidence, taken);
    const { evidence } = taken;
    const result = {
      ...evaluateGate(gate, { evidence, settings, names: gateNames(subject), now }),
      took_s: Math.max(0, now().getTime() - started) / 1000,
    };
    results.push(result);
    await onResult?.({ gate, result, taken: known === undefined ? taken : undefined });
  }
  return results;
}

function refuseInterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new PawlError('try-again', 'Interrupted.');
}
