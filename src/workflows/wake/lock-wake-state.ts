import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';

import { lockName } from '../../os/named-lock.ts';
import { PawlError } from '../../model/pawl-error.ts';

/** Two servers on one journal would each wake and put to sleep what the other does not know of. */
export async function lockWakeState(folder: string): Promise<{ release(): Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32);
  const lock = await lockName({ id: `wake-${name}`, purpose: 'pawl wake-server' });
  if (lock.state === 'held') return lock;
  throw new PawlError(
    'try-again',
    `Another wake server uses ${folder}.`,
    'Stop it first, or set another folder as `state` in wake.yaml.',
  );
}
