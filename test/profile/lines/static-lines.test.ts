import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { hotLinesSchema } from '../../../src/model/profile/hot-lines.ts';
import { readLineTable } from '../../../src/profile/lines/line-table.ts';
import { readLibraryLines } from '../../../src/profile/lines/read-library.ts';
import { readDisassembly, staticLines } from '../../../src/profile/lines/static-lines.ts';
import { hotLinesLines } from '../../../src/report/terminal/hot-lines-terminal.ts';
import { sourcesOf, unpacked } from './planted-lines.ts';

const KERNEL = '_Z7plantedPKfPfi';
const disassembly = unpacked('faulty', 'header-row-sum.nvdisasm.txt').toString('utf8');

describe('the compiled code of a kernel that is not run', () => {
  it('says by line which loops it stands in and what is in them', () => {
    const table = readDisassembly(disassembly).find(({ kernel }) => kernel === KERNEL)!;
    const lines = readLineTable(unpacked('faulty', 'header-row-sum.cubin')).get(KERNEL);
    const hot = hotLinesSchema.parse(staticLines(table, lines, sourcesOf('faulty')));
    expect(hot).toMatchObject({ basis: 'static', samples: 0 });
    expect(hot.lines.reduce((sum, { share_pct }) => sum + share_pct, 0)).toBeCloseTo(100, 6);
    const conflict = hot.lines.find(({ file, line }) => file === 'row-sum.cuh' && line === 10);
    expect(conflict?.loop_depth).toBe(1);
    expect(conflict?.mix?.['shared 32']).toBeGreaterThan(0);
    expect(conflict?.inlined_into).toEqual([{ file: 'header-row-sum.cu', line: 15 }]);
    const store = hot.lines.find(({ file, line }) => file === 'header-row-sum.cu' && line === 17);
    expect(store).toMatchObject({ loop_depth: 0, mix: { 'global 32': 1 } });
    const text = hotLinesLines(hot, { paint: (_, shown) => shown, columns: 120, verbose: false }).join('\n');
    expect(text).toMatch(/static: nothing was measured at lines/u);
    expect(text).toMatch(/shares are of instructions, not of time/u);
    expect(text).toMatch(/in 1 loop · /u);
  });

  it('is read with the tools of the toolkit, and is absent where they are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-toolkit-'));
    writeFileSync(join(folder, 'code.cubin'), unpacked('faulty', 'header-row-sum.cubin'));
    writeFileSync(join(folder, 'code.txt'), disassembly);
    writeFileSync(
      join(folder, 'cuobjdump'),
      `#!/bin/sh\n[ "$1 $2" = "-xelf all" ] && cp "${folder}/code.cubin" ./library.1.sm_90.cubin\n`,
    );
    writeFileSync(
      join(folder, 'nvdisasm'),
      `#!/bin/sh\n[ "$1" = -c ] && [ -s "$2" ] && cat "${folder}/code.txt"\n`,
    );
    for (const name of ['cuobjdump', 'nvdisasm']) chmodSync(join(folder, name), 0o755);
    const { signal } = new AbortController();
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    const found = await readLibraryLines('library.so', sourcesOf('faulty'), { env, signal });
    const own = found?.lines.find(({ kernel }) => kernel === KERNEL);
    expect(own?.lines.length).toBeGreaterThan(5);
    expect(own?.resources).toMatchObject({ arch: 'sm_90', smem_bytes: 4224, block: 'any' });
    const text = hotLinesLines(own!, { paint: (_, shown) => shown, columns: 100, verbose: false }).join('\n');
    expect(text).toMatch(/sm_90: \d+ registers per thread, 4,224 bytes of shared memory per block/u);
    expect(text).toMatch(/occupancy at best, by block size, which is not stated: 64 threads: \d+ %/u);
    const bare = { PATH: mkdtempSync(join(tmpdir(), 'pawl-empty-')), CUDA_HOME: '/nowhere' };
    const none = await readLibraryLines('library.so', sourcesOf('faulty'), { env: bare, signal });
    // A machine with a toolkit in its usual place finds its tools, which find nothing in a library that is not there.
    expect(none).toBeUndefined();
  });
});
