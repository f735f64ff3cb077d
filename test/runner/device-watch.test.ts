import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compile } from './native-build.ts';

/** In ms: an interval, how long the device was found busy after each, and what looking takes after a rest. */
interface Request {
  readonly what: string;
  readonly event: number;
  readonly busy: readonly number[];
  readonly rested: readonly number[];
  readonly accused: boolean;
}

const REQUESTS: readonly Request[] = [
  {
    what: 'an idle device that is found idle at once',
    event: 0.05,
    busy: [0.004, 0.005, 0.004, 0.006],
    rested: [0.004, 0.004, 0.004, 0.004, 0.004],
    accused: false,
  },
  {
    what: 'a machine on which looking takes as long after a rest',
    event: 0.05,
    busy: [0.036, 0.032, 0.035, 0.04],
    rested: [0.034, 0.036, 0.035, 0.004, 0.035],
    accused: false,
  },
  {
    what: 'work on another stream, which is over after a rest',
    event: 0.05,
    busy: [0.036, 0.04, 0.038, 0.037],
    rested: [0.004, 0.005, 0.004, 0.004, 0.09],
    accused: true,
  },
  {
    what: 'work on another stream where looking takes long, too',
    event: 0.05,
    busy: [0.08, 0.09, 0.085, 0.082],
    rested: [0.035, 0.034, 0.036, 0.035, 0.035],
    accused: true,
  },
  {
    what: 'work that goes on through the rest: no machine looks that long',
    event: 0.05,
    busy: [4, 4, 4, 4],
    rested: [4, 4, 4, 4, 4],
    accused: true,
  },
];

describe('work elsewhere', () => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-device-watch-'));
    program = join(folder, 'check');
    await compile(['test/runner/check-device-watch.cpp', 'runner/src/device_watch.cpp'], program);
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(REQUESTS)('$what: accused $accused', async ({ event, busy, rested, accused }) => {
    const given = [event, ...busy, '--', ...rested].map(String);
    const { stdout } = await promisify(execFile)(program, given);
    expect(stdout.includes(' work-elsewhere')).toBe(accused);
    // Nobody pays for a rest who is not suspected.
    if (Math.max(...busy) < 0.03) expect(stdout).toBe('trusts');
    else expect(stdout).toMatch(/^suspects/);
  });
});
