// What Pawl found against each kernel, from the files its commands write. Plain JavaScript, because run-on-gpu.sh
// uses it where nothing is installed.

/**
 * Detectors and runner failures by kernel.
 * @param {any} document a samples file of `pawl bench`, the report of `pawl fuzz --json`, or answers that were kept
 * @returns {Map<string, Set<string>>}
 */
export function whatFired(document) {
  const fired = new Map();
  const add = (kernel, found) => {
    if (!fired.has(kernel)) fired.set(kernel, new Set());
    for (const name of found) if (name !== undefined) fired.get(kernel).add(name);
  };
  for (const [kernel, names] of Object.entries(document.answers ?? {})) add(kernel, names);
  for (const { kernel, check, lost = [] } of document.measurements ?? []) {
    add(kernel, namesOf(check));
    add(
      kernel,
      lost.map(({ reason }) => reason),
    );
  }
  for (const { kernel, failures, absence } of document.kernels ?? []) {
    add(kernel, [absence?.reason]);
    for (const { detector, check } of failures) add(kernel, [detector, ...namesOf(check)]);
  }
  return fired;
}

/** @param {any} check */
function namesOf(check) {
  const names = (check?.tampering ?? []).map(({ detector }) => detector);
  // Answers that need no work pass by this tolerance: what it lets pass is not right by it.
  if (check?.blind?.length > 0) names.push('blind-tolerance');
  return check?.passed === false && names.length === 0 ? ['wrong-result'] : names;
}
