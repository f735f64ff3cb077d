import { describe, expect, it } from 'vitest';

import { compareDiagnoses } from '../../src/model/profile/compare-diagnoses.ts';
import type { HotLines } from '../../src/model/profile/hot-lines.ts';
import { omit } from '../../src/model/omit.ts';
import { compareProfiles } from '../../src/profile/compare-profiles.ts';
import { diagnosisOf } from '../../src/profile/diagnosis-of.ts';
import { hot } from '../profile/lines/planted-lines.ts';
import { launchOf } from '../report/profile-pages.ts';

const [before, after] = [launchOf('copy_ok'), launchOf('bank_conflict_transpose')];
const captured = (launch: typeof before, lines?: HotLines) => ({
  diagnosis: diagnosisOf({ launches: [launch], problems: [] }),
  ...(lines === undefined ? {} : { hot_lines: [lines] }),
});

describe('two stored profiles', () => {
  it('differ in what the profiles themselves differ in', () => {
    const { moved, appeared, vanished, change_pct, before_us, after_us } = compareProfiles(before, after);
    expect(compareDiagnoses(captured(before), captured(after))).toEqual([
      { kernel: after.name, before_us, after_us, change_pct, moved, appeared, vanished },
    ]);
    expect(moved.length).toBeGreaterThan(10);
  });

  it('show the lines that cost more, and which were changed', () => {
    const [change] = compareDiagnoses(
      captured(before, hot('mended', 'header-row-sum')),
      captured(before, hot('faulty', 'header-row-sum')),
    );
    const [first] = change!.lines!;
    expect(first).toMatchObject({ file: expect.stringMatching(/row-sum\.cuh$/u) });
    expect(Math.abs(first!.after_us - first!.before_us)).toBeGreaterThan(0);
    expect(change!.lines!.some(({ changed }) => changed)).toBe(true);
    // What is the same on both sides is not there.
    expect(
      compareDiagnoses(
        captured(before, hot('mended', 'header-row-sum')),
        captured(before, hot('mended', 'header-row-sum')),
      )[0]!.lines,
    ).toEqual([]);
  });

  it('of other kernels have nothing to compare, and older ones only what they say', () => {
    const two = { diagnosis: diagnosisOf({ launches: [after, after], problems: [] }) };
    expect(compareDiagnoses(captured(before), two)).toEqual([]);
    const old = captured(after);
    const kernels = old.diagnosis.kernels.map((kernel) => omit(kernel, 'signals'));
    const [change] = compareDiagnoses(captured(before), { diagnosis: { ...old.diagnosis, kernels } });
    expect(change).toMatchObject({ moved: [], appeared: expect.arrayContaining(['bank-conflicts']) });
  });
});
