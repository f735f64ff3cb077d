/** What the sanitizers find, whichever found it (`pawl fuzz --sanitize`). */
import { z } from 'zod';

/** compute-sanitizer's, for kernels on CUDA. */
export const CUDA_SANITIZERS = ['memcheck', 'racecheck', 'initcheck', 'synccheck'] as const;
export type CudaSanitizer = (typeof CUDA_SANITIZERS)[number];

/** The compiler's, for C and C++ kernels on the CPU. */
export const CPU_SANITIZERS = ['address', 'undefined'] as const;
export type CpuSanitizer = (typeof CPU_SANITIZERS)[number];

export const SANITIZERS = [...CUDA_SANITIZERS, ...CPU_SANITIZERS] as const;
export type Sanitizer = (typeof SANITIZERS)[number];

const sanitizerFindingSchema = z.object({
  tool: z.enum(SANITIZERS),
  /** `invalid-access`, `race`, `heap-buffer-overflow`, `signed-integer-overflow` … */
  kind: z.string(),
  /** The tool's own first line. */
  message: z.string(),
  /** The function it happened in. */
  kernel: z.string().optional(),
  /** `file:line`, where the code was compiled with line information. */
  where: z.string().optional(),
  access: z.enum(['read', 'write']).optional(),
  size_bytes: z.int().positive().optional(),
  /** CUDA: x, y, z of the first thread that did it, and of its block. */
  thread: z.array(z.int().nonnegative()).length(3).optional(),
  block: z.array(z.int().nonnegative()).length(3).optional(),
});
export type SanitizerFinding = z.infer<typeof sanitizerFindingSchema>;
