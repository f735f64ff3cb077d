import { PawlError } from '../../model/pawl-error.ts';

/** A formula that cannot be read or computed, and where in its text (`offset` counts characters from 0). */
export class ExpressionError extends PawlError {
  readonly reason: string;
  readonly offset: number;

  constructor(source: string, offset: number, reason: string) {
    super('configuration', `${reason} at character ${offset + 1} of \`${shorten(source)}\``);
    this.name = 'ExpressionError';
    this.reason = reason;
    this.offset = offset;
  }
}

function shorten(source: string): string {
  const line = source.replaceAll(/\s+/g, ' ').replaceAll(/\p{C}/gu, '?');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
