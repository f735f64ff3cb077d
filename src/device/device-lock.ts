import { PawlError } from '../model/pawl-error.ts';
import { holderText, lockName, type HeldLock, type LockRequest } from '../os/named-lock.ts';

export type DeviceLock = Pick<HeldLock, 'id' | 'release'>;

/**
 * One measurement at a time on a device: two at once would time each other. Its id is `GPU-…` (the card's UUID) or
 * `cpu:<hostname>`.
 */
export async function lockDevice(request: LockRequest): Promise<DeviceLock> {
  const lock = await lockName(request);
  if (lock.state === 'held') return lock;
  throw new PawlError(
    'try-again',
    `The device ${request.id} is in use by ${holderText(lock.holder)}.`,
    'Measurements on one device run one at a time: --wait SECONDS waits for it to end.',
  );
}
