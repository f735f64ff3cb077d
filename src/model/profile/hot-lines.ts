/** Where a kernel's time goes, by line of its source: what `pawl profile` shows below its findings. */
import { z } from 'zod';

/** One place in the source. */
const sourcePlaceSchema = z.object({
  /** Within the project where it is there, else as the compiler wrote it down. */
  file: z.string(),
  line: z.int().positive(),
  /** The function it was written in, where it was inlined from one. */
  function: z.string().optional(),
});
export type SourcePlace = z.infer<typeof sourcePlaceSchema>;

/** By reason (`long-scoreboard`), each in percent of the kernel's samples. */
const stallsSchema = z.record(z.string(), z.number().nonnegative());

const workSchema = z.object({
  /** Warp instructions. */
  executed: z.number().nonnegative().optional(),
  /** How many of a warp's 32 threads took part, on average. */
  threads: z.number().nonnegative().optional(),
  /** Sectors of global memory beyond what the bytes that were asked for need. */
  excess_sectors: z.number().nonnegative().optional(),
  sectors: z.number().nonnegative().optional(),
  /** Passes over shared memory beyond those without bank conflicts. */
  excess_wavefronts: z.number().nonnegative().optional(),
  wavefronts: z.number().nonnegative().optional(),
  /** Sectors of local memory: spills, and arrays that are not in registers. */
  local_sectors: z.number().nonnegative().optional(),
  /** Branches on which the threads of a warp parted. */
  divergent_branches: z.number().nonnegative().optional(),
  /** Registers in use, at most. */
  registers: z.number().nonnegative().optional(),
});
export type LineWork = z.infer<typeof workSchema>;

const hotInstructionSchema = workSchema.extend({
  /** From the function's first instruction, hexadecimal. */
  address: z.string(),
  text: z.string(),
  /** What it costs: of a wait for data, the instruction that fetches them. */
  share_pct: z.number().nonnegative(),
  /** Samples that found a warp here. */
  samples: z.number().nonnegative(),
  stalls: stallsSchema,
  /** Addresses of instructions whose results it waits for. */
  waits_for: z.array(z.string()).optional(),
});
export type HotInstruction = z.infer<typeof hotInstructionSchema>;

export const hotLineSchema = workSchema.extend({
  file: z.string(),
  line: z.int().nonnegative(),
  source: z.string().optional(),
  /** What the line costs, in percent of the kernel's samples. Over all lines this is 100. */
  share_pct: z.number().nonnegative(),
  /** Samples that found a warp at the line itself, which may wait for what another line fetches. */
  samples: z.number().nonnegative(),
  /** Of what it costs. */
  stalls: stallsSchema,
  /** Calls that it was inlined through, the nearest first; of several ways the one that costs most. */
  inlined_into: z.array(sourcePlaceSchema).optional(),
  /** Static: how many loops it stands in, at most. */
  loop_depth: z.int().nonnegative().optional(),
  /** Static: instructions by kind; accesses with their width in bits (`global 128`). */
  mix: z.record(z.string(), z.int().positive()).optional(),
  /** Ways it was inlined, where there are several. */
  ways: z.int().positive().optional(),
  instructions: z.array(hotInstructionSchema),
});
export type HotLine = z.infer<typeof hotLineSchema>;

/** A line that a finding is about. */
export const findingLineSchema = sourcePlaceSchema.extend({
  source: z.string().optional(),
  /** What the line costs, in percent of the kernel's time. */
  share_pct: z.number().nonnegative(),
  /** Its part in what was found: of all bank conflicts, of all waiting at barriers. */
  of_finding_pct: z.number().min(0).max(100),
  inlined_into: z.array(sourcePlaceSchema).optional(),
});
export type FindingLine = z.infer<typeof findingLineSchema>;

/** A line whose cost changed from one revision to the next. */
export const lineChangeSchema = sourcePlaceSchema.extend({
  source: z.string().optional(),
  /** Where it was before; absent for a line that was not there. */
  before_line: z.int().positive().optional(),
  /** The text of the line is not what it was. */
  changed: z.boolean(),
  before_us: z.number().nonnegative(),
  after_us: z.number().nonnegative(),
});
export type LineChange = z.infer<typeof lineChangeSchema>;

