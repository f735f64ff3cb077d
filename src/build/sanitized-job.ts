import type { CpuSanitizer } from '../model/correctness/sanitizer.ts';
import type { BuildJob } from './build-job.ts';

const option = (sanitizers: readonly CpuSanitizer[]): string =>
  `-fsanitize=${[...sanitizers].sort().join(',')}`;

/**
 * A program of ours that loads what `sanitizedJob` builds: it has the sanitizers' runtimes, and is not watched itself,
 * which would only make it slower to build and to run.
 */
export function sanitizingJob(job: BuildJob, sanitizers: readonly CpuSanitizer[]): BuildJob {
  return { ...job, name: `${job.name}-sanitized`, links: [...job.links, option(sanitizers)] };
}

/**
 * The same job with the compiler's sanitizers: another flavour, kept in the cache beside the plain one. Little is
 * optimised, so that what the source does wrong is still there to be seen.
 */
export function sanitizedJob(job: BuildJob, sanitizers: readonly CpuSanitizer[]): BuildJob {
  const flags = [...job.flags, option(sanitizers), '-fno-omit-frame-pointer', '-g', '-O1'];
  // clang keeps the runtime in the program alone: a library finds its names only when it is loaded.
  const links = job.output === 'shared' ? [...job.links, '-Wl,-z,undefs'] : job.links;
  return { ...job, name: `${job.name}-sanitized`, flags, links };
}
