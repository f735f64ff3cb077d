import { useMemo } from 'preact/hooks';

import type { DeviceHealth } from '../../../src/model/history/history.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { MEASURE } from '../common/commands.ts';
import { countText, formatDuration, moneyText } from '../common/format.ts';
import { Empty, Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import type { CostRow, Page } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

export function DevicesPage() {
  const loaded = useAnswer<Page<DeviceHealth>>('devices');
  return (
    <>
      <h1>Devices</h1>
      <Shown loaded={loaded} height={700}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No device has measured anything yet." command={MEASURE}>
              This page shows the noise between processes, and false alarms of the A/A controls, from recorded
              runs.
            </Empty>
          ) : (
            items.map((device) => <Device key={`${device.device} ${device.host ?? ''}`} health={device} />)
          )
        }
      </Shown>
      <h2>Time held</h2>
      <Costs />
    </>
  );
}

function Device({ health }: { readonly health: DeviceHealth }) {
  const { device, host, points, controls } = health;
  const noise = useMemo(
    () =>
      points.map(({ time, between_process_cv_pct }) => ({
        time_ms: Date.parse(time),
        value: between_process_cv_pct,
      })),
    [points],
  );
  const last = points.at(-1);
  return (
    <section class="device panel">
      <h2>
        {device} {host === undefined ? null : <small class="quiet">{host}</small>}
      </h2>
      <div class="two">
        <figure>
          <figcaption>
            <b>Noise between processes</b>{' '}
            {last === undefined ? null : <span>now {last.between_process_cv_pct.toFixed(2)} %</span>}
          </figcaption>
          {noise.length < 2 ? (
            <p class="quiet">One period so far: a chart needs two.</p>
          ) : (
            <TimeChart
              label={`Noise between processes of ${device}, in percent: ${rangeText(points)}`}
              unit="%"
              points={noise}
            />
          )}
        </figure>
        <figure>
          <figcaption>
            <b>A/A controls</b>
          </figcaption>
          <Controls controls={controls} />
        </figure>
      </div>
    </section>
  );
}

function rangeText(points: DeviceHealth['points']): string {
  const values = points.map(({ between_process_cv_pct }) => between_process_cv_pct);
  return `from ${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)} over ${countText(points.length, 'period')}`;
}

function Controls({ controls: { total, alarms } }: { readonly controls: DeviceHealth['controls'] }) {
  if (total === 0)
    return (
      <p class="quiet">
        None was measured. <code>pawl check</code> measures the same code twice along with the cases: any
        change it reports is a false alarm.
      </p>
    );
  const [low, high] = wilson(alarms, total);
  return (
    <>
      <p class="figure-number">
        {alarms} <small>of {countText(total, 'control')} read as a change</small>
      </p>
      <p>
        {`${((100 * alarms) / total).toFixed(1)} % (${(100 * low).toFixed(1)} … ${(100 * high).toFixed(1)} %). `}
        {low > 0.05 ? (
          <b class="slower">More false alarms than expected: check what else runs there.</b>
        ) : (
          'Not more than expected.'
        )}
      </p>
    </>
  );
}

/** The 95 % score interval of a share (Wilson, 1927): right also where nothing alarmed. */
function wilson(hits: number, total: number): [number, number] {
  const z = 1.959964;
  const share = hits / total;
  const middle = share + (z * z) / (2 * total);
  const reach = z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  const scale = 1 + (z * z) / total;
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
}

function Costs() {
  const loaded = useAnswer<Page<CostRow>>('costs');
  return (
    <Shown loaded={loaded} height={200}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title="No device time was recorded." />
        ) : (
          <Table
            caption="Device time by day and kind, latest first"
            rows={items.toSorted((one, other) => (one.day < other.day ? 1 : -1)).slice(0, 30)}
            idOf={({ day, kind, currency }) => `${day} ${kind} ${currency ?? ''}`}
            columns={[
              { name: 'day', side: 'left', cell: ({ day }) => day },
              { name: 'kind', side: 'left', cell: ({ kind }) => kind },
              { name: 'runs', cell: ({ runs }) => runs },
              { name: 'device held', cell: ({ device_s }) => formatDuration(device_s * 1000) },
              {
                name: 'cost',
                cell: ({ amount, currency }) =>
                  currency === undefined ? '–' : moneyText({ amount, currency }),
              },
            ]}
          />
        )
      }
    </Shown>
  );
}
