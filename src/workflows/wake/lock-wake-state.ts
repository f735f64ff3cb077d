import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';

import { lockDevice } from '../../device/device-lock.ts';
import { PawlError } from '../../model/pawl-error.ts';

/** Two servers on one journal would each wake and put to sleep what the other does not know of. */
export async function lockWakeState(folder: string): Promise<{ release(): Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32);
  try {
    return await lockDevice({ id: `wake-${name}`, purpose: 'pawl wake-server' });
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    throw new PawlError(
      'try-again',
      `Another wake server uses ${folder}.`,
      'Stop it first, or name another folder as `state` in wake.yaml.',
    );
  }
}
