import { defined } from '../../model/defined.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { ToolFound } from '../compiler-versions.ts';
import type { GpuList } from '../gpus.ts';
import type { PawlError } from '../../model/pawl-error.ts';
import type { DoctorProbe } from '../../model/reports/doctor-report.ts';
import type { Needs } from './needs.ts';
import type { PythonFacts } from './python-facts.ts';
import type { ProcessContext } from '../../os/run-context.ts';

/** What a probe found; the rest of a `DoctorProbe` is said beside it. */
export type Finding = Pick<DoctorProbe, 'state' | 'detail' | 'remedy' | 'fix'>;

export interface Probe {
  readonly id: string;
  readonly group: DoctorProbe['group'];
  readonly title: string;
  readonly needed_for: string;
  readonly required: (needs: Needs) => boolean;
  readonly look: (context: DoctorContext) => Promise<Finding>;
}

/** What probes share. What takes another process to find out is asked once, by the first probe that needs it. */
export interface DoctorContext extends Pick<ProcessContext, 'signal' | 'env'> {
  readonly loaded: LoadedConfig | PawlError | undefined;
  /** The project's directory; where there is no project, the current one. */
  readonly root: string;
  /** Where the built runners go: they belong to Pawl, not to a project. */
  readonly cacheDir: () => Promise<string>;
  readonly stateDir: string | undefined;
  readonly timeout_ms: number;
  readonly gpus: () => Promise<GpuList>;
  readonly cxx: () => Promise<ToolFound | undefined>;
  readonly nvcc: () => Promise<ToolFound | undefined>;
  readonly python: () => Promise<PythonFacts>;
  /** The project has CUDA kernels, a GPU is demanded, or there is no project to say so. */
  readonly wantsGpu: boolean;
  /** An installer that can be run without a question, or undefined. */
  readonly aptInstall: (...packages: readonly string[]) => Promise<readonly string[] | undefined>;
}

export function ok(detail: string): Finding {
  return { state: 'ok', detail };
}

export function skipped(detail: string): Finding {
  return { state: 'skipped', detail };
}

export function warning(detail: string, remedy?: string): Finding {
  return { state: 'warning', detail, ...defined({ remedy }) };
}

/** Something that is not installed; with `packages` where apt can install it. */
export async function missing(
  context: DoctorContext,
  detail: string,
  remedy: string,
  packages: readonly string[] = [],
): Promise<Finding> {
  const command = packages.length === 0 ? undefined : await context.aptInstall(...packages);
  if (command === undefined) return { state: 'missing', detail, remedy };
  const fix = { description: `install ${packages.join(', ')} with apt`, command: [...command] };
  return { state: 'missing', detail, remedy, fix };
}
