import { extname } from 'node:path';

import type { KernelPlan } from '../config/plan-kernel.ts';
import { defined } from '../model/defined.ts';
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
  return oracle === undefined || 'module' in oracle ? undefined : judgeJob(plan, 'oracle', oracle, archs);
}

/** The same of what makes inputs and of what judges outputs. */
export function generatorJob(plan: KernelPlan, archs: readonly string[] = []): BuildJob | undefined {
  const { generator } = plan;
  if (generator === undefined || generator.module !== undefined) return undefined;
  return judgeJob(plan, 'generator', defined(generator), archs);
}

export function checkerJob(plan: KernelPlan): BuildJob | undefined {
  const { checker } = plan;
  if (checker === undefined || checker.module !== undefined) return undefined;
  return judgeJob(plan, 'checker', { source: checker.source }, []);
}

function judgeJob(
  plan: KernelPlan,
  part: 'oracle' | 'generator' | 'checker',
  code: { readonly source?: string; readonly cuda?: string; readonly links?: readonly string[] },
  archs: readonly string[],
): BuildJob | undefined {
  const common = {
    name: `${plan.name}-${part}`,
    output: 'shared',
    includeDirs: plan.oracleFrom?.includeDirs ?? plan.includeDirs,
    defines: {},
    flags: ['-O2'],
    links: code.links ?? [],
    ...(plan.environment && { environment: plan.environment }),
  } as const;
  if (code.cuda !== undefined && usesCudaOracle(plan, code)) {
    return { ...common, language: 'cuda', sources: [code.cuda], arch: archs };
  }
  if (code.source === undefined) return undefined;
  return {
    ...common,
    language: extname(code.source) === '.c' ? 'c' : 'c++',
    sources: [code.source],
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
