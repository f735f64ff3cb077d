import type { SpeedOfLight } from '../model/profile/diagnosis.ts';
import type { LaunchProfile } from '../model/profile/profile.ts';

/** By what is shown: the first of these metrics that the profile has. Names differ between architectures and versions. */
const METRICS: Readonly<Record<keyof SpeedOfLight, readonly string[]>> = {
  compute_pct: ['sm__throughput.avg.pct_of_peak_sustained_elapsed'],
  memory_pct: ['gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed'],
  dram_pct: [
    'gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed',
    'dram__throughput.avg.pct_of_peak_sustained_elapsed',
  ],
  l2_pct: ['lts__throughput.avg.pct_of_peak_sustained_elapsed'],
  l1_pct: [
    'l1tex__throughput.avg.pct_of_peak_sustained_active',
    'l1tex__throughput.avg.pct_of_peak_sustained_elapsed',
  ],
  tensor_pct: [
    // The unit of tcgen05 on compute capability 10.0; the older name counts the mma.sync beside it.
    'sm__pipe_tc_cycles_active.avg.pct_of_peak_sustained_elapsed',
    'sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed',
    'sm__pipe_tensor_cycles_active_v2.avg.pct_of_peak_sustained_elapsed',
    'sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active',
    'sm__pipe_tensor_cycles_active_v2.avg.pct_of_peak_sustained_active',
  ],
  occupancy_pct: ['sm__warps_active.avg.pct_of_peak_sustained_active'],
};

/** How close to its peak each unit of the device ran; what was not collected is not there. */
export function speedOfLight({ metrics }: LaunchProfile): SpeedOfLight {
  const shares = Object.entries(METRICS).flatMap(([key, names]) => {
    const found = names.map((name) => metrics.get(name)).find((metric) => metric?.unit === '%');
    return found === undefined ? [] : [[key, found.value] as const];
  });
  return Object.fromEntries(shares);
}
