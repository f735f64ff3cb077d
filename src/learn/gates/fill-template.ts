import type { Fact } from '../../model/learn/gate.ts';
import { withThousands } from '../../model/text/number-text.ts';
import { shellWord } from '../../model/text/shell-word.ts';
import { COMMAND_NAMES } from './gate-names.ts';

type Values = Readonly<Record<string, Fact>>;

const PLACE = /\{([a-z_][a-z0-9_]*)(%?)\}/gi;

/** A time in milliseconds with its unit behind it. */
const TIME_PLACE = /\{([a-z_][a-z0-9_]*_ms)\} ms\b/gi;

/** The names that a text has places for. */
export function placesIn(template: string): string[] {
  return [...new Set([...template.matchAll(PLACE)].map(([, name = '']) => name))];
}

/** `{name}` replaced by its value, once: what a value holds is text, never a place. Values may be sentences. */
export function fillText(template: string, values: Values): string {
  return template
    .replaceAll(TIME_PLACE, (place, name: string) => {
      const value = valueOf(values, name);
      return typeof value === 'number' ? timeFact(value) : place;
    })
    .replaceAll(PLACE, (_, name: string, percent: string) => {
      const value = valueOf(values, name);
      return value === undefined ? `(${name} is unknown)` : oneLine(factText(value, percent === '%'));
    })
    .replaceAll(/\.\.(?=\s|$)/g, '.');
}

/** The same for a command: each value is one word for a shell, and what is not known is for a person to fill in. */
export function fillCommand(template: string, values: Values): string {
  return template.replaceAll(PLACE, (_, name: string) => {
    const value = valueOf(values, name);
    if (value === undefined) return name.toUpperCase();
    return COMMAND_NAMES.includes(name) ? String(value) : shellWord(oneLine(String(value)));
  });
}

function valueOf(values: Values, name: string): Fact | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** In the unit that other sentences about such a time have: 315 µs, not 0.315 ms. */
function timeFact(time_ms: number): string {
  return time_ms < 1 ? `${factText(1000 * time_ms)} µs` : `${factText(time_ms)} ms`;
}

/** Three digits, or all of a whole number: 0.12, 49,152, 93 %. */
function factText(value: Fact, asPercent = false): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (asPercent) return `${Number((100 * value).toPrecision(value < 0.1 ? 2 : 3))} %`;
  if (Number.isInteger(value)) return withThousands(value);
  return String(Number(value.toPrecision(3)));
}

/** What compilers and kernels said is quoted here: it must not move the cursor or begin another line. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/\p{C}/gu, '').trim();
}
