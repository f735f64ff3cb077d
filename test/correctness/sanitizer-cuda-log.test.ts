import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { parseComputeSanitizerLog } from '../../src/correctness/sanitizer-cuda-log.ts';
import { distinctFindings, sanitizerTamper } from '../../src/correctness/sanitizer-tamper.ts';

/** A log in the form that the manual gives: what is not below a rule of equal signs is the program's own output. */
function log(...lines: readonly string[]): string {
  return ['COMPUTE-SANITIZER', ...lines].map((line) => `========= ${line}`).join('\n');
}

const MEMCHECK = log(
  'Invalid __global__ write of size 4 bytes',
  '    at attention(const float *, float *, int)+0x70 in attention.cu:12',
  '    by thread (3,0,0) in block (1,2,0)',
  '    Access at 0x7f2b3ac00190 is out of bounds',
  '    and is 1 bytes after the nearest allocation at 0x7f2b3ac00000 of size 400 bytes',
  '    Saved host backtrace up to driver entry point at kernel launch time',
  '        Host Frame: pawl_run [0x1234] in library.so',
  '',
  'ERROR SUMMARY: 1 error',
);

describe('parseComputeSanitizerLog', () => {
  it('reads an access out of bounds: kind, size, function, line, thread and block', () => {
    expect(parseComputeSanitizerLog(MEMCHECK, 'memcheck')).toEqual({
      problems: [],
      findings: [
        {
          tool: 'memcheck',
          kind: 'invalid-access',
          message: 'Invalid __global__ write of size 4 bytes',
          kernel: 'attention(const float *, float *, int)',
          where: 'attention.cu:12',
          access: 'write',
          size_bytes: 4,
          thread: [3, 0, 0],
          block: [1, 2, 0],
        },
      ],
    });
  });

  it('reads the older form, in which the function stands last', () => {
    const text = log(
      'Invalid __shared__ read of size 8 bytes',
      '    at 0x6360 in /build/a b/convolution.cu:123:convolve(pixel const*, int)',
      '    by thread (31, 0, 0) in block (0, 0, 0)',
    );
    expect(parseComputeSanitizerLog(text, 'memcheck').findings).toMatchObject([
      { kernel: 'convolve(pixel const*, int)', where: '/build/a b/convolution.cu:123', thread: [31, 0, 0] },
    ]);
  });

  it.each([
    ['Error: ', 'attention(float*)+0x60 in a.cu:20', 'attention(float*)', 'a.cu:20'],
    ['ERROR: ', '0x6360 in /b/a.cu:20:attention(float*)', 'attention(float*)', '/b/a.cu:20'],
    ['Warning: ', '0x6360 in attention(float*)', 'attention(float*)', undefined],
  ])('reads a race reported as "%s"', (severity, place, kernel, where) => {
    const text = log(
      `${severity}Race reported between Write access at ${place}`,
      `    and Read access at ${place} [1088 hazards]`,
      '',
      'RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)',
    );
    const { findings } = parseComputeSanitizerLog(text, 'racecheck');
    expect(findings).toMatchObject([{ tool: 'racecheck', kind: 'race', kernel }]);
    expect(findings[0]!.where).toBe(where);
  });

  it('reads an uninitialised read', () => {
    const text = log(
      'Uninitialized __global__ memory read of size 4 bytes',
      '    at sum(float*)+0x40 in sum.cu:7',
      '    by thread (0,0,0) in block (0,0,0)',
      'ERROR SUMMARY: 1 error',
    );
    expect(parseComputeSanitizerLog(text, 'initcheck').findings).toMatchObject([
      { kind: 'uninitialized-read', access: 'read', size_bytes: 4, where: 'sum.cu:7' },
    ]);
  });

  it('reads a barrier that not every thread reached', () => {
    const text = log(
      'Barrier error detected. Divergent thread(s) in block',
      '    at reduce(float*)+0x1f0 in reduce.cu:31',
      '    by thread (32,0,0) in block (0,0,0)',
    );
    expect(parseComputeSanitizerLog(text, 'synccheck').findings).toMatchObject([
      { kind: 'barrier-error', kernel: 'reduce(float*)', where: 'reduce.cu:31' },
    ]);
  });

  it('finds nothing in a clean log', () => {
    const text = `COMPUTE\nhello\n${log('ERROR SUMMARY: 0 errors')}`;
    expect(parseComputeSanitizerLog(text, 'memcheck')).toEqual({ findings: [], problems: [] });
  });

  it('does not take a failed call of the API for a fault of the kernel', () => {
    const text = log(
      'Program hit cudaErrorInvalidValue (error 1) due to "invalid argument" on CUDA API call to cudaFuncGetName.',
      '    Saved host backtrace up to driver entry point at error',
      'ERROR SUMMARY: 1 error',
    );
    expect(parseComputeSanitizerLog(text, 'memcheck')).toEqual({ findings: [], problems: [] });
  });

  it('keeps Pawl’s own kernels out of it', () => {
    const text = MEMCHECK.replace('attention(const', 'pawl::(anonymous namespace)::hash_words(const');
    expect(parseComputeSanitizerLog(text, 'memcheck').findings).toEqual([]);
  });

  it('reports a kind that it does not know under the tool’s own words', () => {
    const text = log('Something new about kernel memory', '    at f(int)+0x10 in f.cu:3');
    expect(parseComputeSanitizerLog(text, 'memcheck').findings).toMatchObject([
      { kind: 'unknown', message: 'Something new about kernel memory', where: 'f.cu:3' },
    ]);
  });

  it('does not lose errors that the log only counts', () => {
    expect(parseComputeSanitizerLog(log('ERROR SUMMARY: 3 errors'), 'memcheck').findings).toMatchObject([
      { kind: 'unknown', message: expect.stringContaining('3 errors') },
    ]);
  });

  it('tells a tool that failed from a kernel that did', () => {
    const text = log('Error: No attachable process found. compute-sanitizer timed-out.');
    expect(parseComputeSanitizerLog(text, 'memcheck')).toMatchObject({
      findings: [],
      problems: [expect.stringContaining('No attachable process')],
    });
  });

  it.each(['', '\0\u{1F600}=====', '========='.repeat(1000), '=========      at'])('survives %j', (text) => {
    expect(parseComputeSanitizerLog(text, 'memcheck').findings).toEqual([]);
  });
});

