import { sql } from 'kysely';

import { defined } from '../../model/defined.ts';
import type { CostRow } from '../../model/history/history-api.ts';
import type { DeviceHealth, HistoryRun } from '../../model/history/history.ts';
import { DAY_MS } from '../../model/text/moment.ts';
import type { Db } from '../database.ts';
import type { Window } from '../history.ts';

const dayOf = sql<number>`started_ms / ${sql.lit(DAY_MS)}`;

/** By device and host: one point a day that something was measured. */
export async function devices(db: Db, window: Window): Promise<DeviceHealth[]> {
  const rows = await inWindow(db, window)
    .innerJoin('devices', 'devices.n', 'runs.device_n')
    .select((eb) => [
      'devices.name as device',
      'runs.host as host',
      dayOf.as('day'),
      eb.fn.countAll<number>().as('runs'),
      eb.fn.avg<number | null>('between_pct').as('between_pct'),
      eb.fn.sum<number>('controls').as('controls'),
      eb.fn.sum<number>('alarms').as('alarms'),
    ])
    .groupBy(['devices.name', 'runs.host', dayOf])
    .orderBy('devices.name')
    .orderBy('runs.host')
    .orderBy('day')
    .execute();
  const found = new Map<string, DeviceHealth>();
  for (const { device, host, day, runs, between_pct, controls, alarms } of rows) {
    const name = JSON.stringify([device, host]);
    const known = found.get(name) ?? {
      device,
      ...defined({ host }),
      points: [],
      controls: { total: 0, alarms: 0 },
    };
    found.set(name, known);
    known.controls.total += controls;
    known.controls.alarms += alarms;
    if (between_pct !== null) {
      known.points.push({
        time: new Date(day * DAY_MS).toISOString(),
        runs,
        between_process_cv_pct: between_pct,
      });
    }
  }
  return [...found.values()];
}

export async function costs(db: Db, window: Window): Promise<CostRow[]> {
  const rows = await inWindow(db, window)
    .select((eb) => [
      dayOf.as('day'),
      'kind',
      'currency',
      eb.fn.countAll<number>().as('runs'),
      eb.fn.sum<number | null>('device_s').as('device_s'),
      eb.fn.sum<number | null>('money').as('amount'),
    ])
    .groupBy([dayOf, 'kind', 'currency'])
    .orderBy('day')
    .orderBy('kind')
    .execute();
  return rows.map(costOf);
}

function costOf(row: {
  readonly day: number;
  readonly kind: string;
  readonly currency: string | null;
  readonly runs: number;
  readonly device_s: number | null;
  readonly amount: number | null;
}): CostRow {
  const { currency } = row;
  return {
    day: new Date(row.day * DAY_MS).toISOString().slice(0, 10),
    kind: row.kind as HistoryRun['kind'],
    runs: row.runs,
    device_s: row.device_s ?? 0,
    ...defined({ currency }),
    amount: row.amount ?? 0,
  };
}

function inWindow(db: Db, { since, until }: Window) {
  return db
    .selectFrom('runs')
    .$if(since !== undefined, (query) => query.where('runs.started_ms', '>=', since!.getTime()))
    .$if(until !== undefined, (query) => query.where('runs.started_ms', '<', until!.getTime()));
}
