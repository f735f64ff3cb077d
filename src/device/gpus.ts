/**
 * The NVIDIA GPUs of this machine, as `nvidia-smi` tells them. The runner reads NVML itself while it measures;
 * this is what is known before a runner is built: which cards there are, and whether they are fit to measure.
 */
import { defined } from '../model/defined.ts';
import type { DeviceInfo, DeviceState } from '../model/device/device.ts';
import { runCommand } from '../os/run-command.ts';
import type { ProcessContext } from '../os/run-context.ts';

export interface Gpu {
  readonly info: DeviceInfo & { readonly index: number; readonly uuid: string; readonly name: string };
  readonly state: DeviceState;
  readonly persistence_mode: boolean | undefined;
  readonly ecc: boolean | undefined;
}

/** Not having a GPU is normal: each way of not having one is a value with its reason. */
export type GpuList =
  | { readonly status: 'found'; readonly gpus: readonly Gpu[] }
  | { readonly status: 'no-nvidia-smi'; readonly message: string }
  | { readonly status: 'no-driver'; readonly message: string }
  | { readonly status: 'no-devices'; readonly message: string }
  | { readonly status: 'no-answer'; readonly message: string };

export interface NvidiaSmiOptions extends Partial<Pick<ProcessContext, 'signal' | 'env'>> {
  readonly timeout_ms?: number;
}

/** nvidia-smi takes seconds where the driver has to be loaded first (persistence mode off, many cards). */
export const NVIDIA_SMI_TIMEOUT_MS = 10_000;

const FIELDS = [
  'index',
  'name',
  'uuid',
  'pci.bus_id',
  'driver_version',
  'compute_cap',
  'memory.total',
  'memory.used',
  'temperature.gpu',
  'clocks.sm',
  'clocks.mem',
  'clocks.max.sm',
  'clocks.max.mem',
  'power.draw',
  'power.limit',
  'utilization.gpu',
  'persistence_mode',
  'ecc.mode.current',
  'clocks_event_reasons.active',
] as const;
type Field = (typeof FIELDS)[number] | 'clocks_throttle_reasons.active';

/** Drivers before R535 know the event reasons under their old name, and refuse the whole query for the new one. */
const OLDER_NAMES: Partial<Record<Field, Field>> = {
  'clocks_event_reasons.active': 'clocks_throttle_reasons.active',
};

const MEBIBYTE = 1024 * 1024;

export async function listGpus(options: NvidiaSmiOptions = {}): Promise<GpuList> {
  const [answer, apps, header] = await Promise.all([
    queryFields(FIELDS, options),
    nvidiaSmi(['--query-compute-apps=gpu_uuid,pid', '--format=csv,noheader,nounits'], options),
    nvidiaSmi([], options),
  ]);
  if (answer.status === 'failed') return answer.list;
  const pids = appsByGpu(apps.status === 'exited' && apps.code === 0 ? apps.stdout : '');
  const cuda = header.status === 'exited' ? cudaVersion(header.stdout) : undefined;
  const rows = csvRows(answer.stdout);
  const gpus = rows.flatMap((row) => {
    if (row.length !== answer.fields.length) return [];
    return gpuOf(new Map(answer.fields.map((field, i) => [field, row[i] ?? ''])), cuda, pids) ?? [];
  });
  if (gpus.length > 0) return { status: 'found', gpus };
  return rows.length === 0
    ? { status: 'no-devices', message: 'nvidia-smi lists no GPU.' }
    : {
        status: 'no-answer',
        message: `Pawl cannot read the output of nvidia-smi: ${oneLine(answer.stdout)}`,
      };
}

/** The CUDA version of the driver, from the header of plain `nvidia-smi`. */
export function cudaVersion(header: string): string | undefined {
  return /CUDA(?: UMD)? Version\s*:\s*(\d+\.\d+)/.exec(header)?.[1];
}

type FieldAnswer =
  | { readonly status: 'answered'; readonly stdout: string; readonly fields: readonly Field[] }
  | { readonly status: 'failed'; readonly list: GpuList };

