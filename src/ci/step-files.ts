/** What a step of a GitHub workflow hands over: outputs, its summary, and annotations in its log. */
import { randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';

/** GitHub drops a summary above 1 MiB. */
const SUMMARY_MAX_BYTES = 1_000_000;

/** Names of outputs are ours; values may be anything, and cannot end their own block: its end is drawn at random. */
export async function writeOutputs(
  file: string,
  outputs: Readonly<Record<string, string | number | undefined>>,
): Promise<void> {
  const blocks = Object.entries(outputs).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const end = `pawl-${randomBytes(16).toString('hex')}`;
    return [`${name}<<${end}\n${String(value)}\n${end}\n`];
  });
  await appendFile(file, blocks.join(''));
}

export async function writeSummary(file: string, markdown: string): Promise<void> {
  const bytes = Buffer.byteLength(markdown);
  const text =
    bytes > SUMMARY_MAX_BYTES ? 'The report is too long for a summary: it is in the artifacts.' : markdown;
  await appendFile(file, `${text}\n`);
}

/**
 * A workflow command, which GitHub shows beside the job. Line breaks and `%` would end it or begin another one.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function annotation(
  level: 'error' | 'warning' | 'notice',
  title: string,
  message: string,
  at?: { readonly path: string; readonly line: number },
): string {
  const property = (text: string): string => escaped(text, /[%\r\n:,]/gu);
  const place = at === undefined ? '' : `file=${property(at.path)},line=${at.line},`;
  return `::${level} ${place}title=${property(title)}::${escaped(message, /[%\r\n]/gu)}`;
}

function escaped(text: string, meaningful: RegExp): string {
  const encode = (character: string): string =>
    `%${character.codePointAt(0)!.toString(16).toUpperCase().padStart(2, '0')}`;
  return text.replaceAll(meaningful, encode).replaceAll(/\p{C}/gu, '');
}
