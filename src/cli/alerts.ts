import { Command } from 'commander';

import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption } from './options.ts';
import { runAction } from './run-action.ts';

interface AlertsFlags {
  readonly config?: string;
  readonly store?: string;
  readonly json?: boolean;
}

interface SendFlags extends AlertsFlags {
  readonly dryRun?: boolean;
  readonly retryFailed?: boolean;
}

export function alertsCommand(): Command {
  return new Command('alerts')
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(sendCommand())
    .addCommand(testCommand())
    .addHelpText(
      'after',
      `
\`alerts\` in pawl.yaml lists who is notified of confirmed changes, and which environment variables hold the addresses
(docs/alerts.md). Each change is one message per subscription, sent by \`pawl serve --alerts\` or \`pawl alerts send\`.
A message that cannot be sent waits in the history and is tried again.

Examples:
  pawl alerts                                    subscriptions, and what was sent
  pawl alerts test team-room --dry-run           what a message looks like
  pawl alerts send --dry-run                     what would be sent now
  pawl alerts send --json
${EXIT_CODE_HELP}`,
    );
}

function common(command: Command): Command {
  return command.addOption(configOption());
}

function listCommand(): Command {
  return common(new Command('list').description('list subscriptions, sent messages and waiting messages'))
    .option('--store <place>', "a file or postgres://…, instead of the project's")
    .option('--json', 'print them as JSON (schema pawl.alerts/1)')
    .action((flags: AlertsFlags) =>
      runAction(flags, async (door) => {
        const { listAlerts } = await import('../workflows/alerts.ts');
        const report = await listAlerts(flags);
        await door.tell(report, async () =>
          (await import('../report/terminal/alerts-terminal.ts')).renderAlerts(report, door),
        );
        return EXIT.good;
      }),
    );
}

function sendCommand(): Command {
  return common(new Command('send').description('look for confirmed changes, and send what is due'))
    .option('--store <place>', "a file or postgres://…, instead of the project's")
    .option('--dry-run', 'only show what would be sent')
    .option('--retry-failed', 'also retry messages that were given up')
    .option('--json', 'print what was done as JSON (schema pawl.alerts-sent/1)')
    .action((flags: SendFlags) =>
      runAction(flags, async (door) => {
        const { sendAlerts } = await import('../workflows/alerts.ts');
        const sent = await sendAlerts({ ...flags, signal: door.signal });
        await door.tell(sent, async () =>
          (await import('../report/terminal/alerts-terminal.ts')).renderSent(sent, door),
        );
        return sent.dry_run || sent.tried.every(({ state }) => state === 'sent') ? EXIT.good : EXIT.bad;
      }),
    );
}

function testCommand(): Command {
  return common(
    new Command('test')
      .description('send a test message')
      .argument('<subscription>', 'its name in pawl.yaml'),
  )
    .option('--dry-run', 'print the message instead of sending it')
    .option('--json', 'print what was done as JSON (schema pawl.alert-test/1)')
    .action((name: string, flags: AlertsFlags & { readonly dryRun?: boolean }) =>
      runAction(flags, async (door) => {
        const { testAlert } = await import('../workflows/alerts.ts');
        const test = await testAlert({ ...flags, name, signal: door.signal });
        await door.tell(test, async () =>
          (await import('../report/terminal/alerts-terminal.ts')).renderTest(test, door),
        );
        return test.dry_run || test.sent ? EXIT.good : EXIT.bad;
      }),
    );
}
