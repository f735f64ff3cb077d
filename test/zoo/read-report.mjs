// For the reports on machines where nothing but Node is there: lists without a compiler, files without a schema.
import { readFileSync } from 'node:fs';

/**
 * The entries of a .ts file that holds one literal of plain values, which is JavaScript as well.
 * @param {URL} file
 * @returns {Promise<[string, any][]>}
 */
export async function readList(file) {
  const text = readFileSync(file, 'utf8');
  const literal = text.slice(text.indexOf('= {\n') + 2, text.lastIndexOf('};') + 1);
  const all = await import(`data:text/javascript,export default ${encodeURIComponent(literal)}`);
  return Object.entries(all.default);
}

/**
 * A report that a command could not write is a reason for everything being missed, not for ending here.
 * @param {string} file
 */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    console.log(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}
