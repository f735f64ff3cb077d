import type { FailureKind } from '../model/pawl-error.ts';
import { VERDICT, type Result, type Verdict } from '../model/judge/verdict.ts';

/** 0 good, 1 bad, 2 undecided (docs: spec's exit codes). 64 and up: could not run, numbered as in `sysexits.h`. */
export const EXIT = { good: 0, bad: 1, undecided: 2 } as const satisfies Record<Result, number>;

/** What a verdict says to a script. */
export function exitOf(verdict: Verdict): number {
  return EXIT[VERDICT[verdict].result];
}

export const FAILURE_EXIT: Readonly<Record<FailureKind, number>> = {
  usage: 64,
  'bad-data': 65,
  unavailable: 69,
  internal: 70,
  'try-again': 75,
  permission: 77,
  configuration: 78,
  'does-not-build': EXIT.bad,
};

/** Shown under every command's help: people script against these. */
export const EXIT_CODE_HELP = `
Exit codes: 0 good · 1 bad (wrong, slower, crashes, hangs, does not build) · 2 undecided or skipped
  64 usage · 65 bad data · 69 unavailable · 70 bug in Pawl · 75 try again · 77 permission · 78 configuration`;
