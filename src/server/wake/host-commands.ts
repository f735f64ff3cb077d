import { defined } from '../../model/defined.ts';
import type { WakeConfig } from '../../model/server/wake.ts';
import { runHostCommand } from '../../workflows/wake/run-host-command.ts';

export interface Outcome {
  readonly ok: boolean;
  readonly code?: number;
  /** How it ended and what it said last, in a line. */
  readonly detail: string;
}

/** What a host can be told; an implementation runs real programs or only says that it would. */
export interface HostCommands {
  run(
    host: string,
    what: 'wake' | 'sleep' | 'status' | 'alarm',
    signal: AbortSignal,
    message?: string,
  ): Promise<Outcome>;
}

/** Runs the commands of wake.yaml. They see this environment, but for the secrets in it. */
export class RealCommands implements HostCommands {
  readonly #config: WakeConfig;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(config: WakeConfig, folder: string, env: NodeJS.ProcessEnv) {
    this.#config = config;
    this.#folder = folder;
    this.#env = withoutSecrets(config, env);
  }

  async run(
    host: string,
    what: 'wake' | 'sleep' | 'status' | 'alarm',
    signal: AbortSignal,
    message?: string,
  ): Promise<Outcome> {
    const settings = this.#config.hosts[host];
    const command = what === 'alarm' ? this.#config.alarm : settings?.[what];
    if (settings === undefined || command === undefined)
      return { ok: false, detail: `${host} has no ${what}` };
    return runHostCommand(command, {
      cwd: this.#folder,
      env: { ...this.#env, PAWL_HOST: host, ...defined({ PAWL_MESSAGE: message }) },
      timeout_ms: settings.command_timeout_s * 1000,
      signal,
    });
  }
}

function withoutSecrets({ secret, status_token }: WakeConfig, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = [secret, status_token].flatMap((source) => (source && 'env' in source ? [source.env] : []));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/** For `--dry-run`: every command succeeds and none is run. */
export class DryCommands implements HostCommands {
  readonly #config: WakeConfig;

  constructor(config: WakeConfig) {
    this.#config = config;
  }

  run(host: string, what: 'wake' | 'sleep' | 'status' | 'alarm', _signal: AbortSignal): Promise<Outcome> {
    const command = what === 'alarm' ? this.#config.alarm : this.#config.hosts[host]?.[what];
    // Nothing is known of hosts that are not asked: 2 is not an answer.
    const ending = what === 'status' ? { ok: false, code: 2 } : { ok: true };
    return Promise.resolve({ ...ending, detail: `would run: ${command?.join(' ') ?? ''}` });
  }
}
