import { InvalidArgumentError, Option } from 'commander';

import { parseMoment } from '../model/text/moment.ts';
import type { TunableValue, Variant } from '../model/problem/variant.ts';

/** Every command that works on a project has it. */
export function configOption(): Option {
  return new Option('-C, --config <path>', 'pawl.yaml or its folder (default: search from here upwards)');
}

/** A whole number from 1 up. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('Expected a whole number, 1 or more.');
  return value;
}

/** A whole number from 0 up. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0) {
    throw new InvalidArgumentError('Expected a whole number, 0 or more.');
  }
  return value;
}

export function regularExpression(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** A TCP port; 0 takes any. */
export function portNumber(text: string): number {
  const value = wholeNumber(text);
  if (value > 65_535) throw new InvalidArgumentError('Expected a port from 0 to 65535.');
  return value;
}

/** In seconds: `600`, `90s`, `10m`, `1.5h`, `1h30m`. */
export function duration(text: string): number {
  const trimmed = text.trim();
  const [whole, hours, minutes, rest] =
    /^(?:([\d.]+)\s*h)?\s*(?:([\d.]+)\s*m(?:in)?)?\s*(?:([\d.]+)\s*s)?$/.exec(trimmed) ?? [];
  // A bare number is read as JavaScript does, `1e3` and all.
  const value =
    whole === undefined
      ? Number(trimmed)
      : 3600 * Number(hours ?? 0) + 60 * Number(minutes ?? 0) + Number(rest ?? 0);
  if (trimmed === '' || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError('Expected a time: 600 (seconds), 90s, 10m, 1h30m.');
  }
  return value;
}

/** Like `duration`, of a budget: none at all is nothing to work with. */
export function budget(text: string): number {
  const value = duration(text);
  if (value === 0) throw new InvalidArgumentError('Expected a time above 0: 600 (seconds), 10m, 1h30m.');
  return value;
}

export function percent(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value < 100)) {
    throw new InvalidArgumentError('Expected a percentage between 0 and 100.');
  }
  return value;
}

/** `what`: what the number is, as in `an amount`. */
export function above0(what: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value > 0 && Number.isFinite(value)) return value;
    throw new InvalidArgumentError(`Expected ${what} above 0.`);
  };
}

/** In percent of the time before: what takes three times as long is slower by 200. */
export const slowdown = above0('a percentage');

export function moment(text: string): Date {
  const time = parseMoment(text, new Date());
  if (time === undefined) {
    throw new InvalidArgumentError('Expected a date such as 2026-07-01, or 12h, 30d, 8w.');
  }
  return time;
}

/** Collects a repeatable option; commas separate too: `--case a,b --case c`. */
export function list(text: string, before: readonly string[] | undefined): string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return [...(before ?? []), ...items];
}

/** Like `list`, of words that are known. `refuse`: what is said of another. */
export function listOf<Word extends string>(
  known: readonly Word[],
  refuse = (_item: string) => `Allowed choices are ${known.join(', ')}.`,
) {
  return (text: string, before: readonly Word[] | undefined): Word[] =>
    list(text, before).map((item) => {
      const word = known.find((each) => each === item);
      if (word === undefined) throw new InvalidArgumentError(refuse(item));
      return word;
    });
}

/** `NAME=VALUE[,NAME=VALUE…]`: numbers and booleans are read as such. */
export function variant(text: string, before: Variant | undefined): Variant {
  const settings: Variant = { ...before };
  for (const part of text.split(',')) {
    const [name, value, ...rest] = part.split('=').map((piece) => piece.trim());
    if (!name || value === undefined || value === '' || rest.length > 0) {
      throw new InvalidArgumentError(`Expected NAME=VALUE, not "${part}".`);
    }
    settings[name] = tunableValue(value);
  }
  return settings;
}

function tunableValue(text: string): TunableValue {
  if (text === 'true') return true;
  if (text === 'false') return false;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** The same words wherever a change is judged. An assistant's tools do not have it: only a person accepts. */
export function acceptJudgeOption(): Option {
  return new Option(
    '--accept-judge-change',
    'accept what the change alters about its own judge (oracle, tolerance, cases, thresholds …), after reading it',
  );
}

/** `what`: what is kept, as in `write entries`. An assistant's tools do not have it: only a person accepts. */
export function acceptLoadOption(what: string): Option {
  return new Option(
    '--accept-load',
    `${what} even if other work ran on the machine meanwhile (or set $PAWL_ACCEPT_LOAD=1)`,
  );
}
