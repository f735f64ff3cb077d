/** A kernel that was asked for and not measured: it does not build, or it cannot run on this machine. */
import { z } from 'zod';

export const skippedKernelSchema = z.object({
  kernel: z.string(),
  /** Only `build-failed` is the kernel's own doing; the others are about the machine. */
  reason: z.enum(['build-failed', 'no-compiler', 'no-gpu', 'no-python', 'no-sanitizer']),
  /** What happened. Where the compiler spoke, its first errors, a line each. */
  message: z.string(),
  /** What to do about it. */
  hint: z.string().optional(),
});
export type SkippedKernel = Readonly<z.infer<typeof skippedKernelSchema>>;

export function isBroken({ reason }: SkippedKernel): boolean {
  return reason === 'build-failed';
}

/** Kernels skipped in several parts of one run, each once. */
export function mergeSkipped(parts: readonly { readonly skipped?: readonly SkippedKernel[] | undefined }[]): {
  skipped?: SkippedKernel[];
} {
  const all = parts.flatMap(({ skipped }) => skipped ?? []);
  if (all.length === 0) return {};
  return {
    skipped: [...new Map(all.map((one) => [JSON.stringify([one.kernel, one.message]), one])).values()],
  };
}
