import { describe, expect, it } from 'vitest';

import { hotLinesSchema } from '../../../src/model/profile/hot-lines.ts';
import { readPerfSamples, type Frame } from '../../../src/profile/cpu/perf-samples.ts';
import { addressesOf, cpuLines, readAddr2line } from '../../../src/profile/cpu/sampled-lines.ts';

/** As perf 6.1 prints it: a library without a name, one with symbols, and frames that it inlined. */
const SCRIPT = `      cpu-clock:u: 
	             704 [unknown] (/memfd:pawl-library (deleted))
	             9c3 [unknown] (/memfd:pawl-library (deleted))

      cpu-clock:u: 
	           3edb4 converttoint+0x34 (inlined)
	           3edb4 __GI___expf+0x34 (inlined)
	             9c0 [unknown] (/memfd:pawl-library (deleted))

      cpu-clock:u: 
	    ffffa2406f98 __sin+0x208 (/usr/lib/aarch64-linux-gnu/libm.so.6)
	    aaaac8d10a04 main+0x4 (/usr/bin/other)

`;

const ADDRESSES = `0x0000000000000704
scale
/src/kernels/a.cpp:12 (discriminator 2)
pawl_run
/src/kernels/a.cpp:40
0x00000000000009c0
_ZSt3expf
/usr/include/c++/12/cmath:223
pawl_run
/src/kernels/a.cpp:41
0x0000000000000100
??
??:0
`;

const SOURCES = { nameOf: (file: string) => file.replace('/src/', ''), lineOf: () => undefined };
const addressOf = ({ file, ip }: Frame): number | undefined =>
  file.startsWith('/memfd:pawl-library') ? ip : undefined;

describe('samples of a CPU kernel', () => {
  it('are read with what was counted, one stack each', () => {
    const { event, stacks } = readPerfSamples(SCRIPT);
    expect(event).toBe('cpu-clock:u');
    expect(stacks.map((stack) => stack.length)).toEqual([2, 3, 2]);
    expect(stacks[1]?.[1]).toEqual({ ip: 0x3edb4, symbol: '__GI___expf', offset: 0x34, file: 'inlined' });
    expect(readPerfSamples('nothing that perf would say\n')).toEqual({ event: undefined, stacks: [] });
  });

  it('in another library belong to the call that led there, and those of other programs to nobody', () => {
    const addresses = addressesOf({ stacks: readPerfSamples(SCRIPT).stacks, addressOf });
    expect(addresses.map(({ address, samples }) => [address, samples])).toEqual([
      [0x704, 1],
      [0x9c0, 1],
    ]);
    expect([...addresses[1]!.called]).toEqual([['__GI___expf', 1]]);
  });

  it('are lines with the calls they were inlined through, and add up', () => {
    const addresses = [
      { address: 0x704, samples: 1, called: new Map() },
      { address: 0x9c0, samples: 2, called: new Map([['__GI___expf', 2]]) },
      { address: 0x100, samples: 1, called: new Map() },
    ];
    const hot = cpuLines(
      {
        kernel: 'softmax',
        basis: 'timer-samples',
        addresses,
        places: readAddr2line(ADDRESSES),
        code: new Map([[0x9c0, 'bl 4f0 <expf@plt>']]),
      },
      SOURCES,
    );
    expect(hotLinesSchema.parse(hot)).toEqual(hot);
    expect(hot).toMatchObject({ samples: 4, located_pct: 75, basis: 'timer-samples' });
    expect(hot.lines[0]).toMatchObject({
      file: '/usr/include/c++/12/cmath',
      line: 223,
      share_pct: 50,
      stalls: { 'in-__GI___expf': 50 },
      inlined_into: [{ file: 'kernels/a.cpp', line: 41 }],
      instructions: [{ address: '0x9c0', text: 'bl 4f0 <expf@plt>', samples: 2 }],
    });
    expect(hot.lines.find(({ line }) => line === 12)).toMatchObject({ file: 'kernels/a.cpp', share_pct: 25 });
  });
});
