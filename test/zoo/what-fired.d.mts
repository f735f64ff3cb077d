/** Detectors and runner failures by kernel, from a samples file or the report of `pawl fuzz --json`. */
export function whatFired(document: unknown): Map<string, Set<string>>;
