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
      - name: Refuse a fork that nobody approved
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
          command: run
          kernels: \${{ inputs.kernels }}
          cases: \${{ inputs.cases }}
          profile: \${{ inputs.profile }}
          comment: false
          out: \${{ runner.temp }}/pawl-ci${workingDirectory(settings, '          ')}
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
      !cancelled() && needs.benchmark.result != 'skipped' && github.event_name == 'pull_request' &&
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
          token: \${{ github.token }}

  baseline:
    # Reviewed code only: measured again here, whatever a pull request had measured.
    if: >-
      github.event_name == 'push' && !github.event.repository.fork &&
      github.ref == format('refs/heads/{0}', github.event.repository.default_branch)
    runs-on: ${runsOn(settings)}
    timeout-minutes: 120
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
      - id: pawl
        uses: ${action}
        env:
          PAWL_BASELINE_KEY: \${{ secrets.PAWL_BASELINE_KEY }}
        with:
          command: run
          update: true
          comment: false
          out: \${{ runner.temp }}/pawl-ci${workingDirectory(settings, '          ')}
      - name: Push the baseline
        # A regression of one case does not hold back the gain of another.
        if: \${{ !cancelled() && steps.pawl.outputs.verdict != '' }}
        uses: ${action}
        env:
          PAWL_BASELINE_KEY: \${{ secrets.PAWL_BASELINE_KEY }}
        with:
          command: baseline
          token: \${{ github.token }}${workingDirectory(settings, '          ')}
      - if: always()
        uses: ${UPLOAD}
        with:
          name: pawl-baseline
          path: |
            \${{ runner.temp }}/pawl-ci
            ${baseline}
          retention-days: 90
      - name: Undo clock locks
        if: always()
        uses: ${action}
        with:
          command: restore
`;
}
