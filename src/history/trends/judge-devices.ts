import { defined } from '../../model/defined.ts';
import { JUDGE_DEFAULTS } from '../../judge/judge-policy.ts';
import type { DeviceHealth, JudgedDevice } from '../../model/history/history.ts';
import { binomialUpperTail } from '../../stats/binomial.ts';
import { levelShifts } from '../../stats/level-shifts.ts';
import { median } from '../../stats/quantile.ts';

/** An A/A control is judged like any comparison: unchanged code reads as slower, or as faster, this often at most. */
const ALARM_SHARE = 2 * JUDGE_DEFAULTS.falseAlarm;
/** Alarms that the promised share would bring less often than this say that the device breaks the promise. */
const UNLIKELY = 0.01;
/** A noise of exactly nothing has no logarithm; no device is this quiet. */
const LEAST_CV_PCT = 1e-3;
/** A mean over so few runs a day scatters by about this share of itself; days only differ in how many there were. */
const DAY_SCATTER = 0.5;

/** What there is to say of each device: whether its controls alarm more than they may, and whether its noise changed. */
export function judgeDevices(devices: readonly DeviceHealth[]): JudgedDevice[] {
  return devices.map((device) => {
    const { total, alarms } = device.controls;
    const chance = alarms === 0 ? 1 : binomialUpperTail(alarms - 1, total, ALARM_SHARE);
    const levels = device.points.map((point) => Math.max(LEAST_CV_PCT, point.between_process_cv_pct));
    const noise = levels.length === 0 ? undefined : median(levels);
    return {
      ...device,
      ...defined({ typical_cv_pct: noise }),
      alarm_p: chance,
      health: total === 0 ? 'unknown' : chance < UNLIKELY ? 'alarming' : 'sound',
      noise_changes: noiseChanges(device, levels),
    };
  });
}

function noiseChanges({ points }: DeviceHealth, levels: readonly number[]): JudgedDevice['noise_changes'] {
  if (levels.length === 0) return [];
  const { shifts } = levelShifts(
    levels.map(Math.log),
    points.map(({ runs }) => DAY_SCATTER / Math.sqrt(runs)),
  );
  return shifts.map(({ kind, last, size, p }) => ({
    kind,
    time: points[last]!.time,
    factor: Math.exp(size),
    p,
  }));
}
