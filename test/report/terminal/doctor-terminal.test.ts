import { expect, test } from 'vitest';

import type { DoctorReport } from '../../../src/model/reports/doctor-report.ts';
import { doctorTerminal } from '../../../src/report/terminal/doctor-terminal.ts';

const REPORT: DoctorReport = {
  schema: 'pawl.doctor/1',
  ready: false,
  summary: 'Not ready: C++ compiler.',
  checks: [
    {
      id: 'node',
      group: 'host',
      title: 'Node.js',
      state: 'ok',
      detail: '20.19.0',
      needed_for: 'Pawl itself',
      required: true,
    },
    {
      id: 'cxx',
      group: 'compilers',
      title: 'C++ compiler',
      state: 'missing',
      detail: 'no g++',
      remedy: 'Install g++.',
      fix: { description: 'install g++ with apt', command: ['apt-get', 'install', 'g++'] },
      needed_for: 'C++ kernels',
      required: true,
    },
    {
      id: 'ccache',
      group: 'compilers',
      title: 'ccache',
      state: 'missing',
      detail: 'no ccache',
      needed_for: 'rebuilds',
      required: false,
    },
    {
      id: 'gpu',
      group: 'gpu',
      title: 'GPU',
      state: 'skipped',
      detail: 'none',
      needed_for: 'CUDA kernels',
      required: false,
    },
  ],
};

test('checks are grouped, marked by what they mean, and followed by what mends them', () => {
  expect(doctorTerminal(REPORT)).toBe(
    [
      'This machine',
      '  ✓ Node.js       20.19.0',
      '',
      'Compilers',
      '  ✗ C++ compiler  no g++',
      '                  needed for C++ kernels',
      '                  → Install g++.',
      '                  → `pawl doctor --fix` can install g++ with apt',
      '  ! ccache        no ccache',
      '                  needed for rebuilds',
      '',
      'GPU',
      '  – GPU           none',
      '',
      '✗ Not ready: C++ compiler.',
      '',
    ].join('\n'),
  );
});

test('colour changes nothing but colour', () => {
  const colored = doctorTerminal(REPORT, { color: true });
  expect(colored).not.toBe(doctorTerminal(REPORT));
  // oxlint-disable-next-line no-control-regex
  expect(colored.replaceAll(/\u001B\[\d*m/g, '')).toBe(doctorTerminal(REPORT));
});

test('what a tool said cannot steer the terminal', () => {
  const [first] = REPORT.checks;
  if (first === undefined) throw new Error('no check');
  const hostile = { ...REPORT, checks: [{ ...first, detail: 'a\u001B[2Jb\u202Ec\nsecond line' }] };
  const text = doctorTerminal(hostile);
  expect(text).toContain('a[2Jbc\n');
  expect(text).toContain('\n             second line\n');
});

test('keeps its lines within a narrow terminal', () => {
  const [first, ...rest] = REPORT.checks;
  const detail = 'a sentence that is longer than what is left beside its title in eighty columns or so';
  const lines = doctorTerminal(
    { ...REPORT, checks: [{ ...first!, detail }, ...rest] },
    { columns: 60 },
  ).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(lines.join(' ').replaceAll(/ +/gu, ' ')).toContain(detail);
});
