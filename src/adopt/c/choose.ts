import type { AdoptCandidate } from '../../model/reports/adopt-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Signature } from './signature.ts';

/** The function to adopt: the one that is named, or the only one that can be. */
export function chooseFunction(
  all: readonly Signature[],
  named: string | undefined,
  file: string,
): Signature {
  const listed = all.map(
    (one) => `  ${one.text}${one.obstacle === undefined ? '' : ` (not: ${one.obstacle})`}`,
  );
  if (named !== undefined) {
    const [found, ...others] = all.filter(({ name }) => name === named || name.endsWith(`::${named}`));
    if (found === undefined) {
      throw new PawlError('bad-data', `${file} does not define a function ${named}.`, thereAre(listed));
    }
    if (others.length > 0) {
      throw new PawlError(
        'bad-data',
        `${file} defines ${named} more than once.`,
        'Write a function with a unique name that calls the one you mean, and adopt that.',
      );
    }
    if (found.obstacle !== undefined) {
      throw new PawlError(
        'bad-data',
        `${found.name} cannot be adopted: ${found.obstacle}.`,
        thereAre(listed),
      );
    }
    return found;
  }
  const usable = all.filter(({ obstacle }) => obstacle === undefined);
  const [only, ...more] = usable;
  if (only === undefined) {
    throw new PawlError('bad-data', `${file} has no function that can be adopted.`, thereAre(listed));
  }
  if (more.length > 0) {
    throw new PawlError(
      'usage',
      `${file} has ${usable.length} functions that can be adopted: choose one with --function NAME.`,
      thereAre(usable.map(({ text }) => `  ${text}`)),
    );
  }
  return only;
}

function thereAre(lines: readonly string[]): string {
  return lines.length === 0
    ? 'It does not define a function outside classes.'
    : `It defines\n${lines.join('\n')}`;
}

export function candidatesOf(all: readonly Signature[]): AdoptCandidate[] {
  return all.map(({ name, line, text: signature, obstacle }) =>
    obstacle === undefined ? { name, line, signature } : { name, line, signature, obstacle },
  );
}
