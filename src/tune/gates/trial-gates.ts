import { defined } from '../../model/defined.ts';
import type { Kernel } from '../../config/kernel-schema.ts';
import { dimValues } from '../../config/constraints.ts';
import type { CasePlan } from '../../config/plan-kernel.ts';
import { computeCapability } from '../../device/compute-capability.ts';
import { deviceLimits } from '../../device/device-limits.ts';
import type { KernelResources } from '../../model/reports/build-report.ts';
import type { DeviceInfo } from '../../model/device/device.ts';
import type { RejectedOutcome, Resources } from '../../model/tune/study.ts';
import { storageBytes } from '../../model/problem/tensor.ts';
import type { Variant } from '../../model/problem/variant.ts';
import { buildGate } from './build-gate.ts';
import { gateSettings, type GateRejection } from './gate.ts';
import { launchNeeds } from './launch-needs.ts';
import { staticGate } from './static-gate.ts';
import { entryName, variantResources } from './variant-resources.ts';

/** The gates of one study, with the kernel's settings and the device's limits in them. */
export interface TrialGates {
  beforeBuild(variant: Variant): RejectedOutcome | undefined;
  afterBuild(
    variant: Variant,
    compiled: readonly KernelResources[],
  ): { readonly rejected?: RejectedOutcome; readonly resources?: Resources };
}

export interface GatedDevice {
  readonly info: DeviceInfo;
  /** Free memory when the study began. */
  readonly free_bytes: number | undefined;
}

export function trialGates(kernel: Kernel, plan: CasePlan, { info, free_bytes }: GatedDevice): TrialGates {
  const settings = gateSettings(kernel.gates);
  const limits = deviceLimits(info);
  const dims = dimValues(plan);
  const capability = computeCapability(info.compute_capability);
  const tensor_bytes = plan.tensors.reduce((sum, tensor) => sum + storageBytes(tensor), 0);
  const memory = defined({ free_bytes });
  return {
    beforeBuild: (variant) => {
      const needs = launchNeeds(kernel, variant, dims, limits);
      return rejected(staticGate({ needs, limits, tensor_bytes, ...memory }, settings));
    },
    afterBuild: (variant, compiled) => {
      const needs = launchNeeds(kernel, variant, dims, limits);
      const entry = entryName(kernel.entry, variant, dims);
      const resources = variantResources(compiled, needs, capability, entry);
      const found = rejected(buildGate({ resources, needs, limits }, settings));
      return {
        ...(Object.keys(resources).length === 0 ? {} : { resources }),
        ...defined({ rejected: found }),
      };
    },
  };
}

function rejected(rejection: GateRejection | undefined): RejectedOutcome | undefined {
  return rejection && { status: 'rejected', ...rejection };
}
