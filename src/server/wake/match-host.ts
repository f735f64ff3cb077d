import type { WakeConfig, WakeHost } from '../../model/server/wake.ts';
import { hostOf, isRunning, isWaiting, type WakeState } from './wake-state.ts';

interface AskedJob {
  readonly repository: string;
  readonly labels: readonly string[];
}

/** Names and labels are compared as GitHub does: upper and lower case are alike. */
export function isAllowed(repository: string, patterns: readonly string[]): boolean {
  const name = repository.toLowerCase();
  return patterns.some((pattern) => {
    const wanted = pattern.toLowerCase();
    return wanted.endsWith('/*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
  });
}

/** The hosts on which a job may run: those that have all the labels that it asks for. */
export function hostsFor({ repository, labels }: AskedJob, config: WakeConfig): string[] {
  // Without labels a job would run anywhere; it is chosen by a runner group, of which a host knows nothing.
  if (labels.length === 0 || !isAllowed(repository, config.repositories)) return [];
  const wanted = labels.map((label) => label.toLowerCase());
  return Object.entries(config.hosts)
    .filter(([, host]) => {
      const has = new Set(host.labels.map((label) => label.toLowerCase()));
      const isOurs = host.repositories === undefined || isAllowed(repository, host.repositories);
      return isOurs && wanted.every((label) => has.has(label));
    })
    .map(([name]) => name);
}

/**
 * Where a job is expected: on a host that is up and has a place free, else on one that is not up, else behind other
 * jobs. One that could not be woken comes last. Of equals the first in wake.yaml.
 */
export function chooseHost(
  names: readonly string[],
  state: WakeState,
  config: WakeConfig,
): string | undefined {
  const cost = (name: string): number => {
    const { phase, gave_up } = hostOf(state, name);
    const capacity = config.hosts[name]?.capacity ?? 1;
    const jobs = [...state.jobs.values()].filter(
      (job) => job.host === name && (isWaiting(job) || isRunning(job)),
    );
    if (gave_up) return 3;
    if (jobs.length >= capacity) return 2;
    return phase === 'awake' || phase === 'waking' ? 0 : 1;
  };
  return names.map((name) => ({ name, cost: cost(name) })).toSorted((a, b) => a.cost - b.cost)[0]?.name;
}

/** Whether a runner is one of a host's; undefined where the host does not say what they are called. */
export function isRunnerOf(runner: string, { runners }: WakeHost): boolean | undefined {
  if (runners === undefined) return undefined;
  const name = runner.toLowerCase();
  return runners.some((pattern) => {
    const [first = '', ...rest] = pattern.toLowerCase().split('*');
    if (rest.length === 0) return name === first;
    const last = rest.pop() ?? '';
    let at = first.length;
    for (const piece of rest) {
      const found = name.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return name.startsWith(first) && name.endsWith(last) && name.length >= at + last.length;
  });
}
