import { relative, resolve } from 'node:path';

import { hashFile } from '../../os/file-hasher.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { JudgeChange } from '../../model/judge/judge-change.ts';
import type { JudgeFiles } from './judge-files.ts';

/** Which files of the base's judge a change edits, takes away or puts others before. */
export async function fileChanges(
  files: readonly JudgeFiles[],
  base: LoadedConfig,
  change: LoadedConfig,
): Promise<JudgeChange[]> {
  const changes = new Map<string, JudgeChange>();
  for (const part of files) {
    for (const one of await changesIn(part, base, change)) changes.set(one.text, one);
  }
  return [...changes.values()];
}

async function changesIn(
  { kind, what, named, included, rivals }: JudgeFiles,
  base: LoadedConfig,
  change: LoadedConfig,
): Promise<JudgeChange[]> {
  const place = (path: string): string => relative(base.root, path);
  const found: JudgeChange[] = [];
  for (const path of [...named, ...included]) {
    const [before, after] = await Promise.all([hashFile(path), hashFile(resolve(change.root, place(path)))]);
    if (before === after) continue;
    const role = named.includes(path) ? what : `a part of ${what}`;
    found.push({
      kind,
      subject: place(path),
      ...(before === undefined ? {} : { base: shortHash(before) }),
      ...(after === undefined ? {} : { change: shortHash(after) }),
      text: `${place(path)}, ${role}, ${after === undefined ? 'is gone' : 'was edited'}`,
    });
  }
  for (const path of rivals) {
    const after = await hashFile(resolve(change.root, place(path)));
    if (after === undefined) continue;
    const text = `${place(path)} was added, and ${what} would include it instead of another file`;
    found.push({ kind, subject: place(path), change: shortHash(after), text });
  }
  return found;
}

/** Enough to tell two contents apart by eye. */
function shortHash(sha256: string): string {
  return `sha256:${sha256.slice(0, 12)}`;
}
