import { WAKE_SCHEMA, type WakeConfig, type WakeStatus } from '../../model/server/wake.ts';
import { jobsOf, sleepsAt } from './decide.ts';
import { hostOf, isRunning, isWaiting, type WakeState } from './wake-state.ts';

export function wakeStatus(state: WakeState, config: WakeConfig, now: Date, isDryRun: boolean): WakeStatus {
  return {
    schema: WAKE_SCHEMA,
    at: now.toISOString(),
    dry_run: isDryRun,
    hosts: Object.entries(config.hosts).map(([name, settings]) => {
      const { phase, by_pawl, up_since, gave_up, wake, sleep, alarms, last } = hostOf(state, name);
      const sleeps_ms = sleepsAt(name, settings, state);
      return {
        name,
        phase,
        woken_by_pawl: by_pawl,
        up_since,
        sleeps_at: sleeps_ms === undefined ? undefined : new Date(sleeps_ms).toISOString(),
        gave_up,
        next_try_at: wake.next_at ?? sleep.next_at,
        alarms,
        last_command: last,
        jobs: jobsOf(state, name)
          .filter((job) => isWaiting(job) || isRunning(job))
          .map((job) => ({
            job: job.key,
            repository: job.repository,
            name: job.name,
            state: isRunning(job) ? ('running' as const) : ('queued' as const),
            since: job.since,
          })),
      };
    }),
  };
}
