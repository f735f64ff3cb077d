import { PawlError } from '../model/pawl-error.ts';
import { holderText } from '../model/device/wait-text.ts';
import { lockName, type HeldLock, type LockRequest } from '../os/named-lock.ts';

export type DeviceLock = Pick<HeldLock, 'id' | 'release'>;

/**
 * One measurement at a time on a device: two at once would time each other. Its id is `GPU-…` (the card's UUID) or
 * `cpu:<hostname>`.
 *
 * Pawl's own tests measure whatever else the machine does, and name their locks apart with $PAWL_LOCK_NAMESPACE
 * (docs/testing.md). Candidates do not get the variable, and the lock is taken before they start.
 */
export async function lockDevice(request: LockRequest): Promise<DeviceLock> {
  const namespace = process.env.PAWL_LOCK_NAMESPACE ?? '';
  const lock = await lockName(namespace === '' ? request : { ...request, id: `${namespace}/${request.id}` });
  if (lock.state === 'held') return { id: request.id, release: () => lock.release() };
  throw new PawlError(
    'try-again',
    `The device ${request.id} is in use by ${holderText(lock.holder)}.`,
    'Measurements on a device run one at a time: use --wait SECONDS to wait.',
  );
}
