import { defined } from '../../model/defined.ts';
import { runGit } from '../../os/git/run-git.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { missing, ok, warning } from './probe.ts';
import type { Probe, DoctorContext, Finding } from './probe.ts';

export const PROJECT_PROBES: readonly Probe[] = [
  {
    id: 'config',
    group: 'project',
    title: 'pawl.yaml',
    needed_for: 'everything that measures this project',
    required: () => true,
    look: lookAtConfig,
  },
  {
    id: 'git',
    group: 'project',
    title: 'git',
    needed_for: 'naming the commit in every result',
    required: () => false,
    look: lookAtGit,
  },
];

function lookAtConfig({ loaded }: DoctorContext): Promise<Finding> {
  return Promise.resolve(configFinding(loaded));
}

function configFinding(loaded: DoctorContext['loaded']): Finding {
  // A machine can be looked at before it has a project: that is advice, not a failure.
  if (loaded === undefined) return warning('not found here', 'Write one with `pawl init`.');
  if (loaded instanceof PawlError) {
    return {
      state: 'failed',
      detail: loaded.message,
      ...defined({ remedy: loaded.hint }),
    };
  }
  const names = Object.keys(loaded.config.kernels);
  return ok(
    `${loaded.path}: ${names.length} ${names.length === 1 ? 'kernel' : 'kernels'} (${names.join(', ')})`,
  );
}

async function lookAtGit(context: DoctorContext): Promise<Finding> {
  const run = await runGit(context.root, ['rev-parse', '--short', 'HEAD'], {
    env: context.env,
    timeout_ms: context.timeout_ms,
    signal: context.signal,
  });
  if (run.status === 'missing') {
    return missing(context, 'git is not on the PATH', 'Install git.', ['git']);
  }
  if (run.status === 'exited' && run.code === 0) return ok(`at commit ${run.stdout.trim()}`);
  const said = run.stderr.trim();
  if (/dubious ownership/.test(said)) {
    return warning(
      `git refuses to read ${context.root}, which belongs to another user`,
      `Allow it with \`git config --global --add safe.directory ${context.root}\`.`,
    );
  }
  if (/not a git repository/.test(said)) {
    return warning(
      `${context.root} is not in a repository: results will not name a commit`,
      'Run `git init`.',
    );
  }
  if (/unknown revision|Needed a single revision|ambiguous argument/.test(said)) {
    return warning('there is no commit yet: results will not name one', 'Make a first commit.');
  }
  return warning(said.split('\n')[0] ?? 'git did not answer');
}
