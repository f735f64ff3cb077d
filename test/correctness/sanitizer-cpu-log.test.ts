import { describe, expect, it } from 'vitest';

import { parseCpuSanitizerLog } from '../../src/correctness/sanitizer-cpu-log.ts';

const SOURCES = ['/project/src/kernel.cpp'];

describe('parseCpuSanitizerLog', () => {
  it('names the kernel’s own line, not the library’s that it called', () => {
    const text = `=================================================================
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x7f00 bp 0x7ffe sp 0x7ffd
READ of size 400 at 0x602000000014 thread T0
    #0 0x7f11 in __interceptor_memcpy ../../sanitizer_common_interceptors.inc:827
    #1 0x7f12 in copy(float*, int) src/kernel.cpp:12
    #2 0x55d0 in pawl::PreparedCase::run(unsigned long) runner/src/prepared_case.cpp:90

0x602000000014 is located 0 bytes to the right of 4-byte region
allocated by thread T0 here:
    #0 0x7f13 in operator new(unsigned long) ../../asan_new_delete.cpp:95
SUMMARY: AddressSanitizer: heap-buffer-overflow ../../sanitizer_common_interceptors.inc:827
`;
    expect(parseCpuSanitizerLog(text, SOURCES)).toEqual([
      {
        tool: 'address',
        kind: 'heap-buffer-overflow',
        message: 'heap-buffer-overflow',
        access: 'read',
        size_bytes: 400,
        kernel: 'copy(float*, int)',
        where: 'src/kernel.cpp:12',
      },
    ]);
  });

  it('reads a null pointer', () => {
    const text = `==9==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x7f bp 0x7f sp 0x7f T0)
==9==The signal is caused by a WRITE memory access.
    #0 0x7f12 in pawl_run src/kernel.cpp:4
`;
    expect(parseCpuSanitizerLog(text, SOURCES)).toMatchObject([
      { kind: 'segv', access: 'write', where: 'src/kernel.cpp:4' },
    ]);
  });

  it.each([
    ['signed integer overflow: 2147483647 + 1 cannot be represented', 'signed-integer-overflow'],
    ['load of misaligned address 0x7f01 for type', 'alignment'],
    ['index 4 out of bounds for type', 'bounds'],
    ['division by zero', 'division-by-zero'],
    ['shift exponent 40 is too large for 32-bit type', 'shift'],
    ['null pointer passed as argument 1', 'null-pointer'],
  ])('reads "%s"', (message, kind) => {
    const text = `src/kernel.cpp:9:30: runtime error: ${message}\n    #0 0x7f in pawl_run src/kernel.cpp:9\n`;
    expect(parseCpuSanitizerLog(text, SOURCES)).toMatchObject([
      { tool: 'undefined', kind, message, where: 'src/kernel.cpp:9' },
    ]);
  });

  it('reads two reports in one log, and nothing in what the kernel printed', () => {
    const one =
      'src/kernel.cpp:9:30: runtime error: division by zero\n    #0 0x7f in pawl_run src/kernel.cpp:9\n';
    expect(parseCpuSanitizerLog(`hello\n${one}more\n${one}`, SOURCES)).toHaveLength(2);
    expect(parseCpuSanitizerLog('an ERROR that is none\n', SOURCES)).toEqual([]);
  });
});
