import { existsSync, readFileSync } from 'node:fs';

/**
 * What earlier runs found out. A line counts as long as the test file it is about is what it was; `versions` has the
 * present ones. The journal itself is of one version of the sources.
 */
export function readJournal(path, versions) {
  const found = { killed: new Set(), lived: new Map(), loaded: new Set(), slow: new Set() };
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  for (const line of lines) {
    const entry = parsed(line);
    if (entry === undefined) continue;
    for (const key of entry.loaded ?? []) found.loaded.add(key);
    for (const key of entry.slow ?? []) found.slow.add(key);
    if (entry.version === undefined || entry.version !== versions[entry.test.split(' > ')[0]]) continue;
    if (entry.killed !== undefined) found.killed.add(entry.killed);
    if (entry.lived !== undefined) {
      found.lived.set(entry.test, (found.lived.get(entry.test) ?? new Set()).add(entry.lived));
    }
  }
  return found;
}

/** A run that was stopped may leave half a line. */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
