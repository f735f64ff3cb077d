import { extname } from 'node:path';

import type { KernelPlan } from '../config/plan-kernel.ts';
import type { BuildJob } from './build-job.ts';

/** The library that is measured; undefined for a kernel in Python, and for a plan that is only an oracle's. */
export function kernelJob(plan: KernelPlan, archs: readonly string[]): BuildJob | undefined {
  if (plan.language === 'python' || plan.sources.length === 0) return undefined;
  return {
    name: plan.name,
    language: plan.language,
    output: 'shared',
    sources: plan.sources,
    includeDirs: plan.includeDirs,
    defines: plan.variant,
    flags: plan.flags,
    links: plan.links,
    arch: plan.language === 'cuda' ? archs : [],
    ...(plan.environment && { environment: plan.environment }),
  };
}

/**
 * The library that says what is right; undefined where there is no oracle or it is in Python. It gets none of
 * the kernel's flags (`-ffast-math` would make it as wrong as what it judges) and none of its tunables, so
 * that all variants share one.
 */
export function oracleJob(plan: KernelPlan, archs: readonly string[] = []): BuildJob | undefined {
  const { oracle } = plan;
  if (oracle === undefined || 'module' in oracle) return undefined;
  const common = {
    name: `${plan.name}-oracle`,
    output: 'shared',
    includeDirs: plan.oracleFrom?.includeDirs ?? plan.includeDirs,
    defines: {},
    flags: ['-O2'],
    links: [],
    ...(plan.environment && { environment: plan.environment }),
  } as const;
  if (oracle.cuda !== undefined && usesCudaOracle(plan, oracle)) {
    return { ...common, language: 'cuda', sources: [oracle.cuda], arch: archs };
  }
  if (oracle.source === undefined) return undefined;
  return {
    ...common,
    language: extname(oracle.source) === '.c' ? 'c' : 'c++',
    sources: [oracle.source],
    optionalFlags: ['-fopenmp'],
    arch: [],
  };
}

/** For kernels in Python an oracle works on the host, whatever the device, where there is one that can. */
export function usesCudaOracle(
  { language, device }: Pick<KernelPlan, 'language' | 'device'>,
  { source, cuda }: { readonly source?: string; readonly cuda?: string },
): boolean {
  return cuda !== undefined && (language === 'cuda' || (source === undefined && device === 'cuda'));
}
