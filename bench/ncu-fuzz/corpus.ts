import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every so many columns of a raw page are kept: two thousand of them only make the search slow. */
const RAW_STEP = 37;
const DETAILS_ROWS = 36;

/** The exports in `folder`, made smaller, and the ones made by hand as they are. */
export function fuzzCorpus(folder: string): readonly string[] {
  const files = (below: string): string[] =>
    readdirSync(join(folder, below))
      .filter((name) => name.endsWith('.csv'))
      .map((name) => join(folder, below, name));
  const read = (path: string): string => readFileSync(path, 'utf8');
  return [
    ...files('').map((path) =>
      path.endsWith('.raw.csv') ? fewerColumns(read(path)) : fewerRows(read(path)),
    ),
    ...files('made').map(read),
  ];
}

function fewerColumns(text: string): string {
  const keep = (_: string, column: number): boolean => column < 11 || column % RAW_STEP === 0;
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => `"${line.slice(1, -1).split('","').filter(keep).join('","')}"\n`).join('');
}

function fewerRows(text: string): string {
  return `${text.split('\n').slice(0, DETAILS_ROWS).join('\n')}\n`;
}
