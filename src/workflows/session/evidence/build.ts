import { defined } from '../../../model/defined.ts';
import { dimValues } from '../../../config/constraints.ts';
import { pick } from '../../../config/plan-kernel.ts';
import { deviceLimits } from '../../../device/device-limits.ts';
import { computeCapability } from '../../../device/compute-capability.ts';
import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import type { BuiltItem } from '../../../model/reports/build-report.ts';
import type { DeviceInfo } from '../../../model/device/device.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import { buildGate } from '../../../tune/gates/build-gate.ts';
import { gateSettings } from '../../../tune/gates/gate.ts';
import { launchNeeds } from '../../../tune/gates/launch-needs.ts';
import { entryName, variantResources } from '../../../tune/gates/variant-resources.ts';
import { buildKernels } from '../../runs/build-kernels.ts';
import { planOf, smallestCase, takenAt, type EvidenceContext } from './evidence-context.ts';

/** Builds kernel, oracle and reference, and reads what the compiler says they take. */
export async function buildEvidence(context: EvidenceContext): Promise<Evidence> {
  const { loaded, kernel, reference, env, signal, onProgress } = context;
  const taken = takenAt(context);
  const only = reference.kernel === undefined ? [kernel] : [kernel, reference.kernel];
  const report = await buildKernels({
    loaded,
    only,
    ...defined({ env, signal, onProgress }),
  });
  const failed = report.kernels.filter((item) => item.status === 'failed');
  const isBuilt = (name: string | undefined, part: BuiltItem['part']) =>
    !failed.some((item) => item.kernel === name && item.part === part);
  const own = report.kernels.find((item) => item.kernel === kernel && item.part === 'kernel');
  const [first] = failed;
  return evidenceOf('build', taken, {
    facts: {
      builds: isBuilt(kernel, 'kernel'),
      oracle_builds: isBuilt(kernel, 'oracle'),
      reference_builds: reference.kernel === undefined || isBuilt(reference.kernel, 'kernel'),
      build_error: first && `${first.kernel} (${first.part}) does not build: ${first.message}`,
      build_s: Number((report.duration_ms / 1000).toFixed(1)),
      ...resourceFacts(own, context),
    },
    sources: [{ command: `pawl build ${only.map((name) => `--only ${name}`).join(' ')}` }],
    lines: report.kernels.map(itemLine),
  });
}

function resourceFacts(item: BuiltItem | undefined, context: EvidenceContext) {
  if (item === undefined || !('resources' in item) || item.resources.length === 0) {
    return { has_resources: false };
  }
  const plan = planOf(context);
  const kernel = pick(context.loaded.config.kernels, context.kernel, 'kernel');
  const arch = item.resources[0]?.arch;
  const [, major, minor] = /^sm_(\d+)(\d)[a-z]?$/.exec(arch ?? '') ?? [];
  const info: DeviceInfo = {
    kind: 'cuda',
    ...(major === undefined ? {} : { compute_capability: `${major}.${minor ?? ''}` }),
  };
  const limits = deviceLimits(info);
  const target = plan.cases.find(({ name }) => name === context.case) ?? smallestCase(plan.cases);
  const dims = target === undefined ? {} : dimValues(target);
  const needs = launchNeeds(kernel, plan.variant, dims, limits);
  const resources = variantResources(
    item.resources,
    needs,
    computeCapability(info.compute_capability),
    entryName(kernel.entry, plan.variant, dims),
  );
  // Spills have their own gate, and occupancy does not stop a launch.
  const settings = {
    ...gateSettings(kernel.gates),
    register_spill: undefined,
    low_occupancy: undefined,
    low_occupancy_no_prefetch: undefined,
  };
  const rejected = buildGate({ resources, needs, limits }, settings);
  return {
    has_resources: resources.registers !== undefined,
    registers: resources.registers,
    spill_bytes: resources.spill_bytes,
    smem_bytes: resources.smem_bytes,
    theoretical_occupancy: resources.occupancy,
    launchable: rejected === undefined,
    launch_problem: rejected?.message,
  };
}

function itemLine(item: BuiltItem): string {
  const what = `${item.kernel} (${item.part})`;
  if (item.status === 'failed') return `${what}: ${item.message}`;
  return `${what}: ${item.status}`;
}
