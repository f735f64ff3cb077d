import type { Baseline } from '../../model/baseline.ts';
import type { Profilers } from '../../profile/capture/profilers.ts';
import type { Ruling } from '../../ratchet/base-judge/rule-on-judge.ts';
import type { CompareOptions } from '../runs/compare/hold-sides.ts';

/** When `check` profiles: what changed, everything that was measured, or nothing. */
export type ProfileWhen = 'auto' | 'always' | 'never';

/** Where a change comes from: what a case without an entry can be compared with. */
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
  /** Where the moved baseline is written instead, unsigned: for somebody who has the key, and does not run kernels. */
  readonly proposeTo?: string;
  /** Asked when everything was measured and before the baseline moves; throws where it must not. */
  readonly beforeUpdate?: () => Promise<void>;
  /** Profile the largest changes, everything, or nothing. Default `auto`: changes that count. */
  readonly profile?: ProfileWhen;
  readonly profilers?: Profilers;
  /** Who judges the files as they are. Default: the commit of the baseline (ruling-by-baseline.ts). */
  readonly ruling?: Ruling;
  /** A person accepts what the files alter about their judge; with `update`, the baseline remembers it. Default false. */
  readonly acceptJudgeChange?: boolean;
  /** With `update`: write entries that were measured while other work ran on the machine. Default: as $PAWL_ACCEPT_LOAD says. */
  readonly acceptLoad?: boolean;
  /** The text of the baseline instead of the file's; null: there is none. */
  readonly baselineText?: string | null;
  /** Whose waivers count, instead of the baseline's. */
  readonly waiversOf?: Baseline;
  /** What cases without an entry are compared with, where it has them. */
  readonly baseCommit?: BaseCommit;
  /** Where the report goes; without it, nothing is written but the baseline. */
  readonly out?: string;
  /** Keep the run in history. Default: as pawl.yaml says. */
  readonly history?: boolean;
}
