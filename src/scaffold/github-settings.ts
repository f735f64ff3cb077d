/** What differs from one repository's workflows to another's. */
export interface GitHubSettings {
  /** `owner/name@ref`, or `./` in Pawl's own repository. */
  readonly action: string;
  readonly defaultBranch: string;
  /** Labels of the runner that measures. */
  readonly runner: readonly string[];
  /** The project's folder below the repository's top, with slashes; empty for the top itself. */
  readonly folder: string;
  /** What a change has to touch for a run to be worth its time: patterns as GitHub reads them. */
  readonly paths: readonly string[];
}

/** The label by which a maintainer lets one state of a fork's pull request run. */
export const APPROVAL_LABEL = 'pawl-approved';

/** A YAML scalar that means exactly this text. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** By an expression, since linters refuse labels that only this repository knows. */
export function runsOn({ runner }: GitHubSettings): string {
  return `\${{ fromJSON('${JSON.stringify(runner)}') }}`;
}

/** Where the action's other commands work; nothing at the top. */
export function workingDirectory({ folder }: GitHubSettings, indent: string): string {
  return folder === '' ? '' : `\n${indent}working-directory: ${quoted(folder)}`;
}

/** An action in the repository itself has to be checked out first: from the default branch, never from a change. */
export function actionCheckout({ action }: GitHubSettings, checkout: string): string {
  if (!action.startsWith('../workflows/init-templates/')) return '';
  return `      - uses: ${checkout}
        with:
          ref: \${{ github.event.repository.default_branch }}
          persist-credentials: false
`;
}
