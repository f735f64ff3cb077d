import process from 'node:process';

import { Command, CommanderError } from 'commander';

import { PAWL_VERSION } from '../model/version.ts';
import { adviseCommand } from './advise.ts';
import { benchCommand } from './bench.ts';
import { bisectCommand } from './bisect.ts';
import { buildCommand } from './build.ts';
import { bundleCommand } from './bundle.ts';
import { checkCommand } from './check.ts';
import { ciCommand } from './ci.ts';
import { claimCommand } from './claim.ts';
import { compareCommand } from './compare.ts';
import { costCommand } from './cost.ts';
import { deviceCommand } from './device.ts';
import { diagnoseCommand } from './diagnose.ts';
import { doctorCommand } from './doctor.ts';
import { engineCommand } from './engine.ts';
import { FAILURE_EXIT } from './exit-codes.ts';
import { exportCommand } from './export.ts';
import { fuzzCommand } from './fuzz.ts';
import { historyCommand } from './history.ts';
import { importCommand } from './import.ts';
import { initCommand } from './init.ts';
import { lessonsCommand } from './lessons.ts';
import { mcpCommand } from './mcp.ts';
import { preflightCommand } from './preflight.ts';
import { profileCommand } from './profile.ts';
import { ratchetCommand } from './ratchet.ts';
import { reportCommand } from './report.ts';
import { tuneCommand } from './tune.ts';
import { serveCommand } from './serve.ts';
import { sessionCommand } from './session.ts';
import { trendCommand } from './trend.ts';
import { wakeServerCommand } from './wake-server.ts';

const COMMANDS = [
  initCommand,
  doctorCommand,
  preflightCommand,
  buildCommand,
  fuzzCommand,
  benchCommand,
  compareCommand,
  checkCommand,
  ciCommand,
  ratchetCommand,
  claimCommand,
  tuneCommand,
  profileCommand,
  diagnoseCommand,
  adviseCommand,
  deviceCommand,
  lessonsCommand,
  costCommand,
  sessionCommand,
  serveCommand,
  mcpCommand,
  reportCommand,
  wakeServerCommand,
  bundleCommand,
  historyCommand,
  trendCommand,
  bisectCommand,
  importCommand,
  exportCommand,
];

/** Every command, with its arguments and options; nothing is parsed yet. */
export function pawlProgram(): Command {
  const program = new Command('pawl')
    .description('The performance ratchet for GPU kernels: measure, decide, keep main from getting slower.')
    .version(PAWL_VERSION)
    // Commands below commands have options of the same names.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .showHelpAfterError('(see: pawl --help)')
    .addHelpText(
      'after',
      `
A first ten minutes:
  pawl doctor              is everything here that a measurement needs?
  pawl init                write a pawl.yaml and a small kernel to start from
  pawl bench               build, check and measure every kernel that pawl.yaml names`,
    );
  for (const command of COMMANDS) program.addCommand(exitAsUsage(command()));
  program.addCommand(exitAsUsage(engineCommand()), { hidden: true });
  return exitAsUsage(program);
}

/** Runs what the command line asks for. */
export async function runPawl(): Promise<void> {
  try {
    await pawlProgram().parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end here too, with 0; commander calls every other end 1, which for us means «bad».
    process.exitCode = error.exitCode === 0 ? 0 : FAILURE_EXIT.usage;
    if (error.exitCode !== 0 && process.argv.includes('--json')) {
      const message = error.message.replace(/^error: /, '');
      process.stdout.write(`${JSON.stringify({ error: { kind: 'usage', message } })}\n`);
    }
  }
}

function exitAsUsage(command: Command): Command {
  for (const child of command.commands) exitAsUsage(child);
  return command.exitOverride();
}