describe('sanitizerTamper', () => {
  it('says in one sentence what was found where', () => {
    const [finding] = parseComputeSanitizerLog(MEMCHECK, 'memcheck').findings;
    expect(sanitizerTamper(finding!)).toEqual({
      detector: 'sanitizer',
      message:
        'compute-sanitizer memcheck: Invalid __global__ write of size 4 bytes: in attention(const float *, float *, int) at attention.cu:12 by thread (3, 0, 0) of block (1, 2, 0)',
    });
  });

  it('says the same fault of a thousand threads once', () => {
    const many = Array.from({ length: 1000 }, (_, thread) =>
      MEMCHECK.replace('thread (3,0,0)', `thread (${thread},0,0)`),
    ).join('\n');
    const { findings } = parseComputeSanitizerLog(many, 'memcheck');
    expect(findings).toHaveLength(1000);
    expect(distinctFindings(findings)).toHaveLength(1);
  });
});

/** Recorded with compute-sanitizer 2025.3.1 on an H200, from six small kernels with one fault each, and one without. */
describe('real logs', () => {
  const read = (name: string) =>
    readFile(join(import.meta.dirname, '../fixtures/sanitizer', `${name}.log`), 'utf8');

  it.each([
    [
      'memcheck-write',
      { kind: 'invalid-access', access: 'write', size_bytes: 4, kernel: 'oob_write(float *, int)' },
    ],
    ['memcheck-read', { kind: 'invalid-access', access: 'read', size_bytes: 4, where: 'faults.cu:4' }],
    ['memcheck-misaligned', { access: 'write', size_bytes: 16, thread: [0, 0, 0], block: [0, 0, 0] }],
    ['racecheck-race', { kind: 'race', kernel: 'race(float *)', where: 'faults.cu:5' }],
    ['initcheck-uninitialised', { access: 'read', size_bytes: 4, kernel: 'uninit(const float *, float *)' }],
  ] as const)('%s: the fault comes first, and nothing is left unread', async (name, finding) => {
    const tool = name.slice(0, name.indexOf('-')) as 'memcheck' | 'racecheck' | 'initcheck';
    const { findings, problems } = parseComputeSanitizerLog(await read(name), tool);
    expect(problems).toEqual([]);
    expect(findings[0]).toMatchObject({ tool, ...finding });
  });

  it('memcheck-clean: nothing is found', async () => {
    const parsed = parseComputeSanitizerLog(await read('memcheck-clean'), 'memcheck');
    expect(parsed).toEqual({ findings: [], problems: [] });
  });
});
