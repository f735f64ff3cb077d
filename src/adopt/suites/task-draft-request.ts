import type { Looked } from '../python/inspection.ts';
import type { Names } from '../python/modules.ts';
import type { TaskStudy } from '../python/task-study.ts';
import type { TaskFile } from './task-file.ts';

export interface TaskDraftRequest extends Names {
  /** task.yml. */
  readonly file: string;
  readonly task: TaskFile;
  readonly study: TaskStudy;
  readonly device: 'cpu' | 'cuda';
  readonly reference: Looked;
  readonly solution: { readonly file: string; readonly looked: Looked } | undefined;
  /** The text of `pawl_suite.py`. */
  readonly support: string;
}

/** What a submission defines. */
export const SOLUTION_FUNCTION = 'custom_kernel';

/** How the functions of a reference begin that has several in place of `ref_kernel`. */
export const PART = 'reference_';

export function partsOf({ functions }: Looked): string[] {
  const names = functions.map(({ name }) => name);
  return names.includes('ref_kernel') ? [] : names.filter((name) => name.startsWith(PART));
}
