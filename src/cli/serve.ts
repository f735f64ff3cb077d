import { spawn } from 'node:child_process';

import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption, list, portNumber } from './options.ts';
import { readToken } from './read-token.ts';
import { runAction } from './run-action.ts';

interface ServeFlags {
  readonly port?: number;
  readonly host?: string;
  readonly store?: string;
  readonly config?: string;
  readonly origin?: readonly string[];
  readonly readTokenFile?: string;
  readonly writeTokenFile?: string;
  readonly judge?: boolean;
  readonly queue?: string;
  readonly alerts?: boolean;
  readonly open?: boolean;
  readonly json?: boolean;
}

export function serveCommand(): Command {
  return new Command('serve')
    .option('--port <n>', 'port to listen on; 0 takes any (default: 7557)', portNumber)
    .option(
      '--host <address>',
      'address to listen on; serving other machines needs a read token',
      '127.0.0.1',
    )
    .option('--store <path|url>', "SQLite file or postgres:// address (default: the project's)")
    .addOption(configOption())
    .option('--origin <url>', 'public address of the server behind a proxy; repeatable', list)
    .option('--read-token-file <file>', 'file with the token for reading; or PAWL_READ_TOKEN')
    .option('--write-token-file <file>', 'file with the token for uploading; or PAWL_WRITE_TOKEN')
    .option('--judge', 'accept candidates for `pawl queue`, from tenants with tokens')
    .option(
      '--queue <path|url>',
      'with --judge: SQLite file or postgres:// address (default: PAWL_QUEUE, else .pawl/queue.db)',
    )
    .option('--alerts', 'send confirmed changes to the subscribers in pawl.yaml (docs/alerts.md)')
    .option('--open', 'open the dashboard in a browser')
    .option('--json', 'print the address and events, one JSON object per line')
    .addHelpText(
      'after',
      `
Every user of this machine may read; uploads need a write token. docs/server.md has the API, and how to put the server
behind a proxy.

  /                        the dashboard
  /api/v1/openapi.json     the API, as OpenAPI 3.1
  /healthz /readyz         for operators
  /metrics                 for Prometheus
  /api/judge               with --judge: submit candidates, get judgements (docs/judge.md)

Examples:
  pawl serve --open
  pawl serve --port 0 --json
  pawl serve --judge
  pawl serve --alerts
  PAWL_STORE=postgres://db/pawl pawl serve --host 0.0.0.0 --read-token-file read.token --write-token-file write.token
${EXIT_CODE_HELP}`,
    )
    .action((flags: ServeFlags) =>
      runAction(flags, async (door) => {
        const { serve } = await import('../server/serve.ts');
        const readToken = await tokenOf('read', flags.readTokenFile);
        const writeToken = await tokenOf('write', flags.writeTokenFile);
        const { port, host, store, config, origin: origins, queue } = flags;
        if (queue !== undefined && flags.judge !== true) {
          throw new PawlError('usage', '--queue needs --judge.', 'Add --judge.');
        }
        const judge = flags.judge === true ? defined({ queue }) : undefined;
        const alerts = flags.alerts === true ? {} : undefined;
        await serve({
          ...defined({ port, host, store, config, origins, readToken, writeToken, judge, alerts }),
          signal: door.signal,
          log: (event) =>
            flags.json === true
              ? door.print(JSON.stringify(event))
              : process.stderr.write(`pawl: ${event.event}: ${event.message}\n`),
          onListening: (address) => {
            const { url } = address;
            door.print(
              flags.json === true
                ? JSON.stringify({ schema: 'pawl.serve/1', pid: process.pid, ...address })
                : `Pawl listens on ${url}; Ctrl-C stops it.`,
            );
            if (flags.open === true) openBrowser(url);
          },
        });
        return EXIT.good;
      }),
    );
}

function tokenOf(what: 'read' | 'write', file: string | undefined): Promise<string | undefined> {
  const variable = `PAWL_${what.toUpperCase()}_TOKEN`;
  return readToken(`${what} token`, { ...defined({ file }), variable, env: process.env });
}

const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' };

/** Whether there is one to open is not ours to know: the address was printed. */
function openBrowser(url: string): void {
  const program = OPENERS[process.platform] ?? 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
