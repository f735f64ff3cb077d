import type { Problem } from './problem-schema.ts';

/** As in pawl.yaml, or as planned, with absolute paths. */
interface Named {
  readonly oracle?:
    | { readonly module: string; readonly init?: { readonly module: string } | undefined }
    | { readonly source?: string | undefined; readonly cuda?: string | undefined }
    | undefined;
  readonly checker?: { readonly module: string } | undefined;
  readonly generator?: Problem['generator'];
}

/** Files that pawl.yaml names of what says what is right, and of what makes the inputs. */
export function judgeSources({ oracle, checker, generator }: Named): string[] {
  const ofOracle =
    oracle === undefined
      ? []
      : 'module' in oracle
        ? [oracle.module, oracle.init?.module]
        : [oracle.source, oracle.cuda];
  const named = [...ofOracle, checker?.module, generator?.module].filter((path) => path !== undefined);
  return [...new Set(named)];
}
