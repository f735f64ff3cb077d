/**
 * The runner protocol, version 2 (docs/protocol.md): what the orchestrator asks and what a judge answers.
 * The schemas here are the only description code relies on. What judge and candidate say to each other is native.
 */
import { z } from 'zod';

import {
  checkedSchema,
  launchSchema,
  sampledSchema,
  verificationSchema,
  verifiedTensorSchema,
} from '../correctness/verification.ts';
import { deviceInfoSchema, deviceStateSchema } from '../device/device.ts';
import { MODES } from '../problem/mode.ts';
import { preparationSchema } from '../problem/preparation.ts';
import { protectionsSchema } from '../device/sandbox.ts';
import { scalarSpecSchema } from '../problem/scalar.ts';
import { tensorSpecSchema } from '../problem/tensor.ts';
import { variantSchema } from '../problem/variant.ts';

export const PROTOCOL_VERSION = 2;

export const modeSchema = z.enum(MODES);

/** Of a kernel: a function beside it that is called before it is timed, and the inputs that it gets. */
const prepareSchema = z.strictObject({ function: z.string(), of: z.array(z.string()).min(1) });

/**
 * A shared library or a function in a Python module. `function` of a library is by default
 * `pawl_run` of a kernel and `pawl_oracle` of an oracle; an oracle with `memory` `device` is CUDA code.
 */
const codeSchema = z.union([
  z.strictObject({
    library: z.string(),
    function: z.string().optional(),
    memory: z.enum(['host', 'device']).optional(),
    /** What the library's bytes hash to; one that does not is refused. */
    sha256: z.string().optional(),
    prepare: prepareSchema.optional(),
  }),
  z.strictObject({
    module: z.string(),
    function: z.string(),
    /** Of an oracle: a trusted implementation beside it, in the tensors' own types (`pawl_reference` of a library). */
    reference: z.string().optional(),
    /** Of an oracle: it gets the tensors' own types; absent: double precision. */
    precision: z.literal('own').optional(),
    /** Where the function is a class: what returns the arguments that it is built with. */
    init: z.strictObject({ module: z.string(), function: z.string() }).optional(),
    prepare: prepareSchema.optional(),
  }),
]);
export type Code = z.infer<typeof codeSchema>;

const openRequestSchema = z.strictObject({
  op: z.literal('open'),
  protocol: z.literal(PROTOCOL_VERSION),
  /** 64 hex digits: the key that authenticates every answer. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  device: z.enum(['cpu', 'cuda']),
  device_index: z.int().nonnegative(),
  /** CPU: how many CPUs the kernel's threads may use; the process is pinned to that many. */
  threads: z.int().positive(),
  kernel: codeSchema,
  /** Exact allocations and marked guard bytes, so that a sanitizer sees the first byte out of bounds. */
  sanitized: z.boolean().optional(),
  /** How the process is started that calls a Python function; a library needs none. */
  candidate: z.strictObject({ command: z.array(z.string()) }).optional(),
  /** A Python kernel's process may be a copy of one that has imported frameworks. */
  warm: z.boolean().optional(),
  /** The process of the next candidate starts while the results of this one are compared. */
  ahead: z.boolean().optional(),
  /** Variables that only the process of the kernel gets, in place of others of that name. */
  env: z.record(z.string(), z.string()).optional(),
  /** Where the judge puts what the candidate compiled, for the next one of the same kernel (`pawl_extension`). */
  objects: z.string().optional(),
  /** False: the candidate is not put into a sandbox, because a profiler or sanitizer watches it. */
  confined: z.boolean().optional(),
  /** A tool around the judge follows it to processes that it starts in the usual way, and not through a guard. */
  followed: z.boolean().optional(),
});

/** A library that makes inputs (`pawl_generate`) or judges outputs (`pawl_check`). */
const servingLibraryShape = { library: z.string(), sha256: z.string().optional() };

const generatorSchema = z.union([
  z.strictObject({
    module: z.string(),
    function: z.string(),
    /** A class of the module whose parameters are inputs, and what returns the arguments that it is built with. */
    weights: z.strictObject({ class: z.string(), init: z.string().optional() }).optional(),
  }),
  z.strictObject({ ...servingLibraryShape, memory: z.enum(['host', 'device']).optional() }),
]);
export type GeneratorCode = z.infer<typeof generatorSchema>;

/** Judges outputs by what they have to be; `outputs` where it does not judge all of them. */
const checkerSchema = z.union([
  z.strictObject({
    module: z.string(),
    function: z.string(),
    outputs: z.array(z.string()).optional(),
  }),
  z.strictObject({
    ...servingLibraryShape,
    /** For sentences: the file that it was built from. */
    name: z.string(),
    outputs: z.array(z.string()).optional(),
  }),
]);
export type CheckerCode = z.infer<typeof checkerSchema>;