/** Asks for fields; one that this driver does not know is asked by its older name or left out. */
async function queryFields(fields: readonly Field[], options: NvidiaSmiOptions): Promise<FieldAnswer> {
  const run = await nvidiaSmi([`--query-gpu=${fields.join(',')}`, '--format=csv,noheader,nounits'], options);
  if (run.status === 'missing') return failed('no-nvidia-smi', 'nvidia-smi is not on the PATH.');
  if (run.status !== 'exited') {
    return failed('no-answer', `nvidia-smi did not answer (${run.status}): the driver may hang.`);
  }
  const text = oneLine(`${run.stdout} ${run.stderr}`);
  if (/no devices were found/i.test(text)) return failed('no-devices', text);
  if (run.code === 0) return { status: 'answered', stdout: run.stdout, fields };
  const unknown = fields.find((field) => text.includes(`Field "${field}" is not a valid field`));
  if (unknown === undefined) return failed('no-driver', text || `nvidia-smi exited with ${run.code}.`);
  const known = fields.flatMap((field) => (field === unknown ? (OLDER_NAMES[field] ?? []) : field));
  return queryFields(known, options);
}

function failed(status: Exclude<GpuList['status'], 'found'>, message: string): FieldAnswer {
  return { status: 'failed', list: { status, message } };
}

function nvidiaSmi(args: readonly string[], options: NvidiaSmiOptions) {
  return runCommand('nvidia-smi', args, {
    timeout_ms: options.timeout_ms ?? NVIDIA_SMI_TIMEOUT_MS,
    // nvidia-smi formats numbers by the locale.
    env: { ...(options.env ?? process.env), LC_ALL: 'C' },
    ...defined({ signal: options.signal }),
  });
}

/** No field Pawl asks for holds a comma, and nvidia-smi quotes none. */
function csvRows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(',').map((cell) => cell.trim()));
}

function appsByGpu(text: string): Map<string, number[]> {
  const pids = new Map<string, number[]>();
  for (const [uuid = '', pid = ''] of csvRows(text)) {
    if (!/^\d+$/.test(pid)) continue;
    pids.set(uuid, [...(pids.get(uuid) ?? []), Number(pid)]);
  }
  return pids;
}

function gpuOf(
  row: ReadonlyMap<Field, string>,
  cuda: string | undefined,
  pids: ReadonlyMap<string, number[]>,
): Gpu | undefined {
  const text = (field: Field) => known(row.get(field));
  const number = (field: Field) => finite(text(field));
  const mebibytes = (field: Field) => {
    const value = number(field);
    return value === undefined ? undefined : value * MEBIBYTE;
  };
  const flag = (field: Field) => {
    const value = text(field);
    return value === undefined ? undefined : value === 'Enabled';
  };
  const index = number('index');
  const uuid = text('uuid');
  const name = text('name');
  if (index === undefined || uuid === undefined || name === undefined) return undefined;
  return {
    info: {
      kind: 'cuda',
      index,
      uuid,
      name,
      ...defined({
        pci_bus_id: text('pci.bus_id'),
        driver: text('driver_version'),
        cuda_driver: cuda,
        compute_capability: text('compute_cap'),
        memory_bytes: mebibytes('memory.total'),
        sm_clock_max_mhz: number('clocks.max.sm'),
        memory_clock_max_mhz: number('clocks.max.mem'),
      }),
    },
    state: defined({
      temperature_c: number('temperature.gpu'),
      sm_clock_mhz: number('clocks.sm'),
      memory_clock_mhz: number('clocks.mem'),
      power_w: number('power.draw'),
      power_limit_w: number('power.limit'),
      utilization_pct: number('utilization.gpu'),
      memory_used_bytes: mebibytes('memory.used'),
      throttle_mask: number('clocks_event_reasons.active') ?? number('clocks_throttle_reasons.active'),
      foreign_pids: pids.get(uuid) ?? [],
    }),
    persistence_mode: flag('persistence_mode'),
    ecc: flag('ecc.mode.current'),
  };
}

/** `[N/A]`, `[Not Supported]`, `[Unknown Error]`, `N/A`: the card does not tell, so nothing is told. */
function known(cell: string | undefined): string | undefined {
  return cell === undefined || cell === '' || /^\[.*\]$|^N\/A$/i.test(cell) ? undefined : cell;
}

function finite(cell: string | undefined): number | undefined {
  if (cell === undefined) return undefined;
  const value = Number(cell);
  return Number.isFinite(value) ? value : undefined;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
