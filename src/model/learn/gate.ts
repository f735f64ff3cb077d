/**
 * `pawl.method/1`: the phases and gates of an optimisation session, as data. `method/gates.yaml` has Pawl's own;
 * `method.gates` of pawl.yaml names a file that adds gates or replaces those of the same id.
 */
import { z } from 'zod';

const METHOD_SCHEMA = 'pawl.method/1';

export const PHASES = ['pre-flight', 'assessment', 'build', 'baseline', 'optimise', 'validate'] as const;
export const phaseIdSchema = z.enum(PHASES);
export type PhaseId = z.infer<typeof phaseIdSchema>;

/** Where a gate's facts come from: each is measured by Pawl, none is ticked off by hand. */
const EVIDENCE_KINDS = [
  /** The doctor's checks, and whether the device is there and idle. */
  'environment',
  /** What a variant needs before it is compiled: shared memory, threads, against the device's limits. */
  'resources',
  /** The kernel, its oracle and its reference compile; registers and spills. */
  'build',
  /** The smallest case against its oracle. */
  'smallest-case',
  /** The reference, measured now, at the smallest and the target case. */
  'reference',
  /** The theoretical minimum of the target case on this device against reference and goal. */
  'room',
  /** Speed-up over the reference at the smallest case. */
  'baseline',
  /** Speed-up over the reference by sequence length or size, and by heads and batch. */
  'sizes',
  /** A profile of the kernel as it is: its findings. */
  'profile',
  /** The tries so far: on one idea, without gain, share of the predicted gain. */
  'tries',
  /** Correctness over the whole matrix, the full comparison, the claim. */
  'validation',
] as const;
const evidenceKindSchema = z.enum(EVIDENCE_KINDS);
export type EvidenceKind = z.infer<typeof evidenceKindSchema>;

/** What a command needs that a machine may not have. */
const commandNeedSchema = z.enum(['profiler']);

const factSchema = z.union([z.number(), z.boolean(), z.string()]);
export type Fact = z.infer<typeof factSchema>;

/** What was measured for a gate, by name; expressions of gates read these. */
export const evidenceSchema = z.object({
  kind: evidenceKindSchema,
  taken_at: z.string(),
  facts: z.record(z.string(), factSchema),
  /** What can be looked at: runs, files, commands. */
  sources: z.array(
    z.object({
      command: z.string().optional(),
      run: z.string().optional(),
      file: z.string().optional(),
    }),
  ),
  /** In words for people, a line each: "training_512: 0.84× of sdpa-cudnn (62.5 µs against 52.4 µs)". */
  lines: z.array(z.string()),
  /** Facts that could not be had, why, and the command that gets them. */
  missing: z
    .array(
      z.object({
        facts: z.array(z.string()),
        why: z.string(),
        next: z.string(),
        needs: commandNeedSchema.optional(),
      }),
    )
    .optional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

const gateSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** As the method numbers it, for people: "3.1". */
  number: z.string().optional(),
  phase: phaseIdSchema,
  title: z.string(),
  /** Why the gate is there, a sentence. */
  why: z.string(),
  evidence: evidenceKindSchema,
  /** A formula over the evidence's facts and the method's settings; absent facts make the gate `unknown`. */
  pass: z.string(),
  /** Where this is false the gate does not apply (no GPU, no reference). */
  applies: z.string().optional(),
  /** A gate that only warns does not stop the session. */
  severity: z.enum(['stop', 'warn']),
  /** What a failure means, with facts and settings as `{name}`, or `{name%}` for a share in percent. */
  failed: z.string(),
  /** What was seen where it passes, in the same form; without it the evidence's own words. */
  passed: z.string().optional(),
  /** The command that comes next after a failure, with facts and `{kernel}`, `{case}`, `{reference}`. */
  next: z.string(),
  /** What `next` needs besides Pawl: `profiler` where it takes a profile. A machine without one is told another command. */
  needs: commandNeedSchema.optional(),
});
export type Gate = z.infer<typeof gateSchema>;

const phaseSchema = z.strictObject({
  id: phaseIdSchema,
  title: z.string(),
  budget_min: z.number().positive(),
});

export const methodSchema = z.strictObject({
  schema: z.literal(METHOD_SCHEMA),
  /** Numbers that gates read by name: `stop_below: 0.5`. pawl.yaml's `method.settings` replaces single ones. */
  settings: z.record(z.string(), z.number()),
  phases: z.array(phaseSchema),
  gates: z.array(gateSchema),
});
export type Method = z.infer<typeof methodSchema>;

export const GATE_STATES = [
  'passed',
  'warned',
  'failed',
  'overridden',
  'unknown',
  'skipped',
  'open',
] as const;

export const gateResultSchema = z.object({
  gate: z.string(),
  phase: phaseIdSchema,
  title: z.string(),
  /** `open` was not evaluated yet; `unknown` lacks facts and stops like a failure; `skipped` does not apply. */
  state: z.enum(GATE_STATES),
  /** What was seen, in a sentence: for a failure what it means. */
  reason: z.string(),
  /** The command that comes next; a failed or unknown gate always has one. */
  next: z.string().optional(),
  /** What that command needs. Absent: nothing, except that a command of an earlier version may be `pawl profile`. */
  needs: commandNeedSchema.optional(),
  evidence: evidenceSchema.optional(),
  evaluated_at: z.string().optional(),
  took_s: z.number().nonnegative().optional(),
  override: z.object({ reason: z.string(), by: z.string(), at: z.string() }).optional(),
});
export type GateResult = z.infer<typeof gateResultSchema>;
