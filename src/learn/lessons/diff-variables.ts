import type { Variable } from '../../model/learn/session.ts';
import { diffLines } from './diff-lines.ts';

/** Where a name is given a value: a macro, a constant, a compiler's -D, a tunable's default in pawl.yaml. */
const SETTINGS: readonly { readonly kind: Variable['kind']; readonly pattern: RegExp }[] = [
  { kind: 'constant', pattern: /^\s*#\s*define\s+(\w+)\s+(\S+)\s*(?:\/\/.*)?$/u },
  { kind: 'constant', pattern: /\b(?:constexpr|const)\b[^=;(){}]*?\b(\w+)\s*=\s*([^;{}]{1,80});/u },
  { kind: 'constant', pattern: /^\s*([A-Z][A-Z0-9_]*)\s*=\s*([^=\s]\S*)\s*$/u },
  { kind: 'tunable', pattern: /^\s*([A-Za-z_]\w*):\s*\{.*\bdefault:\s*([^,}\s]+)/u },
];
const MACRO_FLAG = /-D([A-Za-z_]\w*)=([^\s,\]"']+)/gu;
const MAX_LINE = 1000;

/**
 * The knobs that a bare diff moves: names whose value differs between its removed and its added lines. Without the
 * files it came from, no more can be said; a session, which has them, looks closer.
 */
export function variablesOfDiff(diff: string): Variable[] {
  const { added, removed } = diffLines(diff);
  const [before, after] = [settingsIn(removed), settingsIn(added)];
  return [...after].flatMap(([name, { kind, value: to }]) => {
    const from = before.get(name)?.value;
    return from === undefined || from === to ? [] : [{ kind, name, from, to }];
  });
}

function settingsIn(
  lines: readonly string[],
): Map<string, { readonly kind: Variable['kind']; readonly value: string }> {
  const found = new Map<string, { kind: Variable['kind']; value: string }>();
  for (const line of lines) {
    const text = line.slice(0, MAX_LINE);
    for (const { kind, pattern } of SETTINGS) {
      const [, name, value] = pattern.exec(text) ?? [];
      if (name !== undefined && value !== undefined) found.set(name, { kind, value: value.trim() });
    }
    for (const [, name = '', value = ''] of text.matchAll(MACRO_FLAG))
      found.set(name, { kind: 'tunable', value });
  }
  return found;
}
