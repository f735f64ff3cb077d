/** The Python that Python kernels run in, and what it has. */
import { defined } from '../model/defined.ts';
import { candidateEnvironment } from './candidate-environment.ts';
import { runCommand } from '../os/run-command.ts';
import type { ProcessContext } from '../os/run-context.ts';

/** The Python candidate uses nothing newer than 3.9, the oldest that current PyTorch releases were built for. */
const PYTHON_OLDEST = [3, 9] as const;

export type PythonLookup =
  | { readonly status: 'found'; readonly path: string; readonly version: string }
  | { readonly status: 'missing' | 'too-old' | 'failed'; readonly message: string };

export interface PythonOptions extends Partial<Pick<ProcessContext, 'signal' | 'env'>> {
  readonly timeout_ms?: number;
}

const TIMEOUT_MS = 10_000;
const IDENTIFY = 'import sys; print(sys.executable); print("%d.%d.%d" % sys.version_info[:3])';

/**
 * `$PAWL_PYTHON`, else `python3` on the PATH (which is the active virtual environment's, where there is one).
 * A `$PAWL_PYTHON` that does not work is an error, not a reason to take another.
 */
export async function findPython(options: PythonOptions = {}): Promise<PythonLookup> {
  const env = options.env ?? process.env;
  const chosen = env['PAWL_PYTHON'];
  const command = chosen === undefined || chosen === '' ? 'python3' : chosen;
  const named = command === chosen ? `$PAWL_PYTHON (${command})` : command;
  const run = await runCommand(command, ['-c', IDENTIFY], {
    env: candidateEnvironment(env),
    timeout_ms: options.timeout_ms ?? TIMEOUT_MS,
    ...defined({ signal: options.signal }),
  });
  if (run.status === 'missing') return { status: 'missing', message: `${named} does not exist.` };
  if (run.status !== 'exited' || run.code !== 0) {
    const said = run.stderr.trim().split('\n').at(-1) ?? '';
    const how = run.status === 'exited' ? `ended with ${run.code}` : `was ${run.status}`;
    return { status: 'failed', message: `${named} ${how}${said === '' ? '' : `: ${said}`}.` };
  }
  const [path = command, version = ''] = run.stdout.trim().split('\n');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = PYTHON_OLDEST;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    const oldest = PYTHON_OLDEST.join('.');
    return { status: 'too-old', message: `${path} is Python ${version}; Pawl needs ${oldest} or later.` };
  }
  return { status: 'found', path, version };
}
