import type {
  HistoryKey,
  JudgedDevice,
  NewestPoint,
  SettingChange,
  Trend,
  TrendChange,
  TrendMark,
  TrendPoint,
  TrendReport,
} from '../../model/history/history.ts';
import { variantText } from '../../model/problem/variant-text.ts';
import { plainText } from './plain-text.ts';
import { formatPercent } from './units.ts';

const SHA_DIGITS = 10;
const MOST_HOSTS = 4;

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

/** Every host that points of it were measured on, in the order of the points. */
export function hostsText(points: readonly TrendPoint[]): string {
  const hosts = [...new Set(points.flatMap(({ host }) => host ?? []))];
  if (hosts.length === 0) return '';
  const named = hosts.slice(0, MOST_HOSTS).map(plainText).join(', ');
  return `on ${named}${hosts.length > MOST_HOSTS ? ` and ${hosts.length - MOST_HOSTS} more` : ''}`;
}

/** The commit that a step is blamed on, or the stretch of a creep, and the day. */
export function changePlace(
  change: Pick<TrendChange, 'commit' | 'previous_commit' | 'time' | 'hosts' | 'settings'> & {
    readonly kind?: TrendChange['kind'];
  },
  { commits }: Pick<TrendReport, 'commits'>,
): string {
  const subject = commits.find(({ sha }) => sha === change.commit)?.subject;
  const day = change.time.slice(0, 10);
  if (change.kind === 'creep') {
    return `no single commit, from ${shortSha(change.previous_commit)} to ${shortSha(change.commit)}, until ${day}${alsoChanged(change)}`;
  }
  return [shortSha(change.commit), plainText(subject ?? ''), `${day}${alsoChanged(change)}`]
    .filter((part) => part !== '')
    .join('  ');
}

/** What else changed with the level, and so may be why: ` (driver 580.65 → 590.10)`. */
function alsoChanged({ hosts, settings = [] }: Pick<TrendChange, 'hosts' | 'settings'>): string {
  const parts = [
    ...settings.map(settingText),
    ...(hosts === undefined
      ? []
      : [`the host changed from ${plainText(hosts.before)} to ${plainText(hosts.after)}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

const SETTING_NAMES: Readonly<Record<SettingChange['what'], string>> = {
  driver: 'driver',
  cuda: 'CUDA',
  clocks: 'clocks',
  compiler: 'compiler',
  variant: 'default',
};

/** `driver 580.65 → 590.10`; of a variant only what differs: `default BLOCK_M=64 → BLOCK_M=128`. */
export function settingText({ what, before, after }: SettingChange): string {
  const name = SETTING_NAMES[what];
  if (what !== 'variant') return `${name} ${plainText(before)} → ${plainText(after)}`;
  const [from, to] = [before.split(','), after.split(',')];
  const differs = (own: readonly string[], other: readonly string[]): string =>
    plainText(own.filter((part) => !other.includes(part)).join(',')) || 'none';
  return `${name} ${differs(from, to)} → ${differs(to, from)}`;
}

/** What a mark says. */
export function markText({ kind, settings = [], name, verdict }: TrendMark): string {
  if (kind === 'setting') return settings.map(settingText).join('; ');
  if (kind === 'release') return `release ${plainText(name ?? '')}`;
  return kind === 'waiver' ? 'waived' : `${verdict ?? ''} by its check`;
}

/** Whether the newest point counts, in a clause. */
export function newestText({ verdict }: Pick<NewestPoint, 'verdict'>): string {
  if (verdict === 'regressed' || verdict === 'improved') return `${verdict} by its check`;
  if (verdict === 'maintained') return 'maintained by its check: the machine changed';
  return 'one point, not confirmed: pawl check decides';
}

/** Marks that no change stands for. */
export function otherMarks({ marks = [], changes, newest }: Trend): TrendMark[] {
  const told = new Set([...changes, ...(newest === undefined ? [] : [newest])].map(({ commit }) => commit));
  return marks.filter(({ kind, commit }) => kind === 'release' || !told.has(commit));
}

/** What alternates in a trend without being a change: two modes, and hosts that differ. */
export function steadyTexts({ modes, host_offsets = [] }: Trend): string[] {
  const [first, ...others] = host_offsets;
  const hosts = others.map(({ host, slower_by_pct }) => {
    const way = slower_by_pct < 0 ? 'less' : 'longer';
    return `${plainText(host)} takes ${formatPercent(Math.abs(slower_by_pct))} % ${way} than ${plainText(first!.host)}`;
  });
  return [
    ...(modes === undefined
      ? []
      : [
          `two modes: the slower one takes ${formatPercent(modes.slower_by_pct)} % longer and has ${modes.slower_share_pct.toFixed(0)} % of the points; ${modes.flips} switches between them do not count as changes`,
        ]),
    ...(hosts.length === 0 ? [] : [`host offsets: ${hosts.join(', ')}`]),
  ];
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
