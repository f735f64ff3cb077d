import { PHASES, type Gate, type Method } from '../../model/learn/gate.ts';

/** A project's file: what it leaves out stays as it is. */
export type MethodPart = Partial<Pick<Method, 'settings' | 'phases' | 'gates'>>;

/** Settings and phases are replaced by name; a gate of the same id stands where that stood, others close their phase. */
export function mergeMethod(base: Method, part: MethodPart): Method {
  const replaced = new Map((part.gates ?? []).map((gate) => [gate.id, gate]));
  const kept = base.gates.map((gate) => replaced.get(gate.id) ?? gate);
  const known = new Set(base.gates.map(({ id }) => id));
  const added = (part.gates ?? []).filter(({ id }) => !known.has(id));
  return {
    ...base,
    settings: { ...base.settings, ...part.settings },
    phases: base.phases.map((phase) => part.phases?.find(({ id }) => id === phase.id) ?? phase),
    gates: inPhases([...kept, ...added]),
  };
}

function inPhases(gates: readonly Gate[]): Gate[] {
  return PHASES.flatMap((phase) => gates.filter((gate) => gate.phase === phase));
}
