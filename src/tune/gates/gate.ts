import type { Gates } from '../../config/gates-schema.ts';
import { withThousands } from '../../model/text/number-text.ts';
import type { TrialOutcome } from '../../model/tune/study.ts';

/** A gate's answer: undefined where the variant passes. */
export type GateRejection = Omit<Extract<TrialOutcome, { status: 'rejected' }>, 'status'>;

/** Gates that can be set. What is wrong, does not build or does not run is rejected always. */
type GateName = keyof Gates;

/** For each gate its limit, `device` for the device's own, or undefined where the gate is off. */
export type GateSettings = Readonly<Record<GateName, number | 'device' | undefined>>;

/** What `on` means, and whether a gate is on when nothing is said. */
const GATES: Readonly<Record<GateName, { readonly limit: number | 'device'; readonly on: boolean }>> = {
  smem_overflow: { limit: 'device', on: true },
  too_many_threads: { limit: 'device', on: true },
  too_many_registers: { limit: 'device', on: true },
  // The rest is for the context, the runner's own buffers and fragmentation.
  oom_risk: { limit: 95, on: true },
  // 32 registers of four bytes, stored and loaded once: a rule of thumb. A few spills outside of loops cost nothing.
  register_spill: { limit: 256, on: true },
  // Low occupancy is not a fault by itself (Volkov, "Better performance at lower occupancy", GTC 2010).
  low_occupancy: { limit: 50, on: false },
  // Asked only of kernels that say how they prefetch.
  low_occupancy_no_prefetch: { limit: 50, on: true },
  // Asked of the winner when it is profiled; they warn.
  bank_conflicts: { limit: 10, on: true },
  bad_coalescing: { limit: 20, on: true },
};

export function gateSettings(gates: Gates = {}): GateSettings {
  const setting = (name: GateName): number | 'device' | undefined => {
    const { limit, on } = GATES[name];
    const written = gates[name] ?? on;
    if (typeof written === 'number') return written;
    return written ? limit : undefined;
  };
  return Object.fromEntries(
    (Object.keys(GATES) as GateName[]).map((name) => [name, setting(name)]),
  ) as GateSettings;
}

/** 49,152. */
export function grouped(value: number): string {
  return withThousands(Math.round(value));
}
