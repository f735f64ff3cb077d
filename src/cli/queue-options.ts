import type { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { configOption } from './options.ts';

export interface QueueFlags {
  readonly queue?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export const QUEUE_OPTION = [
  '--queue <path|url>',
  'SQLite file or postgres:// address (default: PAWL_QUEUE, else .pawl/queue.db)',
] as const;

/** Every command on a queue has them. */
export function withQueueOptions(command: Command): Command {
  return command
    .option(...QUEUE_OPTION)
    .addOption(configOption())
    .option('--json', 'print it as JSON');
}

export function queueOptions({ queue, config }: QueueFlags) {
  return defined({ queue, config });
}
