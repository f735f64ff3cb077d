/** `pawl.baseline/1`: the accepted measurement of every key, and a log of how each came about (docs/baseline.md). */
import { z } from 'zod';

import { intervalSchema } from './comparison.ts';
import { loadSchema } from '../device/load.ts';
import { modeSchema } from '../measure/protocol.ts';
import { variantSchema } from '../problem/variant.ts';

export const BASELINE_SCHEMA = 'pawl.baseline/1';
export const BASELINE_FILE = 'pawl-baseline.json';

/** What makes times comparable: another model, driver, CUDA or clock policy is another class. */
const deviceClassSchema = z.strictObject({
  name: z.string().min(1),
  driver: z.string().optional(),
  cuda: z.string().optional(),
  /** `as-is`, `locked at 1980 MHz`; absent where the run does not say. */
  clocks: z.string().optional(),
});

const toolchainSchema = z.strictObject({
  language: z.string().optional(),
  /** The compiler with its version; for Python, the versions of what computes. */
  compiler: z.string().optional(),
});

const entryKeySchema = z.strictObject({
  kernel: z.string().optional(),
  case: z.string(),
  variant: variantSchema,
  mode: modeSchema.optional(),
  device: deviceClassSchema,
  toolchain: toolchainSchema,
});
export type EntryKey = z.infer<typeof entryKeySchema>;

/** What a comparison reads of a series; numbers have six significant digits. */
const baselineSeriesSchema = z.strictObject({
  process: z.int().positive().optional(),
  samples_ms: z.array(z.number().positive()).min(1),
  clock_mhz: z.array(z.number().positive()).optional(),
  warmup_cost_ms: z.number().nonnegative().optional(),
  sampling_cost_ms: z.number().nonnegative().optional(),
});

/** The comparison that a change of the baseline rests on. */
const confirmationSchema = z.strictObject({
  change_pct: z.number(),
  ci_pct: intervalSchema,
  processes: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});
export type Confirmation = z.infer<typeof confirmationSchema>;

const provenanceSchema = z.strictObject({
  how: z.enum(['first', 'advance', 'accept', 'reset']),
  time: z.iso.datetime(),
  commit: z.string().optional(),
  dirty: z.boolean().optional(),
  host: z.string().optional(),
  binary_sha256: z.string().optional(),
  seed: z.string().optional(),
  /** Whether the results were compared with the oracle before they were timed. */
  check: z.enum(['passed', 'not-checked']),
  /** Timed results of every series were compared, too; absent where one was not, and from versions that did not say. */
  verified: z.literal(true).optional(),
  confirmation: confirmationSchema.optional(),
  /** Other work ran beside the measurement, and somebody accepted that; absent where the machine was quiet. */
  load: loadSchema.optional(),
});
export type Provenance = z.infer<typeof provenanceSchema>;

const baselineEntrySchema = z.strictObject({
  key: entryKeySchema,
  /** What the case is: the values of its dimensions and scalars. */
  dims: z.record(z.string(), z.number()).optional(),
  /** Of inputs that lie in files, by tensor: the SHA-256 of each recording. */
  recorded: z.record(z.string(), z.string()).optional(),
  series: z.array(baselineSeriesSchema).min(1),
  provenance: provenanceSchema,
});
export type BaselineEntry = z.infer<typeof baselineEntrySchema>;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

const recordBase = {
  /** Its number in the log, from 1. */
  n: z.int().positive(),
  time: z.iso.datetime(),
  author: z.string(),
  commit: z.string().optional(),
  /** What happened, in one sentence. */
  summary: z.string(),
  /** `hash` of the record before it; zeros for the first. */
  prev: sha256Schema,
  /** Of the rest of this record. */
  hash: sha256Schema,
};

const reason = z.string().min(1);

/** `entry` is the hash of the entry that the record put into the file. */
const logRecordSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...recordBase, type: z.literal('first'), key: entryKeySchema, entry: sha256Schema }),
  z.strictObject({
    ...recordBase,
    type: z.literal('advance'),
    key: entryKeySchema,
    entry: sha256Schema,
    confirmation: confirmationSchema,
  }),
  /** A slower result taken on purpose. `waiver` is the hash of the waiver that allowed it, if one did. */
  z.strictObject({
    ...recordBase,
    type: z.literal('accept'),
    key: entryKeySchema,
    entry: sha256Schema,
    reason,
    waiver: sha256Schema.optional(),
    confirmation: confirmationSchema.optional(),
  }),
  /** Without `entry`, the entry was taken out and the next measurement starts over. */
  z.strictObject({
    ...recordBase,
    type: z.literal('reset'),
    key: entryKeySchema,
    entry: sha256Schema.optional(),
    reason,
    /** Hash of a file whose log could not be continued: this record begins a new one. */
    replaces: sha256Schema.optional(),
  }),
  z.strictObject({
    ...recordBase,
    type: z.literal('waive'),
    /** Matched with `kernel/case` and with the whole text of a key; `*` stands for anything. */
    pattern: z.string().min(1),
    reason,
    /** The last day on which it holds, UTC. */
    expires: z.iso.date(),
    /** The largest slowdown that it covers, in percent of the baseline's time; absent from earlier versions: any. */
    slower_pct: z.number().positive().optional(),
  }),
  /** Ends a waiver before its day. */
  z.strictObject({ ...recordBase, type: z.literal('expire'), waiver: sha256Schema, reason }),
  /** A person accepted what a change altered about its own judge: later checks are judged as `commit` has it. */
  z.strictObject({ ...recordBase, type: z.literal('judge'), changes: z.array(z.string().min(1)).min(1) }),
]);
export type LogRecord = z.infer<typeof logRecordSchema>;
export type WaiveRecord = Extract<LogRecord, { type: 'waive' }>;

export const baselineSchema = z.strictObject({
  schema: z.literal(BASELINE_SCHEMA),
  entries: z.array(baselineEntrySchema),
  log: z.array(logRecordSchema),
  /** Of the entries and the head of the log. */
  integrity: sha256Schema,
  /** HMAC-SHA256 of `integrity` with $PAWL_BASELINE_KEY. */
  signature: sha256Schema.optional(),
});
export type BaselineDocument = z.infer<typeof baselineSchema>;

/** The document without its seal. */
export interface Baseline {
  readonly entries: readonly BaselineEntry[];
  readonly log: readonly LogRecord[];
}

export const EMPTY_BASELINE: Baseline = { entries: [], log: [] };
