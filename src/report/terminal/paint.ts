import type { Tone } from '../../model/judge/verdict.ts';

/** How text is set off in a terminal. */
type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Select Graphic Rendition codes: ECMA-48, section 8.3.117. */
const CODES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** What a tone looks like in a terminal. */
export const TONE_STYLE: Readonly<Record<Tone, Style>> = {
  good: 'green',
  warn: 'yellow',
  bad: 'red',
  plain: 'dim',
  fresh: 'cyan',
};

export type Paint = (style: Style, text: string) => string;

/** Text as it is where color is off: the door decides (NO_COLOR, a pipe), renderers only ask. */
export function painter(color: boolean): Paint {
  if (!color) return (_, text) => text;
  return (style, text) => {
    const [on, off] = CODES[style];
    return text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
