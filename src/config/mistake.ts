import { PawlError } from '../model/pawl-error.ts';

export type Path = readonly (string | number)[];

/** Something in pawl.yaml that is wrong, and where. */
export interface Mistake {
  readonly path: Path;
  readonly message: string;
  /** The key is wrong or lacks something, not its value. */
  readonly at?: 'key';
  /** How far into the text of the value the mistake lies. */
  readonly offset?: number;
  /** A file that pawl.yaml names is wrong, and not pawl.yaml itself. */
  readonly isData?: boolean;
}

export type AddMistake = (
  path: Path,
  message: string,
  details?: Pick<Mistake, 'at' | 'offset' | 'isData'>,
) => void;

/** A place in the file and the line that tells about it. */
export interface PlacedMistake {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly isData?: boolean;
}

export function mistakesError(label: string, mistakes: readonly PlacedMistake[]): PawlError {
  const lines = [...mistakes]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, text }) => `${label}:${line}:${column}: ${text}`);
  return new PawlError(
    mistakes.every(({ isData }) => isData === true) ? 'bad-data' : 'configuration',
    [...new Set(lines)].join('\n'),
    'docs/pawl-yaml.md in the Pawl repository describes every key, with examples.',
  );
}

/** `kernels.attention-cpu.constraints[0]`. */
export function pathText(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += `${text === '' ? '' : '.'}${/^[\w.-]+$/.test(step) ? step : showValue(step)}`;
  }
  return text;
}

/** A value from the file, short and free of control characters; lists and mappings only by kind. */
export function showValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a mapping';
  if (typeof value !== 'string') return 'nothing';
  const text = JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value);
  return text.replaceAll(/\p{C}/gu, '?');
}
