import { beforeAll, describe, expect, it } from 'vitest';

import { benchReportSchema, type BenchReport } from '../../src/model/reports/bench-report.ts';
import { fixtureProject, pawl, type CliRun } from './pawl-cli.ts';

/** What each kernel does, and the words its user reads. */
const CASES = [
  ['hangs-later', /hung/, /no answer to \W+sample\W+ within 2 s/],
  ['crashes-later', /crashed/, /SIGSEGV/],
  ['exits-later', /exited/, /ended by itself with code 0/],
  ['forged-answers', /forged/, /wrote to the judge's socket/],
  ['returned-error', /kernel-failed/, /./],
  ['no-run', /load-failed/, /pawl_run/],
  ['out-of-bounds-write', /incorrect/, /out-of-bounds|overwrit|canar/i],
  ['unwritten-output', /incorrect/, /written/],
  ['input-changed', /incorrect/, /input/],
  ['nondeterministic', /incorrect/, /same inputs|differ/],
  ['wrong-result', /incorrect/, /elements of 'y' differ/],
  ['nan-result', /incorrect/, /elements of 'y' differ/],
  ['printed-answers', /incorrect/, /forged-result: the kernel printed what poses as a result/],
] as const;

describe('pawl bench over kernels that misbehave', () => {
  let run: CliRun;
  let report: BenchReport;

  beforeAll(async () => {
    const kernels = [...CASES.map(([name]) => name), 'right', 'prints', 'syntax-error'];
    const folder = await fixtureProject(kernels);
    run = await pawl(
      folder,
      'bench',
      '--json',
      '--wait',
      '300',
      '--processes',
      '2',
      '--samples',
      '30',
      '--mode',
      'hot',
      '--timeout',
      '2',
    );
    report = benchReportSchema.parse(JSON.parse(run.stdout));
  });

  function of(kernel: string) {
    const found = report.measurements.find((measurement) => measurement.kernel === kernel);
    if (found === undefined) throw new Error(`no measurement of ${kernel}`);
    return found;
  }

  it.each(CASES)('says of %s what went wrong and times none of it', (kernel, reason, words) => {
    const measurement = of(kernel);
    const text = JSON.stringify([measurement.warnings, measurement.lost]);
    expect(measurement.state).toBe('unmeasured');
    expect(text).toMatch(reason);
    expect(text).toMatch(words);
  });

  it('measures the kernel that is right all the same', () => {
    expect(of('right')).toMatchObject({ state: 'measured', processes: 2 });
  });

  it('measures a kernel that prints words', () => {
    expect(of('prints')).toMatchObject({ state: 'measured', processes: 2 });
  });

  it('leaves out the kernel that does not compile, with the compiler’s words', () => {
    expect(run.stderr).toMatch(/syntax-error is left out: .*doubbled/);
  });

  it('shows what the process printed before it was lost', () => {
    expect(JSON.stringify(of('exits-later').lost)).toContain('I am done here');
  });

  it('ends with 1, because results were wrong', () => {
    expect(run.code).toBe(1);
  });
});
