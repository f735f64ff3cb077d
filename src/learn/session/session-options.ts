import type { ProcessContext } from '../../os/run-context.ts';

export interface SessionTarget {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  /** The id of a session. Default: the latest that has not ended. */
  readonly session?: string;
}

export interface Working extends Partial<ProcessContext> {
  /** How long to wait for a device, or a session, that another command is using. */
  readonly wait_s?: number;
  /** The most processes per side of a comparison. */
  readonly processes?: number;
}
