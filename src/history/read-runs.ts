import { createReadStream } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { checkReportSchema, CHECK_SCHEMA } from '../model/reports/check-report.ts';
import { PawlError } from '../model/pawl-error.ts';
import { SESSION_SCHEMA, sessionSchema, type Session } from '../model/learn/session.ts';
import type { StoredRun } from '../model/history/stored-run.ts';
import { readSamples } from '../judge/read-samples.ts';
import { benchRun, comparisonRun } from './stored-runs.ts';

/** What a path holds that history can keep. */
export type RunSource =
  | { readonly type: 'store'; readonly path: string }
  | { readonly type: 'lines'; readonly path: string }
  | { readonly type: 'run'; readonly path: string; read(): Promise<StoredRun> }
  | { readonly type: 'session'; readonly path: string; read(): Promise<Session> };

const EXPECTED =
  'Expected a history.db, a file from `pawl history export`, a samples file, a session, the folder of a run or of a check, or .pawl/runs.';

export async function* findRuns(path: string): AsyncGenerator<RunSource> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new PawlError('usage', `There is no ${path}.`, EXPECTED);
  if (!found.isDirectory()) {
    yield await fileSource(path);
    return;
  }
  const own = await folderSource(path);
  if (own !== undefined) {
    yield own;
    return;
  }
  let any = false;
  for (const entry of (await readdir(path, { withFileTypes: true })).sort(byName)) {
    const inner = join(path, entry.name);
    const source = entry.isDirectory()
      ? await folderSource(inner)
      : entry.name.endsWith('.json')
        ? await fileSource(inner)
        : undefined;
    if (source === undefined) continue;
    any = true;
    yield source;
  }
  if (!any) throw new PawlError('bad-data', `There is no run in the folder ${path}.`, EXPECTED);
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}

async function folderSource(path: string): Promise<RunSource | undefined> {
  const names = new Set(await readdir(path));
  if (names.has('report.json') && names.has('head.json')) {
    return { type: 'run', path, read: () => readComparison(join(path, 'report.json')) };
  }
  if (names.has('samples.json')) return benchSource(join(path, 'samples.json'));
  return undefined;
}

async function fileSource(path: string): Promise<RunSource> {
  const file = await open(path);
  let head;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    head = buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
  if (head.startsWith('SQLite format 3')) return { type: 'store', path };
  if (head.startsWith('{"type":"history"')) return { type: 'lines', path };
  if (/^\s*\{\s*"schema":\s*"pawl\.session\/1"/.test(head)) {
    return { type: 'session', path, read: () => readSession(path) };
  }
  if (basename(path) === 'report.json') return { type: 'run', path, read: () => readComparison(path) };
  return benchSource(path);
}

function benchSource(path: string): RunSource {
  return {
    type: 'run',
    path,
    read: async () => benchRun(await readSamples(path), (await stat(path)).mtime),
  };
}

async function readComparison(path: string): Promise<StoredRun> {
  const folder = dirname(path);
  const parsed = checkReportSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (!parsed.success)
    throw new PawlError('bad-data', `${path} does not match the schema ${CHECK_SCHEMA}.`, EXPECTED);
  const names = new Set(await readdir(folder));
  const sides = {
    base: await readSamples(join(folder, 'base.json')),
    head: await readSamples(join(folder, 'head.json')),
    ...(names.has('control.json') ? { control: await readSamples(join(folder, 'control.json')) } : {}),
  };
  return comparisonRun(parsed.data, sides, (await stat(path)).mtime);
}

async function readSession(path: string): Promise<Session> {
  const parsed = sessionSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new PawlError('bad-data', `${path} does not match the schema ${SESSION_SCHEMA}.`, EXPECTED);
}

export async function* linesOf(
  path: string,
): AsyncGenerator<{ readonly line: string; readonly where: string }> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number++;
    if (line.trim() !== '') yield { line, where: `${path}:${number}` };
  }
}
