import { evaluateGate, openGate } from '../../learn/gates/evaluate-gate.ts';
import { gateNames } from '../../learn/gates/gate-names.ts';
import {
  isStopping,
  type Evidence,
  type EvidenceKind,
  type Gate,
  type GateResult,
} from '../../model/gate.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { collectEvidence, type EvidenceContext } from './evidence/collect-evidence.ts';

export interface GatesInOrder {
  readonly gates: readonly Gate[];
  readonly settings: Readonly<Record<string, number>>;
  readonly context: EvidenceContext;
  /** After a gate that stops: nothing, or what takes no device. What is left out stays open. */
  readonly afterStop: 'nothing' | 'cheap';
  readonly onResult?: (result: GateResult) => void | Promise<void>;
}

/** Evidence for which no kernel runs. */
const CHEAP: readonly EvidenceKind[] = ['environment', 'resources', 'build', 'tries'];

/** Evaluates gates one after the other; those of one kind share their evidence. */
export async function evaluateInOrder(options: GatesInOrder): Promise<GateResult[]> {
  const { gates, settings, context, afterStop, onResult } = options;
  const { now = () => new Date() } = context;
  const collected = new Map<EvidenceKind, Evidence>();
  const results: GateResult[] = [];
  for (const gate of gates) {
    const isStopped = results.some(isStopping);
    if (isStopped && (afterStop === 'nothing' || !CHEAP.includes(gate.evidence))) {
      results.push(openGate(gate));
      continue;
    }
    const started = now().getTime();
    const evidence = collected.get(gate.evidence) ?? (await collectEvidence(gate.evidence, context));
    // What an interrupted measurement left is no evidence.
    if (context.signal?.aborted === true) throw new PawlError('try-again', 'Interrupted.');
    collected.set(gate.evidence, evidence);
    const result = {
      ...evaluateGate(gate, { evidence, settings, names: gateNames(context), now }),
      took_s: Math.max(0, now().getTime() - started) / 1000,
    };
    results.push(result);
    await onResult?.(result);
  }
  return results;
}
