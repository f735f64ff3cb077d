import { computeCapability, MAX_THREADS_PER_BLOCK } from '../../device/compute-capability.ts';
import { occupancy } from '../../device/occupancy.ts';
import type { StaticResources } from '../../model/profile/hot-lines.ts';
import type { CubinResources } from './cubin-resources.ts';

/** What a launch is known to be, as pawl.yaml says. */
export interface KnownLaunch {
  readonly threads?: number | undefined;
  readonly dynamic_smem_bytes?: number | undefined;
}

/** A usual launch, where none is given. */
const USUAL_BLOCKS = [64, 128, 256, 512, 1024] as const;

/** What a function takes, and how many of its blocks a multiprocessor can hold: nothing of it was measured. */
export function staticResources(
  arch: string,
  { registers, smem_bytes, barriers, max_threads }: CubinResources,
  { threads, dynamic_smem_bytes = 0 }: KnownLaunch,
): StaticResources {
  const capability = computeCapability(versionOf(arch));
  const most = Math.min(max_threads ?? MAX_THREADS_PER_BLOCK, MAX_THREADS_PER_BLOCK);
  // A stated block that the function was not compiled for is that of another function of the library.
  const isStated = threads !== undefined && Number.isInteger(threads) && threads > 0 && threads <= most;
  const blocks = isStated ? [threads] : USUAL_BLOCKS.filter((each) => each <= most);
  const smem = smem_bytes + dynamic_smem_bytes;
  return {
    arch,
    registers,
    smem_bytes: smem,
    ...(max_threads === undefined ? {} : { max_threads }),
    block: isStated ? 'stated' : 'any',
    occupancy:
      capability === undefined
        ? []
        : blocks.map((each) => {
            const one = occupancy(capability, { threads: each, registers, smem_bytes: smem, barriers });
            return {
              threads: each,
              blocks_per_sm: one.blocks,
              occupancy_pct: 100 * one.occupancy,
              limited_by: [...one.limited_by],
            };
          }),
  };
}

/** `sm_90a` is 9.0, `sm_120` is 12.0. */
export function versionOf(arch: string): string | undefined {
  const [, major, minor] = /^sm_(\d+)(\d)[a-z]?$/u.exec(arch) ?? [];
  return major === undefined || minor === undefined ? undefined : `${major}.${minor}`;
}
