import type { Inspector } from './inspect.ts';

/**
 * Asks each question once. For many candidates of one problem, whose own files do not change meanwhile: what is asked
 * about the problem is the same for each of them.
 */
export function rememberingInspector(inspector: Inspector): Inspector {
  const known = new Map<string, Promise<unknown>>();
  const once = <Answer>(question: readonly unknown[], ask: () => Promise<Answer>): Promise<Answer> => {
    const key = JSON.stringify(question);
    const found = known.get(key) ?? ask();
    known.set(key, found);
    return found as Promise<Answer>;
  };
  return {
    // Files of candidates come one after the other under names that may be used again.
    look: (file) => inspector.look(file),
    call: (file, calls) => once(['call', file, calls], () => inspector.call(file, calls)),
    task: (file, request) => once(['task', file, request], () => inspector.task(file, request)),
  };
}