const prepareRequestSchema = z.strictObject({
  op: z.literal('prepare'),
  case: z.string(),
  dims: z.array(z.strictObject({ name: z.string(), value: z.int() })),
  /** Absent: none. */
  scalars: z.array(scalarSpecSchema).optional(),
  tensors: z.array(tensorSpecSchema),
  variant: variantSchema,
  /** Decimal digits of an unsigned 64-bit seed: JSON numbers lose the upper bits. */
  seed: z.string().regex(/^\d{1,20}$/),
  /** What makes the inputs from a seed, in the place of their fills. */
  generator: generatorSchema.optional(),
  /** Random numbers of Python, NumPy and PyTorch start alike in every call. */
  seeded: z.boolean().optional(),
  /** With a generator: when the orchestrator gives the request up. One that is still at work then ends the judge. */
  timeout_ms: z.number().positive().optional(),
  /** Buffer sets to rotate among in cold mode; absent: as many as keep every launch out of the cache. */
  sets: z.int().positive().optional(),
  /** Tensors lie somewhere else on the device each time: memory of a random size is held beside them. */
  drawn: z.boolean().optional(),
});

const ruleShape = {
  atol: z.number().nonnegative(),
  rtol: z.number().nonnegative(),
  /** An error up to this multiple of the reference's is right, and one above it is not; absent: no such rule. */
  factor: z.number().positive().optional(),
  /** The share of elements that must be within; absent: all. */
  share: z.number().positive().max(1).optional(),
};

/** What says whether outputs are right: an oracle, a checker, or each for some of them. */
const rulesShape = {
  oracle: codeSchema.optional(),
  checker: checkerSchema.optional(),
  ...ruleShape,
  /** By name, for outputs that have rules of their own. */
  outputs: z.record(z.string(), z.strictObject(ruleShape)).optional(),
};

const checkRequestSchema = z.strictObject({
  op: z.literal('check'),
  ...rulesShape,
  seed: z.string().regex(/^\d{1,20}$/),
  /** Also look for what takes many calls to see: leaks, helpers, files, caches (detectors of scope `verified`). */
  audit: z.boolean().default(false),
  /** The same inputs may give different outputs, within the tolerance. */
  nondeterministic: z.boolean().default(false),
  /** Also try answers that need no work: a tolerance that lets one pass is blind. Costs two runs of the oracle. */
  blind: z.boolean().default(false),
  /** How many draws are looked at, of outputs that are draws; absent: 20,000. */
  draws: z.int().positive().optional(),
  /** When the orchestrator gives the request up: what is still at work shortly before, an oracle or a checker, ends the judge. */
  timeout_ms: z.number().positive().optional(),
});

const sampleRequestSchema = z.strictObject({
  op: z.literal('sample'),
  mode: modeSchema,
  count: z.int().positive(),
  /** The runner stops taking samples after this long and returns what it has. */
  budget_ms: z.number().positive(),
  /** `plain` leaves out the blocking kernel: launch latency is then inside the interval. For comparison only. */
  timing: z.enum(['blocked', 'plain']),
  /** Compare the outputs of one of these repetitions, chosen at random, with the oracle. */
  verify: z.strictObject(rulesShape).optional(),
  /** Keep some results of repetitions that were all new, for the request with `verify` that comes later. */
  keep: z.boolean().optional(),
  /** With a checker: when the orchestrator gives the request up. */
  timeout_ms: z.number().positive().optional(),
  /** False: no fresh contents, no poison, no inspection. For samples that are thrown away, and to measure what detectors cost. */
  guarded: z.boolean().default(true),
  /** False: contents are new and outputs poisoned, but what the kernel may remember is not searched for. */
  searched: z.boolean().optional(),
});

const profileRequestSchema = z.strictObject({
  op: z.literal('profile'),
  launches: z.int().positive(),
  /** Also say what one call launches, where the device tells. Not under a profiler: it captures a call. */
  list: z.boolean().optional(),
});

/** One call of a case that is prepared, neither timed nor checked: kernels in Python compile in their first one. */
const callRequestSchema = z.strictObject({ op: z.literal('call') });

/** Load an oracle now, so that the import of a Python module has a time limit of its own. A library costs nothing. */
const oracleRequestSchema = z.strictObject({ op: z.literal('oracle'), oracle: codeSchema });
/** The same for what makes inputs. */
const generatorRequestSchema = z.strictObject({ op: z.literal('generator'), generator: generatorSchema });
/** And for what judges outputs. */
const checkerRequestSchema = z.strictObject({ op: z.literal('checker'), checker: checkerSchema });

export const requestSchema = z.discriminatedUnion('op', [
  openRequestSchema,
  prepareRequestSchema,
  checkRequestSchema,
  sampleRequestSchema,
  profileRequestSchema,
  callRequestSchema,
  oracleRequestSchema,
  generatorRequestSchema,
  checkerRequestSchema,
  z.strictObject({ op: z.literal('state') }),
  z.strictObject({ op: z.literal('close') }),
  z.strictObject({ op: z.literal('quit') }),
]);
export type Request = z.input<typeof requestSchema>;

