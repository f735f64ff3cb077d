import type { HistoryKey } from '../model/history.ts';
import type { Measurement, Samples } from '../model/samples.ts';
import { hashOf } from '../os/canonical-json.ts';
import { deviceClassText, entryKey } from '../ratchet/entry-key.ts';

const ID_DIGITS = 20;
/** A file from elsewhere need not say how it was timed, nor where. */
const UNSTATED = 'unstated';

export function historyKey(measurement: Measurement, samples: Samples): HistoryKey {
  const name = measurement.device?.name ?? samples.device?.name;
  const device = { ...measurement.device, name: name === undefined || name === '' ? UNSTATED : name };
  const {
    kernel = '',
    case: caseName,
    variant,
    mode = UNSTATED,
    device: where,
  } = entryKey({ ...measurement, device }, samples) as Omit<ReturnType<typeof entryKey>, 'mode'> & {
    readonly mode?: string;
  };
  const facts = { kernel, case: caseName, variant, mode, device_class: deviceClassText(where) };
  return { id: hashOf(facts).slice(0, ID_DIGITS), ...facts };
}
