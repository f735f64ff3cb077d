import { writeDurably } from '../../os/write-durably.ts';
import { EMPTY_BASELINE, type Baseline } from '../../model/judge/baseline.ts';
import { ownHint, PawlError } from '../../model/pawl-error.ts';
import { parseBaseline } from '../../ratchet/parse-baseline.ts';
import { baselineText, sealBaseline } from '../../ratchet/seal.ts';
import { readBaselineText } from '../../ratchet/update-baseline.ts';
import { verifyBaseline } from '../../ratchet/verify-baseline.ts';
import type { CheckOptions } from './check-options.ts';
import { keyFrom } from '../../ratchet/baseline-file.ts';

/** What a check compares with: the file's entries, or those that it was given instead. */
export async function knownBaseline(
  path: string,
  options: Pick<CheckOptions, 'baseline' | 'baselineText' | 'update'>,
): Promise<{ readonly baseline: Baseline; readonly isThere: boolean }> {
  const { baselineText } = options;
  const text = baselineText === undefined ? await readBaselineText(path) : (baselineText ?? undefined);
  if (text === undefined && isMistaken(options)) throw noBaseline(path);
  return { baseline: soundBaseline(text, path), isThere: text !== undefined };
}

/** The baseline as it was known before anything ran, for changes to be made to it elsewhere than in its own file. */
export async function writeProposal(path: string, baseline: Baseline): Promise<void> {
  await writeDurably(path, baselineText(sealBaseline(baseline, undefined)));
}

/** A baseline that was named and is not there is a slip of the hand, except where it is about to be written. */
function isMistaken({ baseline, baselineText, update }: CheckOptions): boolean {
  return baseline !== undefined && baselineText === undefined && update !== true;
}

function noBaseline(path: string): PawlError {
  return new PawlError(
    'usage',
    `There is no baseline at ${path}.`,
    ownHint('Give an existing file, or add --update: pawl check then writes it.', 'check'),
  );
}

/** A file that somebody edited is not compared with: it would prove whatever they wrote. */
function soundBaseline(text: string | undefined, path: string): Baseline {
  if (text === undefined) return EMPTY_BASELINE;
  const document = parseBaseline(text, path);
  const [problem] = verifyBaseline(text, { key: keyFrom({}) });
  if (problem === undefined) return document;
  throw new PawlError(
    'bad-data',
    `The baseline was changed outside Pawl: ${problem}`,
    ownHint('Restore it from git; for details: pawl ratchet verify', 'ratchet verify'),
  );
}
