import type { BuildFailureReason, CompilerInfo, KernelResources } from '../model/reports/build-report.ts';
import type { TunableValue } from '../model/problem/variant.ts';

export type BuildLanguage = 'c' | 'c++' | 'cuda';

/** One shared library or program to build. */
export interface BuildJob {
  readonly name: string;
  readonly language: BuildLanguage;
  readonly output: 'shared' | 'executable';
  /** Absolute paths, as are the include directories. */
  readonly sources: readonly string[];
  /**
   * Sources that are compiled as if they were one file: what they all include is read and made once. Names that are
   * a file's own (`static`, a namespace without a name) may clash in it. The others are compiled one by one.
   */
  readonly together?: readonly (readonly string[])[];
  readonly includeDirs: readonly string[];
  readonly defines: Readonly<Record<string, TunableValue>>;
  /** For compiling and for linking. */
  readonly flags: readonly string[];
  /** Used where the compiler can compile and link with them, left out where it cannot. */
  readonly optionalFlags?: readonly string[];
  readonly links: readonly string[];
  /** CUDA: `sm_90a` for machine code, `compute_90` for PTX. */
  readonly arch: readonly string[];
  /** Names of variables that compilers see beside those of toolchains. */
  readonly environment?: readonly string[];
}

export interface Built {
  readonly status: 'built' | 'cached';
  readonly artifact: string;
  readonly sha256: string;
  /** Of what is loaded of it, line information aside. */
  readonly code_sha256?: string;
  readonly key: string;
  readonly commands: readonly (readonly string[])[];
  readonly compiler: CompilerInfo;
  /** The job's flags with the optional ones that were used. */
  readonly flags: readonly string[];
  readonly resources: readonly KernelResources[];
  readonly duration_ms: number;
  readonly log: string;
  /** Every file that the compiler read, absolute. */
  readonly dependencies: readonly string[];
  /** Files that it would have read instead of another, had they been there; absolute. */
  readonly rivals: readonly string[];
  /** Whether ccache stood before the compiler. */
  readonly ccache: boolean;
}

export interface BuildFailure {
  readonly status: 'failed';
  readonly reason: BuildFailureReason;
  /** The compiler's first errors. */
  readonly message: string;
  readonly hint?: string;
  readonly log: string;
  readonly commands: readonly (readonly string[])[];
}

interface PlannedBuild {
  readonly status: 'planned';
  readonly cached: boolean;
  readonly commands: readonly (readonly string[])[];
}

/** A failed build is a value: in a search it is an everyday result. */
export type BuildOutcome = Built | BuildFailure | PlannedBuild;
