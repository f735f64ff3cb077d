import type { CpuSanitizer } from '../model/sanitizer.ts';
import type { BuildJob } from './build-job.ts';

/**
 * The same job with the compiler's sanitizers: another flavour, kept in the cache beside the plain one. Little is
 * optimised, so that what the source does wrong is still there to be seen.
 */
export function sanitizedJob(job: BuildJob, sanitizers: readonly CpuSanitizer[]): BuildJob {
  const flags = [
    ...job.flags,
    `-fsanitize=${[...sanitizers].sort().join(',')}`,
    '-fno-omit-frame-pointer',
    '-g',
    '-O1',
  ];
  // clang keeps the runtime in the program alone: a library finds its names only when it is loaded.
  const links = job.output === 'shared' ? [...job.links, '-Wl,-z,undefs'] : job.links;
  return { ...job, name: `${job.name}-sanitized`, flags, links };
}
