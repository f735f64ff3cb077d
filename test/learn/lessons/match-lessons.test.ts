import { describe, expect, test } from 'vitest';

import {
  isAgainstChange,
  matchLessons,
  type LessonQuestion,
} from '../../../src/learn/lessons/match-lessons.ts';
import { readLessons } from '../../../src/learn/lessons/read-lessons.ts';
import { lessonSchema, type Lesson } from '../../../src/model/learn/lesson.ts';
import { diffOf, moved } from './session-of.ts';

const shipped = await readLessons(undefined);
const NOW = new Date('2026-11-20T12:00:00Z');
const L4 = { kind: 'attention', device: 'NVIDIA L4', language: 'cuda', now: NOW };
const H200 = { ...L4, device: 'NVIDIA H200' };

function idsFor(question: Omit<LessonQuestion, 'lessons'>): string[] {
  return matchLessons({ lessons: shipped, ...question }).map(({ id }) => id);
}

interface Situation {
  readonly name: string;
  readonly question: Omit<LessonQuestion, 'lessons'>;
}

describe('shipped lessons are recognised', () => {
  const situations: readonly (Situation & { readonly lesson: string })[] = [
    {
      name: 'a template that the linker does not find',
      question: {
        ...L4,
        errors: [
          "/usr/bin/ld: run.o: in function `main':\nrun.cu: undefined reference to `void launch<__half, 64>(void*)'",
        ],
      },
      lesson: 'explicit-template-instantiation',
    },
    {
      name: 'ptxas refusing shared memory',
      question: {
        ...L4,
        errors: [
          "ptxas error   : Entry function '_Z9attentionv' uses too much shared data (0x10400 bytes, 0xc000 max)",
        ],
      },
      lesson: 'shared-memory-before-compiling',
    },
    {
      name: 'shared memory over the limit',
      question: { ...L4, facts: { smem_bytes: 120_000, smem_limit_bytes: 101_376 } },
      lesson: 'shared-memory-before-compiling',
    },
    {
      name: 'a launch with too many resources',
      question: { ...L4, errors: ['CUDA error 701: too many resources requested for launch'] },
      lesson: 'tile-for-another-gpu',
    },
    {
      name: 'an extension of another ABI',
      question: {
        ...L4,
        errors: ['ImportError: fa.so: undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationE'],
      },
      lesson: 'abi-mismatch',
    },
    {
      name: 'a driver that was upgraded',
      question: { ...L4, errors: ['Failed to initialize NVML: Driver/library version mismatch'] },
      lesson: 'environment-drift',
    },
    {
      name: 'a preempted job',
      question: {
        ...L4,
        errors: [
          'slurmstepd: error: *** JOB 41 ON n1 CANCELLED AT 2026-11-15T10:00:00 DUE TO PREEMPTION ***',
        ],
      },
      lesson: 'preempted-machine',
    },
    {
      name: 'NaN in the result',
      question: {
        ...L4,
        errors: [
          "12 of 4096 elements of 'o' differ from the oracle; worst at [0, 1]: nan where 0.25 is right",
        ],
      },
      lesson: 'nan-needs-fp32-softmax',
    },
    {
      name: 'results that move',
      question: { ...L4, errors: ['nondeterministic: the same inputs gave different outputs'] },
      lesson: 'moving-difference-is-a-race',
    },
    {
      name: 'a misaligned copy',
      question: { ...L4, errors: ['CUDA error 716: misaligned address'] },
      lesson: 'padding-breaks-16-byte-copies',
    },
    {
      name: 'a row of halves padded by one',
      question: { ...L4, change: diffOf([], ['  __shared__ __half tile[64][D + 1];']) },
      lesson: 'padding-breaks-16-byte-copies',
    },
    {
      name: 'right when small, wrong in the matrix',
      question: { ...L4, facts: { correct: true, fuzz_passed: false } },
      lesson: 'layout-hidden-by-one-head',
    },
    {
      name: 'finite and wrong',
      question: { ...L4, facts: { correct: false, has_nonfinite: false } },
      lesson: 'missing-softmax-scale',
    },
    {
      name: 'a thirtieth of the reference',
      question: { ...L4, facts: { speedup: 0.034 } },
      lesson: 'below-a-tenth-is-a-bug',
    },
    {
      name: 'a goal at a case that is shorter than its launch',
      question: { ...L4, facts: { is_gpu: true, kernel_target_ms: 0.008 } },
      lesson: 'launch-outweighs-kernel',
    },
    { name: 'a speed-up that falls', question: { ...L4, facts: { trend: 0.6 } }, lesson: 'falls-with-size' },
    {
      name: 'a tile by guess',
      question: { ...L4, facts: { speedup: 0.12 }, variables: [moved('BLOCK_M', 128, 64)] },
      lesson: 'tile-by-guess',
    },
    {
      name: 'two knobs in one try',
      question: { ...L4, variables: [moved('NUM_WARPS', 4, 8), moved('BLOCK_M', 128, 64)] },
      lesson: 'two-variables-at-once',
    },
    {
      name: 'an identical binary',
      question: { ...L4, errors: ['the binaries are identical.'] },
      lesson: 'variants-of-one-binary',
    },
    {
      name: 'polynomials on the H200',
      question: { ...H200, variables: [moved('POLY', 0, 8)] },
      lesson: 'hopper-polynomial-exponentials',
    },
    {
      name: 'two tiles a warpgroup on the H200',
      question: { ...H200, variables: [moved('GROUP_ROWS', 64, 128)] },
      lesson: 'hopper-two-tiles-a-warpgroup',
    },
    {
      name: 'bank conflicts',
      question: { ...H200, rules: ['bank-conflicts'] },
      lesson: 'rows-in-the-same-banks',
    },
    {
      name: 'serialised products',
      question: {
        ...H200,
        errors: [
          'ptxas info: (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to …',
        ],
      },
      lesson: 'serialized-wgmma',
    },
    {
      name: 'an old reference',
      question: {
        ...L4,
        gates: [
          {
            gate: 'reference-measured',
            phase: 'pre-flight',
            title: '',
            state: 'passed',
            reason: '',
            evidence: {
              kind: 'reference',
              taken_at: '2026-11-20T10:30:00Z',
              facts: {},
              sources: [],
              lines: [],
            },
          },
        ],
      },
      lesson: 'stale-reference',
    },
  ];
  test.each(situations)('$name', ({ question, lesson }) => {
    expect(idsFor(question)).toContain(lesson);
  });
});

