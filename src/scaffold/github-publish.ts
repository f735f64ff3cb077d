import { CHECKOUT } from './github-pins.ts';
import { actionCheckout, type GitHubSettings } from './github-settings.ts';

/** `.github/workflows/pawl-publish.yml`: reports for forks, without ever touching their code. */
export function publishWorkflow(settings: GitHubSettings): string {
  return `# Written by \`pawl init --github\`. Comments on pull requests from forks: their own run may not.
# It runs from the default branch, checks nothing of theirs out, and believes nothing that their run handed over.
name: pawl-publish

on:
  workflow_run:
    workflows: [pawl]
    types: [completed]

permissions: {}

jobs:
  publish:
    if: >-
      github.event.workflow_run.event == 'pull_request' &&
      github.event.workflow_run.head_repository.full_name != github.repository &&
      (github.event.workflow_run.conclusion == 'success' || github.event.workflow_run.conclusion == 'failure')
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      actions: read
      checks: write
      pull-requests: write
    concurrency:
      group: pawl-publish-\${{ github.event.workflow_run.head_sha }}
      cancel-in-progress: false
    steps:
${actionCheckout(settings, CHECKOUT)}      - uses: ${settings.action}
        with:
          command: publish
          token: \${{ github.token }}
`;
}
