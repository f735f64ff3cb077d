import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { findPython } from '../../src/device/python.ts';
import { tempProject } from '../config/temp-project.ts';

const python = await findPython();
const BIN = resolve(import.meta.dirname, '../../bin');

const EXAMPLE = resolve(import.meta.dirname, '../../docs/examples/search');

/** The files that docs/fleets.md links to: so the documentation is known to be true. */
async function linkedFiles(): Promise<Record<string, string>> {
  const page = await readFile(resolve(EXAMPLE, '../../fleets.md'), 'utf8');
  const names = [...page.matchAll(/\]\(examples\/search\/([\w.]+)\)/gu)].map(([, name]) => name!);
  const texts = await Promise.all(names.map((name) => readFile(resolve(EXAMPLE, name), 'utf8')));
  return Object.fromEntries(names.map((name, at) => [name, texts[at]!]));
}

describe.skipIf(python.status !== 'found')('the search of docs/fleets.md', () => {
  it('improves a kernel by `pawl judge` alone', { timeout: 600_000 }, async () => {
    const files = await linkedFiles();
    expect(Object.keys(files)).toEqual(['evolve.py', 'pawl.yaml', 'oracle.cpp', 'textbook.cpp']);
    const cwd = await tempProject(files);
    if (python.status !== 'found') throw new Error('no Python');
    const env = { ...process.env, PATH: [BIN, process.env.PATH].join(delimiter) };
    const { stdout } = await promisify(execFile)(python.path, ['evolve.py', '2', '3'], { cwd, env });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly reward?: number; readonly judged_again?: number });
    expect(lines).toHaveLength(3);
    const rewards = lines.slice(0, 2).map(({ reward }) => reward!);
    expect(rewards).toEqual(rewards.toSorted((one, other) => one - other));
    // Loops in an order that the compiler can vectorise are several times faster.
    expect(lines.at(-1)!.judged_again).toBeGreaterThan(1.2);
  });
});
