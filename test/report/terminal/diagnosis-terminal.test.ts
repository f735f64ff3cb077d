import { describe, expect, it } from 'vitest';

import type { Diagnosis, LaunchDiagnosis } from '../../../src/model/profile/diagnosis.ts';
import { renderDiagnosis } from '../../../src/report/terminal/diagnosis-terminal.ts';

const KERNEL: LaunchDiagnosis = {
  name: 'void transpose<32>(const float *, float *)',
  id: '0',
  duration_us: 329.44,
  limiter: 'l1-shared',
  grid: [256, 256, 1],
  block: [32, 8, 1],
  device: 'NVIDIA H200',
  compute_capability: '9.0',
  speed_of_light: { compute_pct: 11, memory_pct: 87.86, dram_pct: 32.63 },
  findings: [
    {
      rule: 'bank-conflicts',
      priority: 1,
      evidence: { conflicts_per_wavefront: 0.9688 },
      diagnosis: 'Lanes of a warp meet in the same bank of shared memory.',
      fix: 'Pad the tile by one column, or swizzle it.',
      expected_gain_pct: 62,
      gain_basis: 'wavefronts above the minimum',
      source: 'docs/rules.md',
    },
  ],
  not_collected: ['a__b.avg'],
  ncu_rules: [
    {
      section: 'WarpStateStats',
      rule: 'CPIStall',
      type: 'OPT',
      description: 'Each warp waits.',
      speedup_pct: 12.1,
    },
  ],
};

function document(...kernels: readonly LaunchDiagnosis[]): Diagnosis {
  return { schema: 'pawl.diagnosis/1', kernels: [...kernels] };
}

describe('a diagnosis in a terminal', () => {
  it('shows the limit, the units, and each finding with gain, evidence and fix', () => {
    expect(renderDiagnosis(document(KERNEL))).toBe(`void transpose<32>(const float *, float *)
limited by L1 and shared memory · 329.44 µs · grid 256×256×1 · block 32×8×1 · NVIDIA H200 · CC 9.0 · launch 0

  compute    ███░░░░░░░░░░░░░░░░░░░░░░░░░░░  11.0 %
  memory     ██████████████████████████░░░░  87.9 %
  · DRAM     ██████████░░░░░░░░░░░░░░░░░░░░  32.6 %

  1. bank-conflicts  up to 62 % of the time
     Lanes of a warp meet in the same bank of shared memory.
     → Pad the tile by one column, or swizzle it.
     conflicts_per_wavefront 0.9688

  1 metric was not collected: --verbose names them; \`ncu --set full\` collects more
`);
  });

  it('adds on request what ncu said, sources, and what was not collected', () => {
    const text = renderDiagnosis(document(KERNEL), { verbose: true });
    expect(text).toMatch(/gain: wavefronts above the minimum\n\s+source: docs\/rules\.md/);
    expect(text).toMatch(/1 metric was not collected: a__b\.avg/);
    expect(text).toMatch(/OPT CPIStall, ncu's estimate 12\.1 %\n {4}Each warp waits\./);
  });

  it('never shows a bar for what was not measured', () => {
    const text = renderDiagnosis(document({ ...KERNEL, speed_of_light: {} }));
    expect(text).toMatch(/no throughput was collected/);
    expect(text).not.toMatch(/░/);
  });

  it('begins a comparison with its one sentence', () => {
    const text = renderDiagnosis({
      ...document(KERNEL),
      comparisons: [
        {
          kernel: 'transpose',
          summary: '32 % slower: shared-memory bank conflicts rose from 0 to 31 % of wavefronts',
          before_us: 250,
          after_us: 329.44,
          change_pct: -32,
          moved: [{ metric: 'bank conflicts', unit: '%', before: 0, after: 31 }],
          appeared: ['bank-conflicts'],
          vanished: [],
          persisted: ['at-limit'],
        },
      ],
    });
    expect(text.split('\n')[0]).toBe(
      '32 % slower: shared-memory bank conflicts rose from 0 to 31 % of wavefronts',
    );
    expect(text).toMatch(/250\.00 µs → 329\.44 µs/);
    expect(text).toMatch(
      /appeared {4}bank-conflicts\n {2}still there {1}at-limit\n {2}bank conflicts {2}0 → 31 %/,
    );
  });

  it('says what was left out, and does not list a hundred launches', () => {
    const many = {
      ...document(...Array.from({ length: 100 }, () => KERNEL)),
      problems: ['line 3: a row is cut off: left out'],
    };
    const text = renderDiagnosis(many);
    expect(text).toMatch(/and 88 more launches/);
    expect(text).toMatch(/! line 3: a row is cut off/);
  });

  it.each([
    [0, '0'],
    [0.96884, '0.9688'],
    [-1234.56, '-1,235'],
    [65_010_000, '65,010,000'],
    [123.456, '123.5'],
    [6.89e-5, '0.0000689'],
    [1e-9, '1e-9'],
  ])('writes the figure %d as %s', (value, figure) => {
    const findings = KERNEL.findings.map((finding) => Object.assign({}, finding, { evidence: { x: value } }));
    expect(renderDiagnosis(document({ ...KERNEL, findings }))).toContain(`     x ${figure}\n`);
  });

  it('shows no control characters of a kernel’s name', () => {
    expect(renderDiagnosis(document({ ...KERNEL, name: 'a\u001B[2Jb' }))).not.toContain('\u001B');
  });
});
