import type { AdoptCandidate, Assumption, Entrance, Missing } from '../model/reports/adopt-report.ts';
import type { Dtype } from '../model/problem/tensor.ts';

export interface DraftTensor {
  readonly name: string;
  readonly role: 'input' | 'output' | 'inout';
  readonly dtype: Dtype;
  /** Formulas over the dimensions; undefined: a person has to say. */
  readonly shape: readonly string[] | undefined;
  /** The same of an input that is a view. */
  readonly strides?: readonly string[];
  readonly offset?: string;
  /** As it stands in pawl.yaml. */
  readonly fill?: string;
  readonly distribution?: string;
  /** Of an output: `tolerance: { … }`, where it has one of its own. */
  readonly tolerance?: string;
  readonly comment?: string;
}

/** A line of pawl.yaml below a problem or a kernel: `key: value # comment`. */
export interface DraftLine {
  readonly key: string;
  readonly value: string;
  readonly comment?: string;
}

export interface DraftKernel {
  readonly name: string;
  readonly lines: readonly DraftLine[];
}

/** A file of the project: its path below the project's folder, and its text. */
export interface DraftFile {
  readonly path: string;
  readonly text: string;
}

/** A project, before it is written. */
export interface Draft {
  readonly entrance: Entrance;
  readonly candidates: readonly AdoptCandidate[];
  /** The function or class that is adopted. */
  readonly adopted: string;
  readonly problem: string;
  readonly dims: readonly string[];
  readonly tensors: readonly DraftTensor[];
  /** Further keys of the problem, in their order. */
  readonly lines: readonly DraftLine[];
  readonly cases: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly caseComments: Readonly<Record<string, string>>;
  readonly kernels: readonly DraftKernel[];
  readonly device: 'cpu' | 'cuda';
  /** All but pawl.yaml. */
  readonly files: readonly DraftFile[];
  readonly assumed: readonly Assumption[];
  readonly missing: readonly Missing[];
}
