import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findPython } from '../../src/device/python.ts';
import { runCommand } from '../../src/os/run-command.ts';

/**
 * The version of PyTorch that the Python of the tests imports, or ''. To import it takes seconds, so it is asked once per
 * test run, and the answer lies beside the run's calibrations.
 */
export const torchVersion = await answered();

/** Whether the Python of the tests has PyTorch. */
export const hasTorch = torchVersion !== '';

async function answered(): Promise<string> {
  const file = join(process.env.PAWL_CACHE_DIR ?? '', 'torch-version');
  const known = await readFile(file, 'utf8').catch(() => undefined);
  // Without the end of its line, another worker is writing it.
  if (known?.endsWith('\n') === true) return known.trim();
  const version = await imported();
  await writeFile(file, `${version}\n`);
  return version;
}

async function imported(): Promise<string> {
  const python = await findPython();
  if (python.status !== 'found') return '';
  const script = 'import torch; print(torch.__version__)';
  const run = await runCommand(python.path, ['-c', script], { timeout_ms: 120_000 });
  return run.status === 'exited' && run.code === 0 ? run.stdout.trim() : '';
}
