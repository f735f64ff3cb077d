/** The inputs of action.yml, as the command line that they mean. */
import { PawlError } from '../../model/pawl-error.ts';

export interface ActionCall {
  /** `setup`: nothing is run, `pawl` is put on the path of the steps after it. */
  readonly kind: 'setup' | 'pawl';
  readonly args: readonly string[];
  readonly cwd: string;
  /** For `pawl` alone; steps that measure have none. */
  readonly token: string | undefined;
}

/** Inputs that are flags with a value, by command. */
const FLAGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  run: {
    config: '--config',
    kernels: '--only',
    cases: '--case',
    threshold: '--threshold',
    improvement: '--improvement',
    undecided: '--undecided',
    profile: '--profile',
    base: '--base',
    clocks: '--clocks',
    wait: '--wait',
    key: '--key',
    out: '--out',
  },
  post: { out: '--out', key: '--key', result: '--result' },
  publish: {
    threshold: '--threshold',
    improvement: '--improvement',
    undecided: '--undecided',
    key: '--key',
  },
  baseline: { config: '--config', from: '--from' },
  restore: {},
};

/** What GitHub hands to an action: `INPUT_` and the name in capitals, spaces as underscores. */
export function readInput(env: NodeJS.ProcessEnv, name: string): string {
  return (env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`] ?? '').trim();
}

export function actionCall(env: NodeJS.ProcessEnv): ActionCall {
  const input = (name: string) => readInput(env, name);
  const command = input('command') || 'run';
  const cwd = input('working-directory') || '.';
  const token = input('token') || undefined;
  if (command === 'setup') return { kind: 'setup', args: [], cwd, token: undefined };
  const flags = Object.hasOwn(FLAGS, command) ? FLAGS[command] : undefined;
  if (flags === undefined) {
    const known = ['setup', ...Object.keys(FLAGS)].join(', ');
    throw new PawlError('usage', `The action has no command "${command}".`, `Commands: ${known}.`);
  }
  const args = ['ci', command];
  for (const [name, flag] of Object.entries(flags)) {
    const value = input(name);
    // In one word, so that a value which begins with a dash stays a value.
    if (value !== '') args.push(`${flag}=${value}`);
  }
  if (command === 'run') {
    if (token !== undefined) {
      throw new PawlError(
        'usage',
        'The step that measures runs kernels, so it must not have a token.',
        'Give the token to a separate job, with `command: post`.',
      );
    }
    if (isTrue('update', input('update'))) args.push('--update');
    if (isTrue('propose', input('propose'))) args.push('--propose');
    args.push('--no-comment');
  }
  return { kind: 'pawl', args, cwd, token };
}

function isTrue(name: string, value: string): boolean {
  if (/^(true|yes|on)$/i.test(value)) return true;
  if (/^(false|no|off)?$/i.test(value)) return false;
  throw new PawlError('usage', `The input ${name} must be true or false, not "${value}".`);
}

/** What GitHub gives to every action, and what people give to a whole job: of no use to Pawl without a token. */
const SECRETS = /^(?:INPUT_|ACTIONS_|PAWL_BASELINE_KEY$|PAWL_GITHUB_TOKEN$)/u;

/** What the program sees: not the action's inputs, of which the token is one; where it has none, no secret at all. */
export function childEnvironment(env: NodeJS.ProcessEnv, token: string | undefined): NodeJS.ProcessEnv {
  const isHidden = (name: string): boolean =>
    name.startsWith('INPUT_') || name === 'GITHUB_TOKEN' || (token === undefined && SECRETS.test(name));
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !isHidden(name)));
  return token === undefined ? rest : { ...rest, GITHUB_TOKEN: token };
}
