import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import { isInTheWay, type DoctorCheck } from '../../../model/doctor-report.ts';
import type { Evidence } from '../../../model/gate.ts';
import { runDoctor } from '../../doctor.ts';
import { cpuModel } from '../../../device/host.ts';
import { listGpus } from '../../../device/gpus.ts';
import { planOf, takenAt, type EvidenceContext } from './evidence-context.ts';

/** The doctor's checks for the kernel and its reference alone: what other kernels lack is not in their way. */
export async function environmentEvidence(context: EvidenceContext): Promise<Evidence> {
  const { loaded, kernel, reference, env, signal } = context;
  const taken = takenAt(context);
  const isGpu = planOf(context).device === 'cuda';
  const names = [kernel, reference.kernel];
  const kernels = Object.fromEntries(
    Object.entries(loaded.config.kernels).filter(([name]) => names.includes(name)),
  );
  const report = await runDoctor({
    loaded: { ...loaded, config: { ...loaded.config, kernels } },
    ...(env === undefined ? {} : { env }),
    ...(signal === undefined ? {} : { signal }),
  });
  const check = (id: string) => report.checks.find((one) => one.id === id);
  const tools = report.checks.filter((one) => isInTheWay(one) && one.group !== 'gpu');
  const gpu = check('gpu');
  const use = check(isGpu ? 'gpu-idle' : 'load');
  const profilers = (isGpu ? ['ncu', 'ncu-permission'] : ['perf']).flatMap((id) => check(id) ?? []);
  const lacking = profilers.find(({ state }) => state !== 'ok');
  return evidenceOf('environment', taken, {
    facts: {
      toolchain_ready: tools.length === 0,
      missing_tools: tools.length === 0 ? undefined : tools.map(sentence).join(' '),
      is_gpu: isGpu,
      device: await deviceName(isGpu, context),
      device_present: !isGpu || gpu?.state === 'ok',
      device_problem: gpu?.detail,
      device_idle: use?.state === 'ok',
      device_use: use?.detail,
      profiler_ready: lacking === undefined,
      profiler_state: (lacking ?? profilers[0])?.detail,
    },
    sources: [{ command: 'pawl doctor' }],
    lines: [report.summary],
  });
}

async function deviceName(
  isGpu: boolean,
  { env, gpu: index = 0 }: EvidenceContext,
): Promise<string | undefined> {
  if (!isGpu) return (await cpuModel()) ?? 'unknown CPU';
  const list = await listGpus(env === undefined ? {} : { env });
  return list.status === 'found' ? list.gpus.find(({ info }) => info.index === index)?.info.name : undefined;
}

function sentence({ title, detail, remedy }: DoctorCheck): string {
  return `${title}: ${detail}.${remedy === undefined ? '' : ` ${remedy}`}`;
}
