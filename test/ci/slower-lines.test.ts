import { describe, expect, it } from 'vitest';

import { slowerLines } from '../../src/ci/slower-lines.ts';
import { annotation } from '../../src/ci/step-files.ts';
import type { CheckProfile } from '../../src/model/reports/check-report.ts';
import type { CiRun } from '../../src/model/reports/ci-run.ts';

function runWith(...profiles: readonly CheckProfile[]): CiRun {
  return { check: { profiles } } as unknown as CiRun;
}

const SLOWER: CheckProfile = {
  key: { kernel: 'softmax', case: 'large' },
  change_pct: -12.34,
  at: {
    path: 'kernels/softmax.cu',
    line: 42,
    text: 'kernels/softmax.cu:42, which changed, takes 3.1 µs more',
  },
  seconds: 5,
};

describe('lines that made a case slower', () => {
  it('are pointed at in the files of a pull request', () => {
    const [line] = slowerLines(runWith(SLOWER));
    expect(line).toMatchObject({ path: 'kernels/softmax.cu', line: 42 });
    expect(line?.title).toMatch(/^Pawl: 12\.3 % slower: .*softmax/u);
    const shown = annotation('error', line!.title, line!.text, line);
    expect(shown).toMatch(/^::error file=kernels\/softmax\.cu,line=42,title=Pawl%3A/u);
  });

  it('are not those of a case that got faster, nor of one without a line', () => {
    const without: CheckProfile = { key: SLOWER.key, change_pct: -5, seconds: 1 };
    expect(slowerLines(runWith({ ...SLOWER, change_pct: 3 }, without))).toEqual([]);
    expect(slowerLines({} as CiRun)).toEqual([]);
  });

  it('cannot begin another command', () => {
    const at = { path: 'a,line=1::b\n::error', line: 3 };
    expect(annotation('error', 't', 'm', at)).toBe(
      '::error file=a%2Cline=1%3A%3Ab%0A%3A%3Aerror,line=3,title=t::m',
    );
  });
});
