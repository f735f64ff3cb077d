import { z } from 'zod';

import { GATE_STATES, phaseIdSchema, type GateResult } from '../../model/gate.ts';
import { cutList, listSchema } from '../bounded.ts';
import { own, untrusted, untrustedSchema } from '../untrusted.ts';

/** A command of Pawl with plain words: nothing that a shell would read otherwise. */
const COMMAND = /^pawl(?: [\w./:=~^@,+-]+)+$/;

/** What comes next, as a command line of Pawl; each command has a tool of its name. */
export const nextSchema = z.union([z.string(), untrustedSchema]);

/** Projects write gates too: a command that is more than plain words is text from elsewhere. */
export function nextOf(command: string): z.infer<typeof nextSchema> {
  return COMMAND.test(command) && command.length <= 300 ? command : untrusted(command);
}

export const gatesOutput = listSchema(
  z.object({
    gate: z.string(),
    phase: phaseIdSchema,
    state: z.enum(GATE_STATES),
    title: untrustedSchema,
    reason: untrustedSchema,
    next: nextSchema.optional(),
    evidence: listSchema(untrustedSchema).optional(),
    facts: z.record(z.string(), z.union([z.number(), z.boolean()])).optional(),
    override: z.object({ reason: untrustedSchema, by: untrustedSchema, at: z.string() }).optional(),
  }),
);

export function gatesValue(gates: readonly GateResult[]): z.input<typeof gatesOutput> {
  return cutList(gates.map(gateValue), 40, 'pawl_session_status shows all gates.');
}

/** Gates of a session are many: those that passed or do not apply are counted, the others are told. */
export const gateOverviewOutput = z.object({
  counts: z.partialRecord(z.enum(GATE_STATES), z.int()),
  shown: gatesOutput,
  open: listSchema(z.string()).describe('Not evaluated yet, in order.'),
});

export function gateOverview(
  gates: readonly GateResult[],
  { all }: { readonly all: boolean },
): z.input<typeof gateOverviewOutput> {
  const isShown = ({ state }: GateResult) =>
    state !== 'open' && (all || (state !== 'passed' && state !== 'skipped'));
  return {
    counts: Object.fromEntries(countsOf(gates)),
    shown: cutList(gates.filter(isShown).map(gateValue), 40, 'The session report has all.'),
    open: cutList(
      gates.filter(({ state }) => state === 'open').map(({ gate }) => own(gate)),
      10,
      'pawl://method has all.',
    ),
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

function gateValue({ gate, phase, state, title, reason, next, evidence, override }: GateResult) {
  return {
    gate: own(gate),
    phase,
    state,
    title: untrusted(title),
    reason: untrusted(reason),
    ...(next === undefined ? {} : { next: nextOf(next) }),
    ...(evidence === undefined
      ? {}
      : {
          evidence: cutList(
            evidence.lines.map((line) => untrusted(line, 300)),
            8,
            'The session report has all.',
          ),
          facts: Object.fromEntries(
            Object.entries(evidence.facts)
              .filter((entry): entry is [string, number | boolean] => typeof entry[1] !== 'string')
              .slice(0, 30),
          ),
        }),
    ...(override === undefined
      ? {}
      : {
          override: {
            reason: untrusted(override.reason),
            by: untrusted(override.by),
            at: own(override.at),
          },
        }),
  };
}
