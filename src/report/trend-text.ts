import type { HistoryKey, JudgedDevice, TrendChange, TrendReport } from '../model/history.ts';
import { variantText } from '../model/variant.ts';
import { plainText } from './plain-text.ts';
import { formatPercent } from './units.ts';

const SHA_DIGITS = 10;

export function keyName({ kernel, case: name }: HistoryKey): string {
  return kernel === '' ? plainText(name) : `${plainText(kernel)}/${plainText(name)}`;
}

/** What tells a key from others of the same case. */
export function keyDetails({ mode, variant = {}, device_class }: HistoryKey): string {
  return [mode, variantText(variant), device_class]
    .map(plainText)
    .filter((part) => part !== '')
    .join(' · ');
}

export function shortSha(sha: string): string {
  return plainText(sha).slice(0, SHA_DIGITS);
}

/** The commit that a step is blamed on, or the stretch of a creep, and the day. */
export function changePlace(change: TrendChange, { commits }: Pick<TrendReport, 'commits'>): string {
  const subject = commits.find(({ sha }) => sha === change.commit)?.subject;
  const day = change.time.slice(0, 10);
  if (change.kind === 'creep') {
    return `no single commit, from ${shortSha(change.previous_commit)} to ${shortSha(change.commit)}, until ${day}`;
  }
  return [shortSha(change.commit), plainText(subject ?? ''), day].filter((part) => part !== '').join('  ');
}

/** Noise and A/A health in a sentence. */
export function deviceText({ controls, health, typical_cv_pct, noise_changes }: JudgedDevice): string {
  const noise =
    typical_cv_pct === undefined ? 'noise unknown' : `processes differ by ${formatPercent(typical_cv_pct)} %`;
  const alarms =
    health === 'unknown'
      ? 'no A/A controls'
      : `${controls.alarms} of ${controls.total} A/A controls alarmed${health === 'alarming' ? ', more than chance: do not trust its verdicts' : ''}`;
  const changes = noise_changes.map(
    ({ factor, time }) =>
      `${factor > 1 ? 'noisier' : 'quieter'} by a factor of ${(factor > 1 ? factor : 1 / factor).toFixed(1)} since ${time.slice(0, 10)}`,
  );
  return [noise, alarms, ...changes].join('; ');
}
