import { findPython } from '../../src/device/python.ts';
import { runCommand } from '../../src/os/run-command.ts';

/** Whether the Python of the tests has PyTorch, asked once per worker: to import it takes seconds. */
export const hasTorch = await importsTorch();

async function importsTorch(): Promise<boolean> {
  const python = await findPython();
  if (python.status !== 'found') return false;
  const run = await runCommand(python.path, ['-c', 'import torch'], { timeout_ms: 120_000 });
  return run.status === 'exited' && run.code === 0;
}