/** The line that a change in time comes from. */
export const causeLineSchema = sourcePlaceSchema.extend({
  source: z.string().optional(),
  /**
   * `itself`: it was changed, and it is what got slower; `calls`: it was changed, and what got slower was inlined into
   * it; `feeds`: it was changed, and what got slower computes with its results; `nearest`: of the changed lines the nearest to what got slower; `unchanged`: what got slower, where
   * no line was changed.
   */
  how: z.enum(['itself', 'calls', 'feeds', 'nearest', 'unchanged']),
  /** What got slower, where that is another line. */
  slower: lineChangeSchema.optional(),
  /** By how much the time of the lines it is about changed. */
  change_us: z.number(),
});
export type CauseLine = z.infer<typeof causeLineSchema>;

/** How the time was found: by the hardware's samples, by a timer, or not at all, from the compiled code alone. */
const LINE_SOURCES = ['hardware-samples', 'timer-samples', 'static'] as const;

/** Static: what a compiled GPU function takes of a multiprocessor. */
const staticResourcesSchema = z.object({
  /** As compiled for: `sm_90`. */
  arch: z.string(),
  /** Per thread. */
  registers: z.int().nonnegative(),
  /** Per block: static, and dynamic as far as pawl.yaml says it. */
  smem_bytes: z.int().nonnegative(),
  /** The largest block it was compiled for, where the source says one. */
  max_threads: z.int().positive().optional(),
  /** Whose block the occupancy is of: the kernel's, as pawl.yaml says, or any that is usual. */
  block: z.enum(['stated', 'any']),
  /** Empty for chips that are not known. */
  occupancy: z.array(
    z.object({
      threads: z.int().positive(),
      blocks_per_sm: z.int().nonnegative(),
      occupancy_pct: z.number().min(0).max(100),
      /** What allows no more. */
      limited_by: z.array(z.enum(['warps', 'blocks', 'registers', 'shared memory', 'barriers'])),
    }),
  ),
});
export type StaticResources = z.infer<typeof staticResourcesSchema>;

/** Units of a multiprocessor; `issue`: the schedulers, through which every instruction goes. */
export const SASS_PIPES = [
  'issue',
  'fp32',
  'fp64',
  'fp16',
  'integer',
  'special',
  'convert',
  'memory',
  'tensor',
] as const;
export type SassPipe = (typeof SASS_PIPES)[number];

const pipeSchema = z.enum(SASS_PIPES);

/** Static: one pass of a warp through a loop. How often it runs is not in the code. */
const staticLoopSchema = z.object({
  file: z.string(),
  /** First and last; the loop's code may have other lines and files between. */
  lines: z.tuple([z.int().positive(), z.int().positive()]),
  /** Instructions that run in every pass. */
  instructions: z.int().positive(),
  /** Clocks of a multiprocessor, at the least: those of the unit that is busiest. */
  least_cycles: z.number().positive(),
  bound_by: pipeSchema,
  /** Clocks by unit. */
  cycles: z.partialRecord(pipeSchema, z.number().positive()),
  /** Of the unit with most of the floating-point operations: what of its peak this mix can reach. */
  peak: z.object({ unit: z.enum(['fp32', 'fp64', 'fp16', 'tensor']), most_pct: z.number() }).optional(),
});
export type StaticLoop = z.infer<typeof staticLoopSchema>;

export const hotLinesSchema = z.object({
  kernel: z.string(),
  basis: z.enum(LINE_SOURCES),
  samples: z.number().nonnegative(),
  /** In percent of the samples: those whose line is known. */
  located_pct: z.number().min(0).max(100),
  /** Static: registers, shared memory, and the occupancy that they allow. */
  resources: staticResourcesSchema.optional(),
  /** Static: the innermost loops, and what one pass takes at the least. */
  loops: z.array(staticLoopSchema).optional(),
  /** In order: the first costs most. */
  lines: z.array(hotLineSchema),
});
export type HotLines = z.infer<typeof hotLinesSchema>;

/** Static: the least time that the operations of a case take with the instructions that the code has for them. */
export const mixBoundSchema = z.object({
  /** Of the case, as pawl.yaml counts them. */
  operations: z.number().positive(),
  least_us: z.number().positive(),
  bound_by: pipeSchema,
  /** The stretch of code with the most operations per clock: no other could do better. */
  best: z.object({ file: z.string(), line: z.int().nonnegative() }),
  /** As timed without a profiler. */
  measured_us: z.number().positive().optional(),
});
export type MixBound = z.infer<typeof mixBoundSchema>;
