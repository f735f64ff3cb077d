import { CHECKOUT, DOWNLOAD, UPLOAD } from './github-pins.ts';
import { quoted, runsOn, type GitHubSettings } from './github-settings.ts';

/** `.github/workflows/pawl-autotune.yml`: a search on the runner, its winner as a draft pull request. */
export function autotuneWorkflow(settings: GitHubSettings): string {
  const { action, folder } = settings;
  const project = folder === '' ? '.' : folder;
  return `# Written by \`pawl init --github\`. Searches a kernel's tunables and proposes what won as a draft pull request.
name: pawl-autotune

on:
  workflow_dispatch:
    inputs:
      kernel:
        description: Which kernel of pawl.yaml
        type: string
        required: true
      case:
        description: The case to tune for
        type: string
        required: true
      budget:
        description: How long to search, as in 30m or 2h
        type: string
        default: 30m

permissions: {}

jobs:
  tune:
    runs-on: ${runsOn(settings)}
    timeout-minutes: 360
    permissions:
      contents: read
    concurrency:
      group: pawl-autotune-\${{ inputs.kernel }}-\${{ inputs.case }}
      cancel-in-progress: false
    steps:
      - uses: ${CHECKOUT}
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: ${action}
        with:
          command: setup
      - name: Search
        shell: bash
        working-directory: ${quoted(project)}
        env:
          KERNEL: \${{ inputs.kernel }}
          CASE: \${{ inputs.case }}
          BUDGET: \${{ inputs.budget }}
        run: pawl tune "$KERNEL" --case "$CASE" --budget "$BUDGET" --apply --out "$RUNNER_TEMP/tuning"
      - name: Hand over what won
        shell: bash
        working-directory: ${quoted(project)}
        run: cp pawl.yaml "$RUNNER_TEMP/tuning/pawl.yaml"
      - if: always()
        uses: ${UPLOAD}
        with:
          name: pawl-tuning
          path: \${{ runner.temp }}/tuning
          retention-days: 90
      - name: Undo clock locks
        if: always()
        uses: ${action}
        with:
          command: restore

  propose:
    # Apart from the search: nothing that was built or measured runs beside a token that writes.
    needs: tune
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: write
      pull-requests: write
    steps:
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
      - uses: ${DOWNLOAD}
        with:
          name: pawl-tuning
          path: \${{ runner.temp }}/tuning
      - uses: ${action}
        with:
          command: setup
      - name: Propose
        shell: bash
        working-directory: ${quoted(project)}
        env:
          GITHUB_TOKEN: \${{ github.token }}
          KERNEL: \${{ inputs.kernel }}
          CASE: \${{ inputs.case }}
        run: |
          # As it is: where it is a link, the next command refuses it.
          cp --no-dereference "$RUNNER_TEMP/tuning/pawl.yaml" pawl.yaml
          pawl ci draft-pr pawl.yaml --base "$GITHUB_REF_NAME" --branch "pawl/tune-$KERNEL-$CASE" \\
            --title "perf: tune $KERNEL for $CASE" --body-file "$RUNNER_TEMP/tuning/suggestions.md"
`;
}