describe('shipped lessons do not cry wolf', () => {
  const situations: readonly Situation[] = [
    {
      name: 'at a plain undefined function',
      question: { ...L4, errors: ["undefined reference to `cublasCreate_v2'"] },
    },
    { name: 'at a syntax error', question: { ...L4, errors: ['kernel.cu(12): error: expected a ";"'] } },
    {
      name: 'at a tile that follows a finding',
      question: {
        ...L4,
        facts: { speedup: 0.12 },
        rules: ['small-grid'],
        variables: [moved('NUM_TILES', 128, 64)],
      },
    },
    {
      name: 'at a tile of a kernel that is fast',
      question: { ...L4, facts: { speedup: 1.1 }, variables: [moved('TILE', 128, 64)] },
    },
    { name: 'at a tile when nothing was measured', question: { ...L4, variables: [moved('TILE', 128, 64)] } },
    { name: 'at fewer polynomials', question: { ...H200, variables: [moved('POLY', 8, 0)] } },
    {
      name: 'at polynomials on the CPU',
      question: { kind: 'attention', device: 'AMD EPYC', language: 'c++', variables: [moved('POLY', 0, 8)] },
    },
    {
      name: 'at a row of floats padded by one',
      question: { ...L4, change: diffOf([], ['  __shared__ float tile[32][32 + 1];']) },
    },
    {
      name: 'at halves padded by sixteen bytes',
      question: { ...L4, change: diffOf([], ['  __shared__ __half tile[64][D + 8];']) },
    },
    {
      name: 'at lines that a change takes away',
      question: { ...L4, change: diffOf(['  __shared__ __half tile[64][D + 1];'], ['  int i = 0;']) },
    },
    { name: 'at 149152 bytes', question: { ...L4, change: diffOf([], ['constexpr int BYTES = 149152;']) } },
    {
      name: 'at a short case that is not the goal’s',
      question: { ...L4, facts: { is_gpu: true, kernel_us: 8, kernel_target_ms: 0.037 } },
    },
    { name: 'at a fresh reference', question: { ...L4, facts: { reference_age_min: 5 } } },
    {
      name: 'at a right and fast kernel',
      question: {
        ...L4,
        facts: {
          correct: true,
          fuzz_passed: true,
          has_nonfinite: false,
          speedup: 1.3,
          trend: 1.1,
          is_gpu: true,
          kernel_us: 40,
          fits: true,
        },
      },
    },
    {
      name: 'at two functions that were edited',
      question: {
        ...L4,
        variables: [
          { kind: 'function', name: 'a' },
          { kind: 'function', name: 'b' },
        ],
      },
    },
    { name: 'at a fact of another type', question: { ...L4, facts: { speedup: 'unknown' } } },
  ];
  test.each(situations)('$name', ({ question }) => {
    expect(idsFor(question)).toEqual([]);
  });
});

