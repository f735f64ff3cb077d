import { join, resolve } from 'node:path';

import { API, SymbolFlags } from 'typescript/unstable/sync';

export const REPOSITORY = resolve(import.meta.dirname, '../..');

/** An export of the package, with the comment at its declaration. */
export interface DocumentedExport {
  readonly name: string;
  readonly isFunction: boolean;
  readonly text: string;
  /** In the order of the comment: `throws`, `example` … */
  readonly tags: readonly { readonly name: string; readonly text: string }[];
}

/** The exports of `src/index.ts`, values and types, as the compiler sees them. */
export function publicApi(): DocumentedExport[] {
  const config = join(REPOSITORY, 'tsconfig.build.json');
  const api = new API({ cwd: REPOSITORY });
  try {
    const { program, checker } = api.updateSnapshot({ openProjects: [config] }).getProject(config)!;
    const index = checker.getSymbolAtLocation(program.getSourceFile(join(REPOSITORY, 'src/index.ts'))!);
    return checker.getExportsOfModule(index!).map((exported) => {
      const declared = checker.getAliasedSymbol(exported);
      return {
        name: exported.name,
        isFunction: (declared.flags & SymbolFlags.Function) !== 0,
        text: checker.getDocumentationCommentOfSymbol(declared),
        tags: checker.getJsDocTagsOfSymbol(declared).map(({ name, text = '' }) => ({ name, text })),
      };
    });
  } finally {
    api.close();
  }
}
