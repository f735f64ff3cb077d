import type { OnProgress } from '../model/measure/progress.ts';
import type { Environment } from './environment.ts';

/** What the caller of a workflow may give it: a signal to stop it, a clock, and a listener for progress. */
export interface RunContext {
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly onProgress: OnProgress;
}

/** The same, with environment variables. */
export interface ProcessContext extends RunContext {
  readonly env: Environment;
}

/** What a caller may leave out, or leave undefined. */
type Given<Context> = { readonly [Key in keyof Context]?: Context[Key] | undefined };

/** The default: nothing interrupts, the clock is the machine's, and no one listens. */
export function runContext({ signal, now, onProgress }: Given<RunContext>): RunContext {
  return {
    signal: signal ?? new AbortController().signal,
    now: now ?? (() => new Date()),
    onProgress: onProgress ?? (() => undefined),
  };
}

/** The same with the variables of this process. */
export function processContext({ env, ...rest }: Given<ProcessContext>): ProcessContext {
  return { ...runContext(rest), env: env ?? process.env };
}
