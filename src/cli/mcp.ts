import { randomBytes } from 'node:crypto';

import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import type { ServerSetup } from '../mcp/server/create-server.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption, list, portNumber } from './options.ts';
import { readToken } from './read-token.ts';
import { runAction, type Door } from './run-action.ts';

interface McpFlags {
  readonly config?: string;
  readonly http?: boolean;
  readonly port: number;
  readonly host: string;
  readonly origin?: readonly string[];
  readonly tokenFile?: string;
  readonly allowDestructive?: boolean;
  readonly json?: boolean;
}

const DEFAULT_PORT = 7558;

export function mcpCommand(): Command {
  return new Command('mcp')
    .addOption(configOption())
    .option('--http', 'listen for HTTP instead of serving standard input and output')
    .option('--port <n>', 'http: port to listen on; 0 takes any', portNumber, DEFAULT_PORT)
    .option('--host <address>', 'http: address to listen on', '127.0.0.1')
    .option('--origin <url>', 'http: public address of the server behind a proxy; repeatable', list)
    .option(
      '--token-file <file>',
      'http: file with the token that requests must carry; or PAWL_MCP_TOKEN (default: a new one)',
    )
    .option(
      '--allow-destructive',
      'also offer tools that change the baseline, pawl.yaml and the history; assistants should ask first',
    )
    .option('--json', 'http: print the address and the token as JSON')
    .addHelpText(
      'after',
      `
An assistant starts the server itself, in the project's folder, with the command \`pawl mcp\`. docs/mcp.md has the
settings for Claude Code, Claude Desktop, Cursor, VS Code, Codex and Gemini, all tools, and what the server refuses to
do. It measures one thing at a time.

Examples:
  claude mcp add pawl -- pawl mcp                     for Claude Code, in the project's folder
  pawl mcp -C /path/to/project                        for assistants that start elsewhere
  pawl mcp --allow-destructive                        may change the baseline
  pawl mcp --http --token-file token                  for clients on this machine that speak HTTP
${EXIT_CODE_HELP}`,
    )
    .action((flags: McpFlags) =>
      runAction(flags, async (door) => {
        const { projectPlace } = await import('../workflows/project.ts');
        const setup = {
          project: await projectPlace(flags.config),
          env: process.env,
          now: () => new Date(),
          allowDestructive: flags.allowDestructive === true,
          onBug: (error: unknown) => log(error instanceof Error ? (error.stack ?? error.message) : error),
        };
        if (flags.http === true) await overHttp(setup, flags, door);
        else await overStdio(setup, door);
        return EXIT.good;
      }),
    );
}

type Setup = Omit<ServerSetup, 'signal' | 'underWay'>;

async function overStdio(setup: Setup, door: Door): Promise<void> {
  const { serveOverStdio } = await import('../mcp/server/serve-stdio.ts');
  // Whatever prints by mistake must not break the protocol.
  console.log = console.error;
  // A client that goes away ends us, but not before what we started has ended.
  process.stdout.removeAllListeners('error');
  await serveOverStdio({
    ...setup,
    input: process.stdin,
    output: process.stdout,
    signal: door.signal,
    log,
  });
}

async function overHttp(setup: Setup, flags: McpFlags, door: Door): Promise<void> {
  const [{ httpHandler, MOST_BODY_BYTES }, { serveFetch }, { isLoopbackName }] = await Promise.all([
    import('../mcp/server/http-handler.ts'),
    import('../server/serve-fetch.ts'),
    import('../server/http/allowed-hosts.ts'),
  ]);
  const { tokenFile: file, origin: origins = [] } = flags;
  const given = await readToken('token', {
    ...defined({ file }),
    variable: 'PAWL_MCP_TOKEN',
    env: process.env,
  });
  // A proxy's clients come from anywhere.
  if (given === undefined && (!isLoopbackName(flags.host) || origins.length > 0)) {
    throw new PawlError(
      'configuration',
      `${origins[0] ?? flags.host} is reachable from other machines: the server needs a token of your own.`,
      'Create one (openssl rand -hex 32) and pass it with --token-file or PAWL_MCP_TOKEN.',
    );
  }
  const token = given ?? randomBytes(32).toString('hex');
  const handler = httpHandler(setup, { now_ms: () => performance.now(), log });
  await serveFetch({
    host: flags.host,
    port: flags.port,
    path: '/mcp',
    origins,
    token,
    mostBodyBytes: MOST_BODY_BYTES,
    fetch: (request) => handler.fetch(request),
    signal: door.signal,
    onBug: setup.onBug,
    onStopping: () => handler.close(),
    onListening: ({ url, host, port }) => {
      // One that we made up has to be told; one that was given is known.
      const told = given === undefined ? { token } : {};
      if (flags.json === true) {
        door.print(JSON.stringify({ schema: 'pawl.mcp/1', pid: process.pid, url, host, port, ...told }));
        return;
      }
      door.print(`Pawl listens on ${url}; Ctrl-C stops it.`);
      if (given === undefined) door.print(`Authorization: Bearer ${token}`);
    },
  });
}

function log(what: unknown): void {
  process.stderr.write(`pawl: ${String(what)}\n`);
}
