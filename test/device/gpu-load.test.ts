import { describe, expect, it } from 'vitest';

import { gpuBusyPct } from '../../src/device/gpu-load.ts';
import type { Gpu } from '../../src/device/gpus.ts';

function gpu(utilization_pct?: number): Gpu {
  return {
    info: { kind: 'cuda', index: 0, uuid: 'GPU-1', name: 'A GPU' },
    state: utilization_pct === undefined ? {} : { utilization_pct },
    persistence_mode: undefined,
    ecc: undefined,
  };
}

const { signal } = new AbortController();

describe('how busy a GPU is with work of others', () => {
  it('is what it tells, where that is nothing much', async () => {
    const look = () => Promise.reject(new Error('looked again'));
    expect(await gpuBusyPct(gpu(2), { signal, look })).toBe(2);
    expect(await gpuBusyPct(gpu(), { signal, look })).toBeUndefined();
  });

  it('is looked at again, because it may be what this Pawl did a moment ago', async () => {
    const again = (pct: number) => ({
      signal,
      look: () => Promise.resolve({ status: 'found', gpus: [gpu(pct)] } as const),
      pause_ms: 1,
    });
    expect(await gpuBusyPct(gpu(90), again(0))).toBe(0);
    expect(await gpuBusyPct(gpu(90), again(60))).toBe(60);
  });
});
