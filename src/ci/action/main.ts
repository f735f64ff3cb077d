/** What GitHub starts for action.yml; bundled to action/dist/action.js, beside the bundled CLI. */
import { spawn } from 'node:child_process';
import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { PawlError } from '../../model/pawl-error.ts';
import { actionCall, childEnvironment, type ActionCall } from './inputs.ts';

const PAWL = fileURLToPath(new URL('pawl.js', import.meta.url));

try {
  const call = actionCall(process.env);
  if (call.kind === 'setup') await putOnPath();
  else process.exitCode = await runPawl(call);
} catch (error) {
  if (!(error instanceof PawlError)) throw error;
  process.stdout.write(`::error::${error.message.replaceAll(/[%\r\n]/g, ' ')} ${error.hint ?? ''}\n`);
  process.exitCode = 64;
}

async function runPawl({ args, cwd, token }: ActionCall): Promise<number> {
  const child = spawn(process.execPath, [PAWL, ...args], {
    cwd: resolve(process.env['GITHUB_WORKSPACE'] ?? '.', cwd),
    env: childEnvironment(process.env, token),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // A cancelled job: Pawl ends its runners and undoes clock locks by itself, if it is told.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code, signal) =>
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}

/** With the Node that runs the action: a runner need not have one of its own. */
async function putOnPath(): Promise<void> {
  const folder = join(process.env['RUNNER_TEMP'] ?? tmpdir(), 'pawl-bin');
  const quoted = (path: string) => `'${path.replaceAll("'", String.raw`'\''`)}'`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'pawl'), `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(PAWL)} "$@"\n`);
  await chmod(join(folder, 'pawl'), 0o755);
  const paths = process.env['GITHUB_PATH'];
  if (paths === undefined) throw new PawlError('usage', 'There is no $GITHUB_PATH to put pawl on.');
  await appendFile(paths, `${folder}\n`);
}
