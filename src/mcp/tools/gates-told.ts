import { z } from 'zod';

import { evidenceSchema, GATE_STATES, gateResultSchema, type GateResult } from '../../model/learn/gate.ts';
import { isPlainCommand } from '../../model/text/plain-command.ts';
import { list, pick, said, text, word } from '../told.ts';
import { ownWords, type OwnGates } from './own-gates.ts';
import { toolCall, toolCallSchema } from '../tool-call.ts';
import { own, untrusted, untrustedSchema } from '../untrusted.ts';

const LONGEST_NEXT = 200;

/** What comes next: the call that does it, or a command that no tool stands for. */
export const nextSchema = z.union([toolCallSchema, z.string(), untrustedSchema]);

/** Projects write gates too: a command that is more than plain words is text from elsewhere. */
export function nextOf(command: string): z.infer<typeof nextSchema> {
  return isPlainCommand(command) ? ownNext(command) : untrusted(command, LONGEST_NEXT);
}

/** Of a command that Pawl wrote. */
export function ownNext(command: string): z.infer<typeof nextSchema> {
  return toolCall(command) ?? own(command);
}

/** Numbers only: words stand in the lines. */
const facts = evidenceSchema.shape.facts
  .transform((all) =>
    Object.fromEntries(
      Object.entries(all)
        .filter(([, fact]) => typeof fact !== 'string')
        .slice(0, 30),
    ),
  )
  .pipe(z.record(z.string(), z.union([z.number(), z.boolean()])));

const gateTold = z.object({
  ...pick(gateResultSchema, 'gate', 'phase', 'state', 'override'),
  title: said(),
  reason: said(),
  next: z.string().transform(nextOf).pipe(nextSchema).optional(),
  evidence: z.object({ lines: list(text(300), 8, 'The session report has all.'), facts }).optional(),
});

/** Titles and reasons that are Pawl's own are told as that. */
export function gatesValue(gates: readonly GateResult[], own: OwnGates) {
  return gates.map((gate) => ({ ...gate, ...ownWords(gate, own) }));
}

export const gatesTold = list(gateTold, 40, 'The session report has all.');

/** Gates of a session are many: those that passed or do not apply are counted, the others are told. */
export const gateOverviewTold = z.object({
  counts: z.partialRecord(z.enum(GATE_STATES), z.int()),
  shown: gatesTold,
  /** Not evaluated yet, in order. */
  open: list(word, 10, 'pawl://method has all.'),
});

export function gateOverview(
  gates: readonly GateResult[],
  { allGates = false, own }: { readonly allGates?: boolean | undefined; readonly own: OwnGates },
): z.input<typeof gateOverviewTold> {
  const isShown = ({ state }: GateResult) =>
    state !== 'open' && (allGates || (state !== 'passed' && state !== 'skipped'));
  return {
    counts: Object.fromEntries(countsOf(gates)),
    shown: gatesValue(gates.filter(isShown), own),
    open: gates.filter(({ state }) => state === 'open').map(({ gate }) => gate),
  };
}

function countsOf(gates: readonly GateResult[]): Map<GateResult['state'], number> {
  const counts = new Map<GateResult['state'], number>();
  for (const { state } of gates) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}

export function gatesSummary(gates: readonly GateResult[]): string {
  return [...countsOf(gates)].map(([state, count]) => `${count} ${state}`).join(', ') || 'none';
}
