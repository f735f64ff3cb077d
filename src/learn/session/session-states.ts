import { projectLessonsFile } from '../lessons/lessons-files.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { Snapshots } from './snapshots.ts';

/** Where a state of a session is kept: `0` is its start, a number the try's own files. */
export function stateRef(session: string, name: string): string {
  return `refs/pawl/sessions/${session}/${name}`;
}

export function openSnapshots(loaded: LoadedConfig, signal?: AbortSignal): Promise<Snapshots> {
  return Snapshots.open(loaded.root, [projectLessonsFile(loaded), 'pawl-baseline.json'], signal);
}
