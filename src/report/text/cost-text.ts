import type { Money, RunCost } from '../../model/device/cost.ts';
import { formatDuration } from './units.ts';

/** `0.42 USD`. Two decimals; amounts below 1 with four, so that a short run does not read as free. */
export function moneyText({ amount, currency }: Money): string {
  if (amount > 0 && amount < 0.00005) return `< 0.0001 ${currency}`;
  return `${amount.toFixed(amount > 0 && amount < 1 ? 4 : 2)} ${currency}`;
}

/** `2 min 22 s, 1 min 01 s of device time, 0.0661 USD`. */
export function costText({ wall_s, device_s, money }: RunCost): string {
  return [
    formatDuration(1000 * wall_s),
    ...(device_s === undefined ? [] : [`${formatDuration(1000 * device_s)} of device time`]),
    ...(money === undefined ? [] : [moneyText(money)]),
  ].join(', ');
}
