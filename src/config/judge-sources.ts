import type { TensorSpec } from '../model/problem/tensor.ts';
import type { Problem } from './problem-schema.ts';
import { writtenFiles } from './recorded-schema.ts';

/** As in pawl.yaml, or as planned, with absolute paths. */
interface Named {
  readonly oracle?:
    | { readonly module: string; readonly init?: { readonly module: string } | undefined }
    | { readonly source?: string | undefined; readonly cuda?: string | undefined }
    | undefined;
  readonly checker?: Problem['checker'];
  readonly generator?: Problem['generator'];
  readonly tensors?: Problem['tensors'];
  readonly cases?: Problem['cases'] | PlannedCases;
}
type PlannedCases = readonly { readonly tensors: readonly TensorSpec[] }[];

/** Files that pawl.yaml names of what says what is right, of what makes the inputs, and of inputs. */
export function judgeSources(named: Named): string[] {
  return [...new Set([...codeSources(named), ...recordedFiles(named)])];
}

/** Files that hold contents of inputs. */
export function recordedFiles({ tensors = {}, cases }: Named): string[] {
  const written = Object.values(tensors).flatMap(({ fill }) =>
    fill?.kind === 'recorded' ? writtenFiles(fill).map(({ path }) => path) : [],
  );
  const planned = (isPlanned(cases) ? cases : []).flatMap((one) =>
    one.tensors.flatMap(({ fill }) =>
      fill.kind === 'recorded' ? fill.recordings.map(({ path }) => path) : [],
    ),
  );
  return [...new Set([...written, ...planned])];
}

/** The code among them. */
export function codeSources({ oracle, checker, generator }: Named): string[] {
  const ofOracle =
    oracle === undefined
      ? []
      : 'module' in oracle
        ? [oracle.module, oracle.init?.module]
        : [oracle.source, oracle.cuda];
  const named = [...ofOracle, checker?.module, generator?.module, ...libraryCode({ checker, generator })];
  return [...new Set(named.filter((path) => path !== undefined))];
}

/** What of it makes inputs or judges outputs and is compiled. */
export function libraryCode({ checker, generator }: Pick<Named, 'checker' | 'generator'>): string[] {
  const ofChecker = checker === undefined || checker.module !== undefined ? [] : [checker.source];
  const ofGenerator =
    generator === undefined || generator.module !== undefined ? [] : [generator.source, generator.cuda];
  return [...ofChecker, ...ofGenerator].filter((path) => path !== undefined);
}

function isPlanned(cases: Named['cases']): cases is PlannedCases {
  return Array.isArray(cases);
}
