import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { parsePtxasReport } from '../../../src/build/ptxas-report.ts';
import { runCommand } from '../../../src/os/run-command.ts';
import { cubinResources } from '../../../src/profile/lines/cubin-resources.ts';
import { staticResources } from '../../../src/profile/lines/static-occupancy.ts';
import { resourceTexts } from '../../../src/report/text/line-text.ts';
import { unpacked } from './planted-lines.ts';

const SOURCE = `
__global__ void __launch_bounds__(256) bounded(const float* a, float* b, int n) {
  __shared__ float s[1024];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < n; ++j) sum = fmaf(s[(threadIdx.x + j) & 1023], 2.f, sum);
  b[threadIdx.x] = sum;
}
extern __shared__ float dynamic[];
__global__ void free_block(const float* a, float* b) {
  dynamic[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = dynamic[(threadIdx.x + 1) & 31];
}
`;

const hasNvcc = (await runCommand('nvcc', ['--version'], { timeout_ms: 20_000 })).status === 'exited';

describe('what a compiled function takes', () => {
  it('is read from a cubin of the H200', () => {
    const found = cubinResources(unpacked('faulty', 'header-row-sum.cubin')).get('_Z7plantedPKfPfi')!;
    expect(found.smem_bytes).toBe(32 * 33 * 4);
    expect(found.barriers).toBe(1);
    expect(found.registers).toBeGreaterThan(8);
    expect(found.max_threads).toBeUndefined();
  });

  it('is nothing for what is no cubin, or for one that is cut anywhere', () => {
    const whole = unpacked('faulty', 'header-row-sum.cubin');
    expect(cubinResources(Buffer.from('not a cubin')).size).toBe(0);
    for (let length = 0; length < whole.length; length += 211) {
      expect(() => cubinResources(whole.subarray(0, length))).not.toThrow();
    }
  });

  it.skipIf(!hasNvcc).each(['sm_75', 'sm_80', 'sm_90', 'sm_120'])(
    'is what ptxas says, for %s',
    { timeout: 300_000 },
    async (arch) => {
      const folder = await mkdtemp(join(tmpdir(), 'pawl-cubin-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      await writeFile(join(folder, 'a.cu'), SOURCE);
      const built = await runCommand(
        'nvcc',
        [`-arch=${arch}`, '-cubin', '-Xptxas', '-v', 'a.cu', '-o', 'a.cubin'],
        { cwd: folder, timeout_ms: 200_000 },
      );
      if (built.status !== 'exited') throw new Error(built.status);
      const told = parsePtxasReport(built.stdout + built.stderr);
      expect(told).toHaveLength(2);
      const found = cubinResources(await readFile(join(folder, 'a.cubin')));
      for (const { symbol, registers, smem_bytes, barriers } of told)
        expect(found.get(symbol)).toMatchObject({ registers, smem_bytes, barriers });
      expect(found.get('_Z7boundedPKfPfi')?.max_threads).toBe(256);
      expect(found.get('_Z10free_blockPKfPf')?.max_threads).toBeUndefined();
    },
  );
});

describe('occupancy of code that is not run', () => {
  const hungry = { registers: 128, smem_bytes: 0, barriers: 1 };
  const hot = (resources: ReturnType<typeof staticResources>) => ({
    kernel: 'k',
    basis: 'static' as const,
    samples: 0,
    located_pct: 100,
    resources,
    lines: [],
  });

  it('is that of the stated block, with what bounds it', () => {
    const one = staticResources('sm_90a', hungry, { threads: 256, dynamic_smem_bytes: 100_000 });
    expect(one).toMatchObject({
      block: 'stated',
      smem_bytes: 100_000,
      occupancy: [
        { threads: 256, blocks_per_sm: 2, occupancy_pct: 25, limited_by: ['registers', 'shared memory'] },
      ],
    });
    expect(resourceTexts(hot(one))).toEqual([
      'sm_90a: 128 registers per thread, 100,000 bytes of shared memory per block',
      'occupancy at best, block_threads of pawl.yaml: 256 threads: 25 % (bounded by registers and shared memory)',
    ]);
  });

  it('is that of usual blocks where nobody states one, up to the largest it was compiled for', () => {
    const one = staticResources('sm_90', { ...hungry, max_threads: 512 }, {});
    expect(one.block).toBe('any');
    expect(one.occupancy.map(({ threads, occupancy_pct }) => [threads, occupancy_pct])).toEqual([
      [64, 25],
      [128, 25],
      [256, 25],
      [512, 25],
    ]);
    expect(
      staticResources('sm_90', { ...hungry, registers: 255 }, { threads: 1024 }).occupancy,
    ).toMatchObject([{ blocks_per_sm: 0, occupancy_pct: 0, limited_by: ['registers'] }]);
    expect(staticResources('sm_31', hungry, { threads: 256 }).occupancy).toEqual([]);
  });
});
