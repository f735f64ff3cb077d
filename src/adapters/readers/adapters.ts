import type { ImportFormat } from '../../model/reports/import-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Adapter, Source } from '../adapter.ts';
import { bencherAdapter } from './bencher.ts';
import { criterionAdapter } from './criterion.ts';
import { googleBenchmarkAdapter } from './google-benchmark.ts';
import { hyperfineAdapter } from './hyperfine.ts';
import { kernelbenchAdapter } from './kernelbench.ts';
import { nsysAdapter } from './nsys.ts';
import { nvbenchAdapter } from './nvbench.ts';
import { pawlAdapter } from './pawl.ts';
import { pytestBenchmarkAdapter } from './pytest-benchmark.ts';
import { seedComprehensiveAdapter } from './seed-comprehensive.ts';
import { seedCurrentAdapter } from './seed-current.ts';
import { torchProfilerAdapter } from './torch-profiler.ts';
import { tritonAdapter } from './triton.ts';
import { tritonbenchAdapter } from './tritonbench.ts';

export const ADAPTERS: Readonly<Record<ImportFormat, Adapter>> = {
  nvbench: nvbenchAdapter,
  'google-benchmark': googleBenchmarkAdapter,
  'pytest-benchmark': pytestBenchmarkAdapter,
  hyperfine: hyperfineAdapter,
  criterion: criterionAdapter,
  triton: tritonAdapter,
  tritonbench: tritonbenchAdapter,
  'torch-profiler': torchProfilerAdapter,
  nsys: nsysAdapter,
  bencher: bencherAdapter,
  kernelbench: kernelbenchAdapter,
  'seed-current': seedCurrentAdapter,
  'seed-comprehensive': seedComprehensiveAdapter,
  pawl: pawlAdapter,
};

/** Below this a format is a guess, and numbers are not read on a guess. */
const SURE_ENOUGH = 0.5;

/** The format of a file, from what is in it and not from its name. */
export function detectAdapter(source: Source, whyNotJson: string | undefined): Adapter {
  const found = Object.values(ADAPTERS)
    .map((adapter) => ({ adapter, confidence: adapter.detect(source) }))
    .filter(({ confidence }) => confidence >= SURE_ENOUGH)
    .toSorted((one, other) => other.confidence - one.confidence);
  const [best, second] = found;
  if (best === undefined) throw unknownFormat(source.name, whyNotJson);
  if (second !== undefined && second.confidence === best.confidence) {
    throw new PawlError(
      'bad-data',
      `${source.name} could be from ${best.adapter.tool} or from ${second.adapter.tool}.`,
      `Choose one: --from ${best.adapter.format} or --from ${second.adapter.format}.`,
    );
  }
  return best.adapter;
}

function unknownFormat(name: string, whyNotJson: string | undefined): PawlError {
  const message =
    whyNotJson === undefined ? `${name} is not in a format that Pawl reads.` : `${name} ${whyNotJson}.`;
  const known = Object.values(ADAPTERS)
    .map(({ tool }) => tool)
    .join(', ');
  return new PawlError('bad-data', message, `Pawl reads: ${known} (docs/adapters.md).`);
}
