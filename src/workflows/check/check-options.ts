import type { Baseline } from '../../model/judge/baseline.ts';
import type { Profilers } from '../../profile/capture/profilers.ts';
import type { Ruling } from '../../ratchet/base-judge/rule-on-judge.ts';
import type { CompareOptions } from '../runs/compare/hold-sides.ts';

/** When `check` profiles: what changed, everything that was measured, or nothing. */
export type ProfileWhen = 'auto' | 'always' | 'never';

/** The commit that a change is based on. */
export interface BaseCommit {
  readonly commit: string;
  readonly has: (kernel: string, name: string) => boolean;
}

/** Which kernels and cases to check, the baseline, and whether it may move. */
export interface CheckOptions extends CompareOptions {
  readonly config?: string;
  readonly only?: readonly string[];
  readonly cases?: readonly string[];
  /** The baseline file; default: `pawl-baseline.json` beside pawl.yaml. */
  readonly baseline?: string;
  /** Write first entries and confirmed improvements into the baseline. Default false: only look. */
  readonly update?: boolean;
  /** Write the moved baseline here instead, unsigned. Another job, which has the key and runs no kernels, signs it. */
  readonly proposeTo?: string;
  /** Called after measuring and before the baseline moves. Throws if it must not move. */
  readonly beforeUpdate?: () => Promise<void>;
  /** Profile the largest changes, everything, or nothing. Default `auto`: changes that count. */
  readonly profile?: ProfileWhen;
  readonly profilers?: Profilers;
  /** Whose oracles, cases and thresholds judge the files. Default: those at the commit of the baseline. */
  readonly ruling?: Ruling;
  /** Accept changes of oracles, cases and thresholds; with `update`, the baseline records that. Default false. */
  readonly acceptJudgeChange?: boolean;
  /** With `update`: write entries that were measured while other work ran here. Default: $PAWL_ACCEPT_LOAD. */
  readonly acceptLoad?: boolean;
  /** The text of the baseline, instead of the file; null: no baseline. */
  readonly baselineText?: string | null;
  /** Use the waivers of this baseline instead. */
  readonly waiversOf?: Baseline;
  /** The commit that cases without an entry are compared with, if it has them. */
  readonly baseCommit?: BaseCommit;
  /** The folder of the report; without it, only the baseline is written. */
  readonly out?: string;
  /** Store the run in the history. Default: as pawl.yaml says. */
  readonly history?: boolean;
}
