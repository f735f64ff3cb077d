import { useMemo } from 'preact/hooks';

import { medianOf } from '../charts/distribution.tsx';
import { SamplesPlot } from '../charts/samples-plot.tsx';
import { TimeChart } from '../charts/time-chart.tsx';
import { countText, timeText } from '../common/format.ts';
import { saveFile } from '../common/save-file.ts';
import type { StoredMeasurement, StoredSeries } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';
import { KeyName } from './key-name.tsx';
import { Shown } from './states.tsx';
import { Table } from './table.tsx';
import { Scroll } from '../common/scroll.tsx';
import { useShown } from '../common/use-shown.ts';

/** One measurement of a run: every sample, what the device was like meanwhile, and each process. */
export function MeasurementPanel({
  id,
  chosen,
}: {
  readonly id: string;
  readonly chosen: string | undefined;
}) {
  const panel = useShown<HTMLElement>(chosen);
  const path = `measurements/${encodeURIComponent(id)}/samples`;
  const loaded = useAnswer<StoredMeasurement>(path);
  return (
    <section ref={panel} class="opened" aria-label="One measurement">
      <h2>Samples</h2>
      <Shown loaded={loaded} height={700}>
        {(measurement) => (
          <>
            <figure class="panel">
              <figcaption>
                <KeyName keyed={measurement.key} /> <Download measurement={measurement} />
              </figcaption>
              <Scroll label="Samples in order">
                <SamplesPlot series={measurement.series} />
              </Scroll>
            </figure>
            {measurement.series.length === 0 ? null : (
              <>
                <DeviceState series={measurement.series} />
                <Processes series={measurement.series} />
              </>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}

function Download({ measurement }: { readonly measurement: StoredMeasurement }) {
  const save = (): void => {
    const text = JSON.stringify(measurement, undefined, 1);
    saveFile(`${measurement.id}.json`, new Blob([text], { type: 'application/json' }));
  };
  return (
    <button type="button" onClick={save}>
      Save as JSON
    </button>
  );
}

const QUANTITIES = [
  // Of a GPU's multiprocessors, or of a CPU's cores.
  ['sm_clock_mhz', 'clock', 'MHz'],
  ['temperature_c', 'temperature', '°C'],
  ['power_w', 'power', 'W'],
  ['load_average', 'load of the machine', 'processes'],
] as const;

/** The device before and after each process, over time: a warm-up or a throttle shows as a slope. */
function DeviceState({ series }: { readonly series: readonly StoredSeries[] }) {
  const charts = useMemo(
    () =>
      QUANTITIES.flatMap(([name, title, unit]) => {
        const points = series
          .flatMap(({ started_at, state_before, state_after, sampling_cost_ms = 0, warmup_cost_ms = 0 }) => {
            const start_ms = Date.parse(started_at ?? '');
            return [
              { time_ms: start_ms, value: state_before?.[name] },
              { time_ms: start_ms + warmup_cost_ms + sampling_cost_ms, value: state_after?.[name] },
            ];
          })
          .flatMap(({ time_ms, value }) =>
            value === undefined || !Number.isFinite(time_ms) ? [] : [{ time_ms, value }],
          )
          .toSorted((one, other) => one.time_ms - other.time_ms);
        return points.length < 2 ? [] : [{ title, unit, points }];
      }),
    [series],
  );
  return (
    <>
      <h2>Device meanwhile</h2>
      {charts.length === 0 ? (
        <p class="quiet">The state of the device was not recorded with these series.</p>
      ) : null}
      <div class="grid">
        {charts.map(({ title, unit, points }) => (
          <figure key={title} class="panel">
            <figcaption>
              <b>{title}</b>
            </figcaption>
            <TimeChart
              label={`${title} in ${unit}: ${rangeText(points.map(({ value }) => value))}`}
              unit={unit}
              points={points}
            />
          </figure>
        ))}
      </div>
    </>
  );
}

function rangeText(values: readonly number[]): string {
  return `from ${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
}

function Processes({ series }: { readonly series: readonly StoredSeries[] }) {
  return (
    <>
      <h2>Processes</h2>
      <Table
        caption="Processes of this measurement"
        rows={series.map((one, index) => ({ ...one, process: one.process ?? index + 1 }))}
        idOf={({ process }) => String(process)}
        columns={[
          { name: 'process', side: 'left', cell: ({ process }) => process },
          {
            name: 'samples',
            cell: ({ samples_ms, thinned_from }) =>
              thinned_from === undefined ? samples_ms.length : `${samples_ms.length} of ${thinned_from}`,
          },
          { name: 'median', cell: ({ samples_ms }) => timeOrDash(medianOf(samples_ms)) },
          {
            name: 'fastest',
            cell: ({ samples_ms }) =>
              timeOrDash(samples_ms.length === 0 ? undefined : Math.min(...samples_ms)),
          },
          {
            name: 'slowest',
            spare: true,
            cell: ({ samples_ms }) =>
              timeOrDash(samples_ms.length === 0 ? undefined : Math.max(...samples_ms)),
          },
          {
            name: 'throttled',
            spare: true,
            cell: ({ throttled_ms }) => countText(throttled_ms?.length ?? 0, 'sample'),
          },
          { name: 'ended by', spare: true, side: 'left', cell: ({ stopped_by }) => stopped_by ?? '–' },
        ]}
      />
    </>
  );
}

function timeOrDash(time_ms: number | undefined): string {
  return time_ms === undefined ? '–' : timeText(time_ms);
}