function lessonOf(given: Partial<Lesson>): Lesson {
  return lessonSchema.parse({
    id: 'one',
    title: 'Smaller tiles',
    symptom: { tunables: { BLOCK_M: 'down' } },
    cause: 'K and V are read more often',
    fix: 'Profile first.',
    source: 'session',
    ...given,
  });
}

const EVIDENCE = [{ date: '2026-11-03', device: 'NVIDIA L4', speedup: 0.75 }];
const DOWN = [moved('BLOCK_M', 128, 64)];

test('a warning says when, where, how fast and why', () => {
  const lessons = [lessonOf({ evidence: EVIDENCE, scope: { devices: ['NVIDIA L4'], kinds: ['attention'] } })];
  expect(matchLessons({ lessons, ...L4, variables: DOWN })).toEqual([
    {
      kind: 'lesson',
      id: 'one',
      text: 'Smaller tiles: tried on 3 Nov on NVIDIA L4, 0.75×, because K and V are read more often.',
      matched: 'tunable: BLOCK_M 128 → 64',
      matched_by: 'tunables',
      fix: 'Profile first.',
      nearness: 'same-device',
    },
  ]);
});

test('a lesson of another device or kind comes later, and says that it is one', () => {
  const lessons = [
    lessonOf({ id: 'kind', scope: { kinds: ['gemm'] } }),
    lessonOf({ id: 'device', scope: { devices: ['NVIDIA H*'] } }),
    lessonOf({ id: 'here', scope: { devices: ['nvidia l4'] } }),
    lessonOf({ id: 'everywhere' }),
  ];
  const found = matchLessons({ lessons, ...L4, variables: DOWN });
  expect(found.map(({ id, nearness }) => [id, nearness])).toEqual([
    ['everywhere', 'same-device'],
    ['here', 'same-device'],
    ['device', 'same-kind'],
    ['kind', 'other-kind'],
  ]);
  expect(found[2]?.text).toContain('Known on NVIDIA H; this is NVIDIA L4, where it may not hold.');
  expect(found[3]?.text).toContain('Known of gemm, not of attention.');
});

test('a withdrawn lesson is silent, and so is one about another language', () => {
  const lessons = [
    lessonOf({ id: 'withdrawn', withdrawn: 'it was the clock' }),
    lessonOf({ id: 'python', scope: { languages: ['python'] } }),
  ];
  expect(matchLessons({ lessons, ...L4, variables: DOWN })).toEqual([]);
});

test('an overridden gate is a fact', () => {
  const lessons = [lessonOf({ symptom: { facts: 'overridden_smallest_speedup' } })];
  const gate = { gate: 'smallest-speedup', phase: 'baseline', title: '', reason: '' } as const;
  const override = { reason: 'no time', by: 'me', at: '2026-11-20T10:00:00Z' };
  expect(matchLessons({ lessons, gates: [{ ...gate, state: 'overridden', override }] })).toHaveLength(1);
  expect(matchLessons({ lessons, gates: [{ ...gate, state: 'passed' }] })).toEqual([]);
});

test('a line of the sources is named with its place', () => {
  const lessons = [lessonOf({ symptom: { code: ['__syncthreads\\(\\)'] } })];
  const sources = [{ file: 'kernel.cu', text: 'int a;\n    __syncthreads();\n' }];
  expect(matchLessons({ lessons, sources })[0]?.matched).toBe('code: kernel.cu:2: __syncthreads();');
});

test('what a change does is told apart from where things stand', () => {
  const question = { ...L4, facts: { speedup: 0.05 }, variables: [moved('TILE', 128, 64)] };
  const found = matchLessons({ lessons: shipped, ...question });
  expect(found.map((warning) => [warning.id, warning.matched, isAgainstChange(warning, shipped)])).toEqual([
    ['tile-by-guess', 'tunable: TILE 128 → 64, with speedup = 0.05, profiled = false', true],
    ['below-a-tenth-is-a-bug', 'fact: speedup < 0.1 (speedup = 0.05)', false],
  ]);
  expect(found.map(({ matched_by }) => matched_by)).toEqual(['tunables', 'facts']);
  // The sentence is for people: another one changes nothing.
  expect(
    found.map((warning) => isAgainstChange({ ...warning, matched: 'change: other words' }, shipped)),
  ).toEqual([true, false]);
});
