import type { Evidence, EvidenceKind } from '../../model/learn/gate.ts';
import type { FactsOf } from './facts.ts';

interface Parts<Kind extends EvidenceKind> {
  readonly facts: FactsOf<Kind>;
  readonly sources?: Evidence['sources'];
  readonly lines?: readonly string[];
  readonly missing?: readonly NonNullable<Evidence['missing']>[number][];
}

/** What was measured for gates. A fact without a value is absent: the gates that need it are unknown. */
export function evidenceOf<Kind extends EvidenceKind>(
  kind: Kind,
  taken: Date,
  { facts, sources = [], lines = [], missing = [] }: Parts<Kind>,
): Evidence {
  return {
    kind,
    taken_at: taken.toISOString(),
    facts: Object.fromEntries(Object.entries(facts).filter(([, fact]) => isFact(fact))) as Evidence['facts'],
    sources: [...sources],
    lines: [...lines],
    ...(missing.length === 0 ? {} : { missing: [...missing] }),
  };
}

/** JSON has neither NaN nor infinities, and neither is something known. */
function isFact(fact: unknown): boolean {
  return fact !== undefined && (typeof fact !== 'number' || Number.isFinite(fact));
}
