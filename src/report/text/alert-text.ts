/** An alert in words: a title of one line, and what is known besides. */
import type { AlertChange } from '../../model/server/alert.ts';
import { intervalWords, roughChangeWords } from '../../model/text/change-text.ts';
import type { HistoryKey } from '../../model/history/history.ts';
import { clip, plainText } from './plain-text.ts';
import { keyName, settingText, shortSha } from './trend-text.ts';

/** Longer subjects of mails are cut by their readers anyway. */
const MOST_TITLE = 160;
const MOST_DETAIL = 300;

export function alertTitle(key: HistoryKey, change: AlertChange): string {
  const { direction, change_pct, kind, commit } = change;
  const size = change_pct === undefined ? direction : roughChangeWords(change_pct);
  const since = kind === 'creep' ? 'over many commits' : `since ${shortSha(commit)}`;
  return clip(`${keyName(key)} is ${size} ${since}`, MOST_TITLE);
}

export function alertDetails(key: HistoryKey, change: AlertChange): string[] {
  const { kind, ci_pct, commit, previous_commit, subject = '', branch, time, hosts, settings = [] } = change;
  const range =
    kind === 'creep' && previous_commit !== undefined
      ? `from ${shortSha(previous_commit)} to ${shortSha(commit)}`
      : [shortSha(commit), plainText(subject)].filter((part) => part !== '').join(' ');
  return [
    [
      kind === 'verdict'
        ? 'Confirmed by a check, which measured both sides twice'
        : 'Found in the trend over commits',
      ...(ci_pct === undefined ? [] : [`95 % interval ${intervalWords(ci_pct)}`]),
    ].join('; '),
    `${plainText(key.device)}, ${plainText(key.mode)}`,
    [
      `Commit ${range}`,
      ...(branch === undefined ? [] : [`branch ${plainText(branch)}`]),
      time.slice(0, 10),
    ].join(', '),
    ...settings.map((setting) => `Also changed: ${settingText(setting)}`),
    ...(hosts === undefined
      ? []
      : [`Also changed: the host, from ${plainText(hosts.before)} to ${plainText(hosts.after)}`]),
  ].map((line) => clip(line, MOST_DETAIL));
}
