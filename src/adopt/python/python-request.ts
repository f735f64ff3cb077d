import type { Names } from './modules.ts';

/** A Python file, and what a person said about it. */
export interface PythonRequest extends Names {
  readonly file: string;
  readonly function: string | undefined;
  /** An `nn.Module`. */
  readonly class: string | undefined;
  /** What it is built with. */
  readonly init: readonly unknown[] | Readonly<Record<string, unknown>> | undefined;
  readonly shapes: Readonly<Record<string, string>>;
  readonly inout: readonly string[];
  readonly sizes: Readonly<Record<string, number>>;
  readonly scalars: Readonly<Record<string, number>>;
  readonly solution: string | undefined;
  readonly oracle: { readonly module: string; readonly function: string } | undefined;
  readonly device: 'cpu' | 'cuda';
}
