/** Lines of an export that somebody else made: from ncu's source page, with or without the report itself. */
import type { HotLines } from '../../model/profile/hot-lines.ts';
import type { LaunchProfile } from '../../model/profile/profile.ts';
import { functionName } from '../function-name.ts';
import type { CapturedLines } from './code-lines.ts';
import { capturedLines } from './captured-lines.ts';
import { readCorrelatedPage } from './correlated-page.ts';
import { hotLines, type SourceText } from './hot-lines.ts';

export interface ExportedLines {
  readonly captured: readonly CapturedLines[];
  readonly sources: SourceText;
}

/** `report`: the bytes of an `.ncu-rep`, which holds the compiled code. A page without samples has no lines. */
export function exportedLines(page: string, sources: SourceText, report?: Buffer): ExportedLines | undefined {
  const correlated = report === undefined ? readCorrelatedPage(page) : undefined;
  const found = correlated?.captured ?? capturedLines(page, report === undefined ? [] : [report]);
  const captured = found.filter(({ table }) => table.instructions.some(({ samples }) => samples > 0));
  if (captured.length === 0 || captured.length < found.length) return undefined;
  const { nameOf } = sources;
  const lineOf: SourceText['lineOf'] = (file, line) =>
    correlated?.textOf(file, line) ?? sources.lineOf(file, line);
  return { captured, sources: { nameOf, lineOf } };
}

/** Launch by launch; undefined where the page is not that of these launches. */
export function linesOfLaunches(
  launches: readonly LaunchProfile[],
  { captured, sources }: ExportedLines,
): HotLines[] | undefined {
  const isTheirs =
    captured.length === launches.length &&
    captured.every(({ table }, index) => isSame(table.kernel, launches[index]!.name));
  return isTheirs ? captured.map(({ table, lines }) => hotLines(table, lines, sources)) : undefined;
}

/** One page may have the linker's name, another the whole signature. */
function isSame(one: string, other: string): boolean {
  const [short, long] = [functionName(one), functionName(other)];
  return short === long || one.includes(long) || other.includes(short);
}
