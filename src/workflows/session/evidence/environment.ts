import { defined } from '../../../model/defined.ts';
import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import { isInTheWay, type DoctorProbe } from '../../../model/reports/doctor-report.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import { runDoctor } from '../../runs/doctor.ts';
import { idleFinding } from '../../../device/doctor/gpu-probes.ts';
import { cpuModel } from '../../../device/host.ts';
import { listGpus, type Gpu } from '../../../device/gpus.ts';
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
    ...defined({ env, signal }),
  });
  const check = (id: string) => report.checks.find((one) => one.id === id);
  const tools = report.checks.filter((one) => isInTheWay(one) && one.group !== 'gpu');
  const gpu = check('gpu');
  const card = isGpu ? await chosenGpu(context) : undefined;
  // Of several cards only the chosen one has to be idle.
  const use = isGpu ? card && idleFinding(card) : check('load');
  const profilers = (isGpu ? ['ncu', 'ncu-permission'] : ['perf']).flatMap((id) => check(id) ?? []);
  const lacking = profilers.find(({ state }) => state !== 'ok');
  return evidenceOf('environment', taken, {
    facts: {
      toolchain_ready: tools.length === 0,
      missing_tools: tools.length === 0 ? undefined : tools.map(sentence).join(' '),
      is_gpu: isGpu,
      device: isGpu ? card?.info.name : ((await cpuModel()) ?? 'unknown CPU'),
      device_present: !isGpu || card !== undefined,
      device_problem: gpu?.state === 'ok' ? `there is no GPU ${context.gpu ?? 0}` : gpu?.detail,
      device_idle: use === undefined ? undefined : use.state === 'ok',
      device_use: use?.detail,
      profiler_ready: lacking === undefined,
      profiler_state: (lacking ?? profilers[0])?.detail,
    },
    sources: [{ command: 'pawl doctor' }],
    lines: [report.summary],
  });
}

async function chosenGpu({ env, gpu: index = 0 }: EvidenceContext): Promise<Gpu | undefined> {
  const list = await listGpus(defined({ env }));
  return list.status === 'found' ? list.gpus.find(({ info }) => info.index === index) : undefined;
}

function sentence({ title, detail, remedy }: DoctorProbe): string {
  return `${title}: ${detail}.${remedy === undefined ? '' : ` ${remedy}`}`;
}
