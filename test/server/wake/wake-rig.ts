import { createHmac, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { wakeConfigSchema, type WakeConfig, type WakeEvent } from '../../../src/model/server/wake.ts';
import { RealCommands } from '../../../src/server/wake/host-commands.ts';
import { WakeEngine } from '../../../src/server/wake/wake-engine.ts';
import { WakeJournal } from '../../../src/server/wake/wake-journal.ts';
import { readWebhook } from '../../../src/server/wake/webhook.ts';
import { temporaryFolder } from '../../device/temporary-folder.ts';

export const SECRET = 'a secret of the webhook, for tests';

interface Payload {
  action: string;
  workflow_job: Record<string, unknown> & { id: number; labels: string[] };
  repository: Record<string, unknown> & { full_name: string };
}

const require = createRequire(import.meta.url);
const EXAMPLES = require('@octokit/webhooks-examples') as { name: string; examples: Payload[] }[];
/** As GitHub sent them. */
export const PAYLOADS: readonly Payload[] =
  EXAMPLES.find(({ name }) => name === 'workflow_job')?.examples ?? [];

/** The repository and labels of a recorded job that waited for an approval and was then queued. */
export const REPOSITORY = 'lineville/elastic-machines-testing';
export const LABELS = ['self-hosted', 'k8s'];

/** A recorded payload of GitHub's with another action, number, labels or repository. */
export function payload(
  action: string,
  {
    id = 1,
    labels = LABELS,
    repository = REPOSITORY,
    ...job
  }: Record<string, unknown> & {
    id?: number;
    labels?: string[];
    repository?: string;
  } = {},
): Payload {
  const recorded = PAYLOADS.find((one) => one.action === action) ?? PAYLOADS[0]!;
  return {
    ...recorded,
    action,
    workflow_job: { ...recorded.workflow_job, runner_name: null, created_at: null, ...job, id, labels },
    repository: { ...recorded.repository, full_name: repository },
  };
}

export function sign(body: string, secret: string = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * A program that a host is told with: it writes down that it ran, and ends as the file beside it says:
 * a number to end with, or `hang`.
 */
const PROGRAM = `#!/bin/sh
echo "$1 $PAWL_HOST \${PAWL_MESSAGE:-} secret=\${WAKE_SECRET:-none}" >> "$(dirname "$0")/ran"
case "$(cat "$(dirname "$0")/$1" 2>/dev/null)" in
  hang) exec sleep 600 ;;
  '') exit 0 ;;
  *) echo "as it was told" >&2; exit "$(cat "$(dirname "$0")/$1")" ;;
esac
`;

/** A folder with that program, a clock that is moved by hand, and engines that come and go on one journal. */
export class WakeRig {
  readonly folder: string;
  readonly events: WakeEvent[] = [];
  readonly config: WakeConfig;
  #now_ms = Date.parse('2026-07-01T10:00:00Z');
  engine: WakeEngine;
  #journal: WakeJournal;

  private constructor(folder: string, config: WakeConfig) {
    this.folder = folder;
    this.config = config;
    this.#journal = new WakeJournal(this.#state);
    this.engine = this.#newEngine();
  }

  static async make(
    hosts: Record<string, object> = { gpu: {} },
    rest: Record<string, unknown> = {},
    endings: Record<string, string> = {},
  ): Promise<WakeRig> {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'told'), PROGRAM, { mode: 0o755 });
    const rig = new WakeRig(folder, wakeConfig(folder, hosts, rest));
    for (const [what, ending] of Object.entries(endings)) await rig.let(what, ending);
    rig.engine.start();
    await rig.engine.settled();
    return rig;
  }

  get #state(): string {
    return join(this.folder, 'state');
  }

  #newEngine(): WakeEngine {
    return new WakeEngine({
      config: this.config,
      journal: this.#journal,
      commands: new RealCommands(this.config, this.folder, { ...process.env, WAKE_SECRET: SECRET }),
      now: () => new Date(this.#now_ms),
      log: (event) => this.events.push(event),
      // A minute for every question.
      pause: () => {
        this.#now_ms += 60_000;
        return Promise.resolve();
      },
    });
  }

  /** As if the server had been killed: what is under way is left behind, and another takes its journal up. */
  async restart(): Promise<void> {
    const before = this.engine;
    this.#journal.close();
    this.#journal = new WakeJournal(this.#state);
    this.engine = this.#newEngine();
    // The commands of the dead server would live on; a test cannot wait for them.
    await before.stop();
    this.engine.start();
  }

  /** Hands over a payload; another delivery each time, unless it is named. */
  deliver(told: Payload, delivery: string = randomUUID()): string {
    const { result } = this.engine.accept(delivery, readWebhook(Buffer.from(JSON.stringify(told))));
    return result;
  }

  /** Moves the clock, in steps of half a minute as ticks would come, and waits for what comes of it. */
  async pass(minutes: number): Promise<void> {
    for (let half = 0; half < 2 * minutes; half += 1) {
      this.#now_ms += 30_000;
      this.engine.tick();
      await this.engine.settled();
    }
  }

  /** How the program ends from now on when it is told this. */
  async let(what: string, ending: string): Promise<void> {
    await writeFile(join(this.folder, what), ending);
  }

  /** What ran, in order: `wake gpu`. */
  async ran(): Promise<string[]> {
    const text = await readFile(join(this.folder, 'ran'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('status'))
      .map((line) => line.split(' ').slice(0, 2).join(' '));
  }

  raw(): Promise<string> {
    return readFile(join(this.folder, 'ran'), 'utf8');
  }

  host(name = 'gpu') {
    const found = this.engine.status(false).hosts.find((host) => host.name === name);
    if (found === undefined) throw new Error(`no host ${name}`);
    return found;
  }

  names(): string[] {
    return this.events.map(({ event }) => event);
  }
}

function wakeConfig(
  folder: string,
  hosts: Record<string, object>,
  rest: Record<string, unknown> = {},
): WakeConfig {
  const told = join(folder, 'told');
  const defaults = {
    labels: ['self-hosted', 'Linux', 'K8s', 'gpu'],
    wake: [told, 'wake'],
    sleep: [told, 'sleep'],
    command_timeout_s: 60,
  };
  return wakeConfigSchema.parse({
    version: 1,
    listen: { port: 0 },
    secret: { env: 'WAKE_SECRET' },
    repositories: ['lineville/*'],
    hosts: Object.fromEntries(Object.entries(hosts).map(([name, host]) => [name, { ...defaults, ...host }])),
    ...rest,
  });
}
