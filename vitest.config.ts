import { stripVTControlCharacters } from 'node:util';

import { defineConfig } from 'vitest/config';
import type { TestCase } from 'vitest/node';
import type { Reporter } from 'vitest/reporters';

import { LongestFirst } from './test/longest-first.ts';

/** Characters of what a failed test said. */
const MOST_REASON = 500;

/**
 * What failed and why, and what passed only when it was tried again, for who sees the end of a log alone, and a last
 * line that any CI can read.
 */
const closingLine: Reporter = {
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) {
        count.failed += 1;
        console.log(`failed: ${module.relativeModuleId}`);
      }
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state] += 1;
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        if (state === 'failed') console.log(`failed: ${name}${reasonOf(test)}`);
        else if (test.diagnostic()?.flaky === true) console.log(`passed when tried again: ${name}`);
      }
    }
    console.log(`tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  },
};

/** Of the last try, with the difference where something was compared. */
function reasonOf(test: TestCase): string {
  const { message = '', diff = '' } = test.result().errors?.at(-1) ?? {};
  const text = stripVTControlCharacters(`${message}\n${diff}`).trim().slice(0, MOST_REASON);
  return text === '' ? '' : `\n  ${text.replaceAll('\n', '\n  ')}`;
}

/** A module that is mocked stays so for the other tests of the process. */
const MOCKING = ['test/web/commands.test.ts', 'test/cli/examples.test.ts'];

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    setupFiles: 'test/each-file.ts',
    // Real compilers and processes on two shared cores: slow is normal, hanging is not.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    // One more than processors, on two: a file that waits for a process, a pause or a disk leaves its processor free.
    // With four, no time is left over and little is gained (31 minutes instead of 32): they disturb each other.
    maxWorkers: 3,
    // A process of its own for each of 400 files took half of the time of the short ones.
    projects: [
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: ['test/**/*.test.ts'], exclude: MOCKING },
      },
      { extends: true, test: { name: 'own', include: MOCKING } },
    ],
    sequence: { sequencer: LongestFirst },
    // What measures may find the machine too busy for a verdict, and Pawl says so. Those tests whose one failure is
    // one too many (a cheat that gets through, an honest kernel that is accused) are not tried again.
    retry: 2,
    reporters: ['default', closingLine],
  },
});
