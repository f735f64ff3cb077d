import { DAY_MS, DEFAULT_WINDOW_DAYS } from '../../../src/model/text/moment.ts';
import { adjust } from '../common/router.ts';

/** One of several, kept in the address under `name`; the first is what holds when nothing is said. */
export function Choice(props: {
  readonly label: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, text: string])[];
}) {
  const { label, name, value, options } = props;
  return (
    <label class="choice">
      <span>{label}</span>{' '}
      <select
        value={value ?? options[0]?.[0] ?? ''}
        onChange={(event) => adjust({ [name]: event.currentTarget.value })}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export const WINDOWS = [
  [`${DEFAULT_WINDOW_DAYS}d`, `${DEFAULT_WINDOW_DAYS} days`],
  ['7d', '7 days'],
  ['90d', '90 days'],
  ['365d', 'a year'],
  ['all', 'everything'],
] as const;

/** The window as the API takes it: a day, so that the same page asks the same question all day long. */
export function sinceOf(window: string | undefined, now: number): string | undefined {
  if (window === 'all') return undefined;
  const days = Number.parseInt(window ?? '', 10);
  const start = now - (Number.isFinite(days) ? days : DEFAULT_WINDOW_DAYS) * DAY_MS;
  return `${new Date(start).toISOString().slice(0, 10)}T00:00:00Z`;
}
