import type { Gpu, GpuList } from '../gpus.ts';
import { throttleReasons } from '../../model/device/device.ts';
import { IDLE_GPU_PCT } from '../../model/device/load.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { ok, skipped, warning } from './probe.ts';
import type { Probe, DoctorContext, Finding } from './probe.ts';

/** `thresholds.temperature_c` of a project that says nothing else. */
const DEFAULT_TEMPERATURE_C = 80;

export const GPU_PROBES: readonly Probe[] = [
  {
    id: 'gpu',
    group: 'gpu',
    title: 'NVIDIA GPU and driver',
    needed_for: 'CUDA kernels',
    required: (needs) => needs.gpu,
    look: async (context) => gpuFinding(await context.gpus(), context.wantsGpu),
  },
  {
    id: 'gpu-idle',
    group: 'gpu',
    title: 'GPU idle',
    needed_for: 'undisturbed measurements',
    required: () => false,
    look: (context) => eachGpu(context, idleFinding),
  },
  {
    id: 'gpu-temperature',
    group: 'gpu',
    title: 'GPU temperature and throttling',
    needed_for: 'measurements at full speed',
    required: () => false,
    look: (context) => eachGpu(context, (gpu) => heatFinding(gpu, temperatureLimit(context))),
  },
  {
    id: 'gpu-persistence',
    group: 'gpu',
    title: 'GPU persistence mode',
    needed_for: 'fast starts, and clocks that stay locked',
    required: () => false,
    look: (context) => eachGpu(context, persistenceFinding),
  },
];

/** Card by card; the state of the worst card is the state of all. */
async function eachGpu(context: DoctorContext, look: (gpu: Gpu) => Finding): Promise<Finding> {
  const list = await context.gpus();
  if (list.status !== 'found') return skipped('no GPU');
  const findings = list.gpus.map(look);
  const worst =
    findings.find((finding) => finding.state === 'warning') ??
    findings.find((finding) => finding.state === 'ok') ??
    findings[0];
  const told =
    list.gpus.length === 1 ? findings : findings.filter((finding) => finding.state === worst?.state);
  const detail = told
    .map((finding) => {
      const gpu = list.gpus[findings.indexOf(finding)];
      return list.gpus.length === 1 ? finding.detail : `GPU ${gpu?.info.index ?? '?'}: ${finding.detail}`;
    })
    .join('; ');
  return { ...(worst ?? skipped('no GPU')), detail };
}

const WITHOUT_GPU: Record<Exclude<GpuList['status'], 'found'>, string> = {
  'no-nvidia-smi':
    'Install the NVIDIA driver; in a container, start it with the GPU (`docker run --gpus all`).',
  'no-driver': 'Load or reinstall the NVIDIA driver; after a driver update, restart the machine.',
  'no-devices':
    'Check that the card is seated and not assigned to another machine, and check $CUDA_VISIBLE_DEVICES.',
  'no-answer': 'Check `dmesg` for Xid errors; if the driver hangs, restart the machine.',
};

function gpuFinding(list: GpuList, wanted: boolean): Finding {
  if (list.status === 'no-nvidia-smi' && !wanted) return skipped('not found, and no kernel here needs one');
  if (list.status !== 'found') {
    const state = list.status === 'no-driver' || list.status === 'no-answer' ? 'failed' : 'missing';
    return { state, detail: list.message, remedy: WITHOUT_GPU[list.status] };
  }
  const cards = list.gpus.map(({ info }) => {
    const memory = info.memory_bytes === undefined ? '' : `, ${(info.memory_bytes / 2 ** 30).toFixed(0)} GiB`;
    const capability =
      info.compute_capability === undefined ? '' : `, compute capability ${info.compute_capability}`;
    return `${info.index}: ${info.name}${memory}${capability}`;
  });
  const { driver, cuda_driver } = list.gpus[0]?.info ?? {};
  return ok(`${cards.join('; ')}; driver ${driver ?? 'unknown'}, CUDA ${cuda_driver ?? 'unknown'}`);
}

export function idleFinding({ state }: Gpu): Finding {
  const pids = state.foreign_pids ?? [];
  const busy_pct = state.utilization_pct;
  const remedy = 'Wait for it or stop it: two programs on one GPU slow each other down.';
  if (pids.length > 0) return warning(`in use by process ${pids.join(', ')}`, remedy);
  if (busy_pct !== undefined && busy_pct > IDLE_GPU_PCT) {
    return warning(`${busy_pct} % busy with a process that is not visible from here`, remedy);
  }
  return busy_pct === undefined ? ok('no process on it') : ok(`no process on it, ${busy_pct} % busy`);
}

function heatFinding({ state }: Gpu, limit_c: number): Finding {
  const throttled = throttleReasons(state.throttle_mask ?? 0);
  const hot = state.temperature_c !== undefined && state.temperature_c > limit_c;
  if (hot || throttled.length > 0) {
    const faults = [
      ...(hot ? [`${state.temperature_c} °C, above ${limit_c} °C`] : []),
      ...(throttled.length > 0 ? [`throttled (${throttled.join(', ')})`] : []),
    ];
    const power = throttled.includes('sw-power-cap') ? ' Set a power cap with `nvidia-smi -pl`.' : '';
    return warning(faults.join(', '), `Let it cool down, and check fans and air flow.${power}`);
  }
  const known = [
    state.temperature_c === undefined ? undefined : `${state.temperature_c} °C`,
    state.throttle_mask === undefined ? undefined : 'not throttled',
    state.sm_clock_mhz === undefined ? undefined : `SM clock ${state.sm_clock_mhz} MHz`,
  ].filter((part) => part !== undefined);
  return known.length === 0 ? skipped('the card does not report it') : ok(known.join(', '));
}

function persistenceFinding({ persistence_mode }: Gpu): Finding {
  if (persistence_mode === undefined) return skipped('the card does not report it');
  if (persistence_mode) return ok('on');
  return warning(
    'off: the driver is reloaded for each process, and forgets locked clocks',
    'Turn it on with `sudo nvidia-smi -pm 1` or nvidia-persistenced.',
  );
}

function temperatureLimit({ loaded }: DoctorContext): number {
  if (loaded === undefined || loaded instanceof PawlError) return DEFAULT_TEMPERATURE_C;
  return loaded.config.thresholds.temperature_c;
}
