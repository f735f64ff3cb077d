/** What the parts of a pilot know: the study, the store that others share, and what was asked of this worker. */
import type { LoadedConfig } from '../../config/load-config.ts';
import type { ClusterStore, ClusterStudy } from '../study/cluster-store.ts';
import type { StorePlace } from '../study/open-store.ts';
import type { StudyBudget } from '../study/study-budget.ts';
import type { PreparedStudy } from '../study/study-subject.ts';
import type { RunContext } from '../../os/run-context.ts';

export interface PilotOptions extends RunContext {
  readonly config?: string;
  readonly study: string;
  readonly place: StorePlace;
  /** Measure the finalists against the default instead of searching. */
  readonly confirm?: boolean;
  readonly jobs?: number;
  readonly timeout_s?: number;
  readonly clocks?: 'as-is' | 'lock';
  /** Default: the one that the scheduler gave. */
  readonly gpu?: number;
  /** How long to wait for a device that another Pawl is using. */
  readonly wait_s?: number;
  /** How long to stand by for what others may lose, while nothing happens. */
  readonly idle_s?: number;
}

export interface PilotOutcome {
  readonly worker: string;
  readonly ended_by: 'searched' | 'confirmed' | 'idle' | 'interrupted';
  /** Trials that it told of. */
  readonly told: number;
}

export interface PilotContext {
  readonly store: ClusterStore;
  readonly study: ClusterStudy;
  readonly prepared: PreparedStudy;
  readonly worker: string;
  readonly options: PilotOptions;
  readonly loaded: LoadedConfig;
  readonly budget: StudyBudget;
  /** The study's clock. */
  readonly elapsed_s: () => number;
}

/** Others may measure on the device of a node, too. */
export const WAIT_S = 3600;

export function timeoutOf({ config }: LoadedConfig, { timeout_s }: PilotOptions): number {
  return timeout_s ?? config.measure.timeout_s;
}
