import { CHECKOUT, DOWNLOAD, UPLOAD } from './github-pins.ts';
import {
  actionCheckout,
  APPROVAL_LABEL,
  quoted,
  runsOn,
  workingDirectory,
  type GitHubSettings,
} from './github-settings.ts';

/** `.github/workflows/pawl.yml`: the gate on pull requests, and the baseline on the default branch. */
export function ratchetWorkflow(settings: GitHubSettings): string {
  const { action, defaultBranch, folder, paths } = settings;
  const list = (indent: string, items: readonly string[]) =>
    items.map((path) => `\n${indent}- ${quoted(path)}`).join('');
  const baseline = folder === '' ? 'pawl-baseline.json' : `${folder}/pawl-baseline.json`;
  return `# Written by \`pawl init --github\`; docs/ci-workflows.md of Pawl says why each part is as it is.
name: pawl

on:
  pull_request:
    types: [opened, synchronize, reopened, labeled]
    paths:${list('      ', [...paths, baseline, '.github/workflows/pawl.yml'])}
  push:
    branches: [${quoted(defaultBranch)}]
    paths:${list('      ', paths)}
  workflow_dispatch:
    inputs:
      kernels:
        description: Only these kernels (commas between them)
        type: string
        default: ''
      cases:
        description: Only these cases (commas between them)
        type: string
        default: ''
      profile:
        description: When to profile
        type: choice
        options: [auto, always, never]
        default: auto

# Each job says what it needs.
permissions: {}

jobs:
  benchmark:
    # Code of a fork reaches the runner only by the label, and only as it was when the label was set: a later push
    # is another event. Decided here, before a runner is given to it, and again in the first step.
    if: >-
      github.event_name == 'workflow_dispatch' ||
      (github.event_name == 'pull_request' &&
      github.event.pull_request.head.repo.full_name == github.repository &&
      github.event.action != 'labeled') ||
      (github.event_name == 'pull_request' &&
      github.event.pull_request.head.repo.full_name != github.repository &&
      github.event.action == 'labeled' &&
      github.event.label.name == '${APPROVAL_LABEL}')
    runs-on: ${runsOn(settings)}
    timeout-minutes: 120
    permissions:
      contents: read
    concurrency:
      group: pawl-benchmark-\${{ github.event.pull_request.number || github.ref }}
      cancel-in-progress: true
    steps:
      - name: Refuse a fork that was not approved
        shell: bash
        env:
          EVENT: \${{ github.event_name }}
          ACTION: \${{ github.event.action }}
          LABEL: \${{ github.event.label.name }}
          HEAD_REPOSITORY: \${{ github.event.pull_request.head.repo.full_name }}
        run: |
          if [ "$EVENT" = pull_request ] && [ "$HEAD_REPOSITORY" != "$GITHUB_REPOSITORY" ]; then
            if [ "$ACTION" != labeled ] || [ "$LABEL" != ${APPROVAL_LABEL} ]; then
              echo '::error::This pull request is from a fork: a maintainer sets the label ${APPROVAL_LABEL} to run it.'
              exit 1
            fi
          fi
      - uses: ${CHECKOUT}
        with:
          # The commit of the event, not the newest one of the branch. All of history: the baseline names commits.
          ref: \${{ github.event.pull_request.head.sha || github.sha }}
          fetch-depth: 0
          persist-credentials: false
      - uses: ${action}
        with:
          command: setup
      # A script, not an action: GitHub gives actions a token of its own for artifacts and caches.
      - name: Measure
        shell: bash${workingDirectory(settings, '        ')}
        env:
          KERNELS: \${{ inputs.kernels }}
          CASES: \${{ inputs.cases }}
          PROFILE: \${{ inputs.profile }}
        run: |
          pawl ci run --no-comment --wait 600 --out "$RUNNER_TEMP/pawl-ci" \\
            \${KERNELS:+"--only=$KERNELS"} \${CASES:+"--case=$CASES"} \${PROFILE:+"--profile=$PROFILE"}
      - if: always()
        uses: ${UPLOAD}
        with:
          name: pawl-ci
          path: \${{ runner.temp }}/pawl-ci
          retention-days: 30
      - name: Undo clock locks
        if: always()
        uses: ${action}
        with:
          command: restore

  report:
    # A fork's token cannot write: pawl-publish.yml reports for forks.
    needs: benchmark
    if: >-
      !cancelled() && github.event_name == 'pull_request' &&
      (needs.benchmark.result == 'success' || needs.benchmark.result == 'failure') &&
      github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      actions: read
      checks: write
      pull-requests: write
    steps:
${actionCheckout(settings, CHECKOUT)}      - uses: ${DOWNLOAD}
        with:
          name: pawl-ci
          path: \${{ runner.temp }}/pawl-ci
      - uses: ${action}
        with:
          command: post
          out: \${{ runner.temp }}/pawl-ci
          result: \${{ needs.benchmark.result }}
          token: \${{ github.token }}

  remeasure:
    # Reviewed code only: measured again here, whatever a pull request had measured. Kernels run in this job, so it
    # has no secret and no token that writes; what it finds is a proposal.
    if: >-
      github.event_name == 'push' && !github.event.repository.fork &&
      github.ref == format('refs/heads/{0}', github.event.repository.default_branch)
    runs-on: ${runsOn(settings)}
    timeout-minutes: 120
    permissions:
      contents: read
    outputs:
      verdict: \${{ steps.pawl.outputs.verdict }}
    concurrency:
      group: pawl-remeasure
      cancel-in-progress: false
    steps:
      - uses: ${CHECKOUT}
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: ${action}
        with:
          command: setup
      - id: pawl
        name: Measure
        shell: bash${workingDirectory(settings, '        ')}
        env:
          # Rebuilt: another job on this machine may have written to a cache that is kept.
          PAWL_CACHE_DIR: \${{ runner.temp }}/pawl-cache
        run: pawl ci run --propose --no-comment --wait 600 --out "$RUNNER_TEMP/pawl-ci"
      - if: always()
        uses: ${UPLOAD}
        with:
          name: pawl-baseline
          path: \${{ runner.temp }}/pawl-ci
          retention-days: 90
      - name: Undo clock locks
        if: always()
        uses: ${action}
        with:
          command: restore

  baseline:
    # Runs no kernel and builds nothing: a fresh machine and checkout, the token, the key, and a proposal that it checks.
    needs: remeasure
    # A regression of one case does not hold back the gain of another.
    if: \${{ !cancelled() && needs.remeasure.outputs.verdict != '' }}
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: write # the baseline's own commit
      pull-requests: write # where a branch rule refuses that commit, it is proposed
    concurrency:
      group: pawl-baseline
      cancel-in-progress: false
    steps:
      - uses: ${CHECKOUT}
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: ${DOWNLOAD}
        with:
          name: pawl-baseline
          path: \${{ runner.temp }}/pawl-ci
      - name: Push the baseline
        uses: ${action}
        env:
          PAWL_BASELINE_KEY: \${{ secrets.PAWL_BASELINE_KEY }}
        with:
          command: baseline
          from: \${{ runner.temp }}/pawl-ci
          token: \${{ github.token }}${workingDirectory(settings, '          ')}
`;
}
