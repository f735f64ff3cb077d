import type { z } from 'zod';
import type { ProcessContext } from '../os/run-context.ts';

/** The project a server works on. */
export interface Project {
  /** Absolute, without links in it. */
  readonly root: string;
  /** pawl.yaml; it need not be there yet. */
  readonly config: string;
}

/** What a tool is given besides its input. */
export interface Call extends Pick<ProcessContext, 'now' | 'onProgress' | 'env'> {
  readonly project: Project;
  /** Aborted when the client cancels, goes away, or the server ends. */
  readonly signal: AbortSignal;
}

/** The same in the workflows' words. */
export function workOf({ project, ...working }: Call) {
  return { config: project.config, ...working };
}

/**
 * What a tool does to the world. `reads`: looks only. `works`: builds, runs or measures kernels and writes below
 * `.pawl`; nothing that was there is lost. `changes`: alters what others rely on (the baseline, pawl.yaml, the
 * history); there only where the server was started to allow it.
 */
type Effect = 'reads' | 'works' | 'changes';

export interface Answer<Value> {
  /** One or two sentences in Pawl's own words: no text from elsewhere stands in it. */
  readonly summary: string;
  /** What the tool's `output` reads: documents of the model. */
  readonly value: Value;
  /** Where the answer has to be shorter than others. */
  readonly limit_bytes?: number | undefined;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** What it does, when to use it, and, from `Returns` on, what comes back. */
  readonly description: string;
  readonly effect: Effect;
  /** The same call twice leaves things as one does. */
  readonly isIdempotent?: boolean;
  readonly input: Input;
  /** Projects the value that `run` gives to what the assistant is told. */
  readonly output: Output;
  run(input: z.output<Input>, call: Call): Promise<Answer<z.input<Output>>>;
}

/** Any tool, whatever it takes and gives: what a registry holds. */
export type AnyTool = Omit<Tool, 'run'> & { run(input: never, call: Call): Promise<Answer<object>> };

export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  one: Tool<Input, Output>,
): AnyTool {
  return one;
}
