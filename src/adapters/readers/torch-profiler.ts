import type { DeviceInfo } from '../../model/device/device.ts';
import type { Adapter, Source } from '../adapter.ts';
import { countOf, field, listOf, path, textOf } from '../fields.ts';
import { KernelLaunches, launchShape } from '../kernel-launches.ts';
import { ReadingBuilder } from '../reading-builder.ts';
import { toMilliseconds } from '../time-unit.ts';

/**
 * The trace that `torch.profiler` exports (`export_chrome_trace`, `tensorboard_trace_handler`; also as .json.gz): every
 * launch of a GPU kernel with its duration in microseconds. A trace of the CPU alone has operators instead.
 */
export const torchProfilerAdapter: Adapter = {
  format: 'torch-profiler',
  tool: 'torch.profiler',
  detect({ json }) {
    const events = listOf(path(json?.value, 'traceEvents'));
    if (events.length === 0) return 0;
    const isOurs = (event: unknown): boolean => ['kernel', 'cpu_op'].includes(String(field(event, 'cat')));
    return events.some(isOurs) ? 1 : 0;
  },
  read(source: Source) {
    const builder = new ReadingBuilder(source);
    builder.unit('us', 'durations');
    const root = source.json?.value;
    const events = listOf(path(root, 'traceEvents')).filter((event) => field(event, 'ph') === 'X');
    const kernels = events.filter((event) => field(event, 'cat') === 'kernel');
    const isOnGpu = kernels.length > 0;
    const launches = new KernelLaunches();
    for (const event of isOnGpu ? kernels : events.filter((one) => field(one, 'cat') === 'cpu_op')) {
      const name = textOf(field(event, 'name'));
      const time_ms = toMilliseconds(field(event, 'dur'), 'us');
      if (name === undefined || time_ms === undefined) {
        builder.noteOf('dropped', 'events without a name or a duration', name ?? 'unnamed');
        continue;
      }
      const shape = launchShape(listOf(path(event, 'args', 'grid')), listOf(path(event, 'args', 'block')));
      launches.add(name, shape, time_ms);
    }
    if (!isOnGpu) {
      builder.note(
        'doubt',
        'no GPU kernels: these are CPU operators, each including the operators that it calls',
      );
    }
    const devices = listOf(path(root, 'deviceProperties'));
    launches.addTo(builder, isOnGpu && devices.length === 1 ? deviceOf(devices[0]) : undefined);
    return builder.build();
  },
};

function deviceOf(device: unknown): DeviceInfo | undefined {
  const name = textOf(field(device, 'name'));
  if (name === undefined) return undefined;
  const sm_count = countOf(field(device, 'numSms'));
  return { kind: 'cuda', name, ...(sm_count === undefined ? {} : { sm_count }) };
}
