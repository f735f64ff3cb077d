import { defined } from '../model/defined.ts';
import type { ProcessIdentity } from '../os/process-identity.ts';
import type { LiveCase, LiveEvent, LiveRun } from '../model/server/live-event.ts';
import type { DeviceWait } from '../model/device/lock-holder.ts';
import { runRecordSchema, type RunRecord } from '../model/measure/run-record.ts';
import { median } from '../stats/quantile.ts';

/** What the journal of a run adds up to for somebody who watches it. */
export class LiveRunState {
  readonly id: string;
  owner: ProcessIdentity | undefined;
  isOver = false;
  #environment: { started_at?: string; host?: string } = {};
  #waiting: DeviceWait | undefined;
  readonly #cases = new Map<number, LiveCase>();

  constructor(id: string) {
    this.id = id;
  }

  get summary(): LiveRun {
    const waiting = defined({ waiting: this.#waiting });
    return { id: this.id, ...this.#environment, cases: [...this.#cases.values()], ...waiting };
  }

  /** What of it is news; a record that this version does not know is none. */
  add(value: unknown): LiveEvent[] {
    const { data: record, success } = runRecordSchema.safeParse(value);
    if (!success) return [];
    switch (record.type) {
      case 'run': {
        const { started_at, host } = record.environment;
        this.owner = record.owner;
        this.isOver = false;
        this.#environment = {
          ...defined({ started_at, host }),
        };
        return [{ type: 'run', run: this.summary }];
      }
      case 'environment':
      case 'skipped':
        return [];
      case 'waiting': {
        const { device, holder } = record;
        this.#waiting = { device, ...defined({ holder }) };
        return [{ type: 'run', run: this.summary }];
      }
      case 'measurement': {
        const { kernel, case: name, variant, mode, check } = record.measurement;
        return this.#progress(record.key, {
          kernel,
          case: name,
          variant,
          mode,
          series: 0,
          samples: 0,
          lost: 0,
          ...defined({ correct: check?.passed }),
        });
      }
      case 'check':
      case 'series':
      case 'lost': {
        const before = this.#cases.get(record.key);
        return before === undefined ? [] : this.#progress(record.key, after(before, record));
      }
    }
  }

  #progress(key: number, state: LiveCase): LiveEvent[] {
    this.#cases.set(key, state);
    return [{ type: 'progress', run: this.id, case: state }];
  }
}

function after(
  before: LiveCase,
  record: Extract<RunRecord, { type: 'check' | 'series' | 'lost' }>,
): LiveCase {
  switch (record.type) {
    case 'check':
      return { ...before, correct: record.check.passed };
    case 'lost':
      return { ...before, lost: before.lost + 1 };
    case 'series': {
      const { samples_ms } = record.series;
      return {
        ...before,
        series: before.series + 1,
        samples: before.samples + samples_ms.length,
        median_ms: median(samples_ms),
      };
    }
  }
}