/** Where the judge spent the time of a request: milliseconds by phase, to find out what makes measuring slow. */
const phasesSchema = z.record(z.string(), z.number().nonnegative());

const openResultSchema = z.object({
  protocol: z.literal(PROTOCOL_VERSION),
  runner: z.enum(['native', 'python']),
  /** Of the process that calls the kernel. */
  pid: z.int().positive(),
  device: deviceInfoSchema,
  modes: z.array(modeSchema),
  /** Versions of what the runner computes with: `{"python": "3.12.3", "torch": "2.11.0"}`. */
  versions: z.record(z.string(), z.string()),
  /** What confines the process that runs the kernel; empty where nothing does. */
  protections: protectionsSchema.optional(),
  /** What asking the candidate for nothing costs, by the judge's clock. */
  round_trip_ms: z.number().nonnegative().optional(),
  phases_ms: phasesSchema.optional(),
});
export type OpenResult = z.infer<typeof openResultSchema>;

const prepareResultSchema = z.object({
  sets: z.int().positive(),
  bytes_per_set: z.number().nonnegative(),
  workspace_bytes: z.number().nonnegative(),
  phases_ms: phasesSchema.optional(),
});

const sampleResultSchema = z.object({
  samples_ms: z.array(z.number().positive()),
  /** In-band SM clock of each sample, where the device has one. */
  clock_mhz: z.array(z.number().positive()).optional(),
  /** Throttle mask of each sample (NVML clock event reasons); absent where NVML is not there. */
  throttle_masks: z.array(z.int().nonnegative()).optional(),
  /** Launches in one sample; a sample is the mean of them. */
  batch: z.int().positive(),
  /** Whether launch latency was outside the interval for every sample. */
  timing: z.enum(['blocked', 'plain', 'host']),
  /** Said where a sample could not be taken as asked (for example: the kernel waits for the device). */
  notes: z.array(z.string()),
  tampering: verificationSchema.shape.tampering,
  /** How the outputs of the repetition that `verify` chose compared with the oracle. */
  verified: z
    .object({
      repetition: z.int().nonnegative(),
      tensors: z.array(verifiedTensorSchema),
      checked: checkedSchema.optional(),
      sampled: z.array(sampledSchema).optional(),
      /** More that were compared: of repetitions, in this request and those with `keep`, whose contents were all new. */
      others: z.int().nonnegative(),
    })
    .optional(),
  state: deviceStateSchema,
  /** Peak memory the process has held so far: device memory on CUDA, resident memory on the CPU. */
  memory_peak_bytes: z.number().nonnegative().optional(),
  /** What the kernel prepared since the case was. */
  prepare: preparationSchema.optional(),
  /** Wall time of this request inside the runner, and the part of it spent inside timed intervals. */
  wall_ms: z.number().nonnegative(),
  timed_ms: z.number().nonnegative(),
  /** A call by the judge's own clock, which bounds what the samples may claim. */
  outside_ms: z.number().nonnegative().optional(),
  phases_ms: phasesSchema.optional(),
});
export type SampleResult = z.infer<typeof sampleResultSchema>;

const profileResultSchema = z.object({
  launches: z.int().positive(),
  /** What one call launches. */
  functions: z.array(launchSchema).optional(),
  notes: z.array(z.string()).optional(),
});

/** Results by operation. */
export const resultSchemas = {
  open: openResultSchema,
  prepare: prepareResultSchema,
  check: verificationSchema,
  sample: sampleResultSchema,
  profile: profileResultSchema,
  call: z.object({}),
  oracle: z.object({}),
  generator: z.object({}),
  checker: z.object({}),
  state: deviceStateSchema,
  close: z.object({}),
  quit: z.object({}),
} as const;
export type ResultOf<Op extends Request['op']> = z.infer<(typeof resultSchemas)[Op]>;

/** Why a runner could not do what it was asked. */
const runnerErrorCodeSchema = z.enum([
  'bad-request',
  'load-failed',
  'module-missing',
  'out-of-memory',
  'kernel-failed',
  'device-error',
  'device-lost',
  'unsupported',
  /** What makes inputs raised something, or made other ones than were declared. */
  'generator-failed',
  /** What judges outputs raised something, or returned no verdict. */
  'checker-failed',
  /** What became of the candidate: ended by a signal, by itself, or it wrote to the judge's socket. */
  'crashed',
  'exited',
  'forged',
  /** The judge's clock could confirm no time, because the machine has other work. */
  'busy',
  'internal',
]);
export type RunnerErrorCode = z.infer<typeof runnerErrorCodeSchema>;

/** The body of an answer; its line is `{"mac":"<64 hex>","body":<body>}`. */
export const answerSchema = z.discriminatedUnion('ok', [
  z.object({ id: z.int(), seq: z.int(), ok: z.literal(true), result: z.unknown() }),
  z.object({
    id: z.int(),
    seq: z.int(),
    ok: z.literal(false),
    error: z.object({ code: runnerErrorCodeSchema, message: z.string() }),
  }),
]);
export type Answer = z.infer<typeof answerSchema>;
