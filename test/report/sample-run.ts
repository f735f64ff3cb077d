import type { Samples } from '../../src/model/measure/samples.ts';
import { attentionSeries } from '../fixtures/h200-attention.ts';

/** 4·B·H·S²·D operations and 4·B·H·S·D·2 bytes: attention in fp16. */
function attention(B: number, H: number, S: number, D: number) {
  return { dims: { B, H, S, D }, operations: 4 * B * H * S * S * D, bytes: 4 * B * H * S * D * 2 };
}

const PASSED = { passed: true, oracle: 'oracle.cpp', tensors: [], tampering: [] };

/** A run as `pawl bench` writes it, its timings recorded on an H200: right, wrong, lost and noisy measurements. */
export function sampleRun(): Samples {
  const common = {
    kernel: 'sdpa-flash',
    variant: {},
    mode: 'cold',
    commit: '3f9d2c1b7a60',
    check: PASSED,
  } as const;
  return {
    schema: 'pawl.samples/1',
    device: {
      kind: 'cuda',
      name: 'NVIDIA H200',
      driver: '580.159.04',
      cuda_runtime: '13.0',
      compute_capability: '9.0',
      sm_count: 132,
      memory_bytes: 150_754_820_096,
      l2_bytes: 62_914_560,
      uuid: 'GPU-6b1f2c34-0000-4000-8000-123456789abc',
    },
    environment: {
      host: 'gpu-host',
      os: 'Debian GNU/Linux 12',
      cpu: 'Intel Xeon Platinum 8480C',
      nvcc: '13.0.88',
      cxx: 'g++ 12.2.0',
      python: '3.12.3',
      node: '20.20.2',
      pawl: '0.1.0',
      started_at: '2026-11-15T02:10:09.631Z',
      finished_at: '2026-11-15T02:12:31.002Z',
      clocks: { policy: 'lock', refused: 'nvidia-smi needs root to lock clocks' },
      seed: '42',
    },
    measurements: [
      {
        ...common,
        case: 'training_512',
        ...attention(32, 8, 512, 64),
        series: attentionSeries('B32_H8_S512_D64').map((one) =>
          Object.assign(one, {
            timing: 'blocked' as const,
            memory_peak_bytes: 1_476_395_008,
            clock_mhz: one.samples_ms.map((_, index) => 1980 - 15 * (index % 2)),
          }),
        ),
      },
      {
        ...common,
        case: 'short_128',
        ...attention(32, 8, 128, 64),
        series: attentionSeries('B32_H8_S128_D64').map((one) =>
          Object.assign(one, { timing: 'plain' as const }),
        ),
        lost: [
          {
            process: 6,
            reason: 'crashed',
            message: 'the runner ended with SIGSEGV while it took samples',
            output: 'loading kernel\nsdpa: allocating workspace\nSegmentation fault\n',
          },
        ],
      },
      {
        ...common,
        case: 'long_2048',
        ...attention(8, 16, 2048, 64),
        series: attentionSeries('B8_H16_S2048_D64').map((one, index) =>
          Object.assign(one, {
            throttled_ms: index === 2 ? [0.41, 0.42, 0.415] : [],
            throttle_reasons: index === 2 ? ['sw-power-cap'] : [],
            state_before: { temperature_c: 71, foreign_pids: [] },
            state_after: { temperature_c: index === 2 ? 83 : 74, foreign_pids: index === 0 ? [4711] : [] },
          }),
        ),
      },
      {
        kernel: 'attention-cuda',
        variant: { BLOCK_M: 64, BLOCK_N: 64, NUM_WARPS: 4 },
        mode: 'cold',
        commit: '3f9d2c1b7a60',
        case: 'training_512',
        ...attention(32, 8, 512, 64),
        check: {
          passed: false,
          oracle: 'oracle.cpp',
          tensors: [
            { name: 'o', elements: 8_388_608, mismatches: 4096, max_abs_err: 0.0731, max_rel_err: 2.5 },
          ],
          tampering: [],
        },
        series: [],
      },
      {
        kernel: 'attention-cuda',
        variant: { BLOCK_M: 64, BLOCK_N: 64, NUM_WARPS: 4 },
        mode: 'hot',
        commit: '3f9d2c1b7a60',
        case: 'short_128',
        ...attention(32, 8, 128, 64),
        series: attentionSeries('B32_H8_S128_D64').slice(0, 1),
      },
    ],
  };
}

export const THRESHOLDS = { cv_pct: 12, temperature_c: 80 };
