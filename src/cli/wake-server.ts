import { Command } from 'commander';

import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { runAction, type Door } from './run-action.ts';

interface WakeFlags {
  readonly config: string;
  readonly check?: boolean | string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function wakeServerCommand(): Command {
  return new Command('wake-server')
    .option('--config <wake.yaml>', 'hosts, their labels and their commands', 'wake.yaml')
    .option('--check [wake.yaml]', 'only read and show the configuration, and check that its secret is set')
    .option('--dry-run', 'listen, but run and write nothing; show what would be run')
    .option('--json', 'print one JSON object per line instead of text')
    .addHelpText(
      'after',
      `
Receives workflow_job webhooks. A queued job wakes a host that has its labels, with the host's wake command; a host
without jobs is put to sleep with its sleep command. The state is in a journal and survives a restart. Only hosts that
Pawl woke are put to sleep. docs/wake.md has recipes for gcloud, aws, az, ssh and wake-on-LAN.

  GET /healthz   200 while deliveries can be accepted
  GET /status    hosts and jobs, from this machine or with the token (schema pawl.wake/1)

Examples:
  pawl wake-server --check wake.yaml
  pawl wake-server --config wake.yaml --dry-run
  pawl wake-server --config /etc/pawl/wake.yaml --json
${EXIT_CODE_HELP}`,
    )
    .action((flags: WakeFlags) =>
      runAction(flags, async (door) => {
        const path = typeof flags.check === 'string' ? flags.check : flags.config;
        if (flags.check !== undefined && flags.check !== false) return check(path, door);
        const [{ serveWakes }, { wakeLine }] = await Promise.all([
          import('../server/wake/wake-server.ts'),
          import('../report/terminal/wake-text.ts'),
        ]);
        const log: Parameters<typeof serveWakes>[0]['log'] = (event) =>
          door.print(flags.json === true ? JSON.stringify(event) : wakeLine(event, door.color));
        await serveWakes({
          config: path,
          dryRun: flags.dryRun === true,
          signal: door.signal,
          log,
          onListening: ({ host, port }) =>
            log({
              at: new Date().toISOString(),
              level: 'info',
              event: 'listening',
              message: `on http://${host}:${port}${flags.dryRun === true ? ', dry run' : ''}`,
            }),
        });
        return EXIT.good;
      }),
    );
}

async function check(path: string, door: Door): Promise<number> {
  const [{ loadWakeConfig, readSecret }, { renderWakeConfig }] = await Promise.all([
    import('../workflows/wake/load-wake-config.ts'),
    import('../report/terminal/wake-text.ts'),
  ]);
  const { config, folder } = await loadWakeConfig(path);
  for (const source of [config.secret, config.status_token]) {
    if (source !== undefined) await readSecret(source, { folder, env: process.env });
  }
  await door.tell(config, () => renderWakeConfig(config, door.color));
  return EXIT.good;
}
