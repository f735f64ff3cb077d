/** Those that tell one sandbox from another; the rest (limits, a clean environment …) every machine has. */
const TELLING = /^(?:landlock|read-only|seccomp|pidns|netns|mountns)/;

/** The sandbox in a few words; empty where nothing is known of it. */
export function protectionsText(protections: readonly string[] | undefined): string {
  if (protections === undefined) return '';
  const named = protections.filter((name) => TELLING.test(name));
  return named.length === 0 ? 'none' : named.join(', ');
}
