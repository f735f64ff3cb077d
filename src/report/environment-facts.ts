import type { BenchReport } from '../model/reports/bench-report.ts';
import type { DeviceInfo } from '../model/device/device.ts';
import { loadTexts } from '../model/device/load.ts';
import type { Clocks } from '../model/measure/samples.ts';
import { commonProtections } from '../model/device/sandbox.ts';
import { costText } from './text/cost-text.ts';
import { plainText } from './text/plain-text.ts';
import { protectionsText } from './text/protections-text.ts';
import { formatBytes } from './text/units.ts';

/** One thing known about where a run took place. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** The hardware: what the first line of every report says. */
export function deviceFacts({ device, environment }: BenchReport): Fact[] {
  return facts([
    ['device', device?.name ?? (device?.kind === 'cpu' ? environment?.cpu : undefined)],
    ['driver', device?.driver],
    ['CUDA', device?.cuda_runtime ?? device?.cuda_driver],
    ['compute capability', device?.compute_capability],
    ['SMs', device?.sm_count],
    ['cores', device?.cores],
    [device?.cpus?.length === 1 ? 'pinned to CPU' : 'pinned to CPUs', device?.cpus?.join(', ')],
    ['memory', bytesOf(device, 'memory_bytes')],
    ['L2', bytesOf(device, 'l2_bytes')],
    ['L3', bytesOf(device, 'l3_bytes')],
    ['clocks', clocksText(environment?.clocks)],
    ['UUID', device?.uuid],
  ]);
}

/** Software, host and time. */
export function hostFacts({
  environment,
  measurements,
  cost,
}: Pick<BenchReport, 'environment' | 'measurements' | 'cost'>): Fact[] {
  const commits = new Set(
    measurements.flatMap(({ commit, dirty }) =>
      commit === undefined ? [] : `${commit.slice(0, 12)}${dirty === true ? ' + changes' : ''}`,
    ),
  );
  return facts([
    ['commit', [...commits].join(', ')],
    ['host', environment?.host],
    ['OS', environment?.os],
    ['CPU', environment?.cpu],
    ['compiler', environment?.cxx],
    ['nvcc', environment?.nvcc],
    ['Python', environment?.python],
    ['Node', environment?.node],
    ['Pawl', environment?.pawl],
    ['started', timeText(environment?.started_at)],
    ['finished', timeText(environment?.finished_at)],
    ['sandbox', protectionsText(commonProtections(measurements.filter(({ processes }) => processes > 0)))],
    ['took', cost === undefined ? undefined : costText(cost)],
    ['load', loadTexts(environment?.load ?? {}).join('; ')],
    ['seed', environment?.seed],
  ]);
}

function facts(pairs: readonly (readonly [string, string | number | undefined])[]): Fact[] {
  return pairs.flatMap(([name, value]) => {
    const text = value === undefined ? '' : plainText(String(value));
    return text === '' ? [] : [{ name, value: text }];
  });
}

function bytesOf(
  device: DeviceInfo | undefined,
  field: 'memory_bytes' | 'l2_bytes' | 'l3_bytes',
): string | undefined {
  const bytes = device?.[field];
  return bytes === undefined ? undefined : formatBytes(bytes);
}

function clocksText(clocks: Clocks | undefined): string | undefined {
  if (clocks === undefined) return undefined;
  if (clocks.locked_mhz !== undefined) return `locked at ${clocks.locked_mhz} MHz`;
  return clocks.refused === undefined ? 'as is' : 'as is (lock refused)';
}

/** To the minute, in the time zone it was written in. */
function timeText(time: string | undefined): string | undefined {
  return time?.replace('T', ' ').replace(/:\d\d(?:\.\d+)?Z$/u, ' UTC');
}
