import { defined } from '../model/defined.ts';
import type { Baseline } from '../model/judge/baseline.ts';
import type { JudgeChange } from '../model/judge/judge-change.ts';
import { PawlError } from '../model/pawl-error.ts';
import { hashOf } from '../os/canonical-json.ts';
import { keyId } from './entry-key.ts';
import { parseBaseline } from './parse-baseline.ts';
import { verifyBaseline } from './verify-baseline.ts';

export interface BaselineChanges {
  readonly changes: readonly JudgeChange[];
  /** Whose waivers count; absent: the base's. */
  readonly waiversOf?: Baseline;
}

interface Options {
  readonly label: string;
  /** The change comes from this repository: who may push here may ask for a waiver in the open. */
  readonly trusted: boolean;
  /** $PAWL_BASELINE_KEY. */
  readonly key?: string | undefined;
}

/**
 * What a change does to the baseline file. Its entries never count: they come from a measurement by trusted code on
 * the default branch. Waivers that it adds count where the change is trusted, and are shown either way.
 */
export function baselineChanges(
  before: string | undefined,
  after: string | undefined,
  { label, trusted, key }: Options,
): BaselineChanges {
  if (before === after) return { changes: [] };
  const inFile = (text: string): JudgeChange => ({ kind: 'baseline', subject: label, text });
  if (after === undefined) return { changes: [inFile(`${label} was removed; the base's was used`)] };
  const [problem] = verifyBaseline(after, { key, label });
  if (problem !== undefined) {
    const text = `${label} was edited outside Pawl (${problem}); the base's was used`;
    return { changes: [inFile(text)] };
  }
  const head = parseBaseline(after, label);
  const base = soundOrEmpty(before, label);
  const entries = entryChanges(base, head, label).map(inFile);
  const isContinued = base.log.every(({ hash }, index) => head.log[index]?.hash === hash);
  if (!isContinued) {
    return { changes: [...entries, inFile(`the log of ${label} was rewritten; the base's was used`)] };
  }
  const added = head.log.slice(base.log.length);
  const fate = trusted ? 'applied here' : 'not applied: this code comes from another repository';
  const waivers = added.flatMap((record): JudgeChange[] => {
    if (record.type === 'waive') {
      const { pattern, expires, author, reason, slower_pct } = record;
      const size = slower_pct === undefined ? '' : `, up to ${slower_pct} % slower,`;
      const text = `a waiver for ${pattern}${size} until ${expires} by ${author}: "${reason}" (${fate})`;
      return [{ kind: 'waiver', subject: pattern, text }];
    }
    return record.type === 'expire'
      ? [{ kind: 'waiver', subject: label, text: `${record.summary} (${fate})` }]
      : [];
  });
  const accepted = added.flatMap((record) =>
    record.type === 'judge'
      ? [inFile(`${label} says that ${record.author} ${record.summary}: this counts once it is merged`)]
      : [],
  );
  const waiversOf = trusted && waivers.length > 0 ? { entries: [], log: head.log } : undefined;
  return {
    changes: [...entries, ...accepted, ...waivers],
    ...defined({ waiversOf }),
  };
}

/** The base's own trouble is told by the check. */
function soundOrEmpty(text: string | undefined, label: string): Baseline {
  try {
    return text === undefined ? { entries: [], log: [] } : parseBaseline(text, label);
  } catch (error) {
    if (error instanceof PawlError) return { entries: [], log: [] };
    throw error;
  }
}

function entryChanges(base: Baseline, head: Baseline, label: string): string[] {
  const hashes = ({ entries }: Baseline): Map<string, string> =>
    new Map(entries.map((entry) => [keyId(entry.key), hashOf(entry)]));
  const [before, after] = [hashes(base), hashes(head)];
  const count = (ids: Iterable<string>, test: (id: string) => boolean): number =>
    [...ids].filter(test).length;
  const parts = [
    [count(after.keys(), (id) => !before.has(id)), 'added'],
    [count(before.keys(), (id) => !after.has(id)), 'removed'],
    [count(before.keys(), (id) => after.has(id) && after.get(id) !== before.get(id)), 'replaced'],
  ].flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]));
  if (parts.length === 0) return [];
  return [
    `entries of ${label}: ${parts.join(', ')}; the base's were used, a change never moves the baseline`,
  ];
}
