import { describe, expect, it } from 'vitest';

import { resultOf } from '../../src/mcp/server/call-tool.ts';
import { listedOutput } from '../../src/mcp/server/listed-schemas.ts';
import { sessionTryTool, tryAnswer } from '../../src/mcp/tools/session.ts';
import type { Warning } from '../../src/model/learn/lesson.ts';
import type { Session, Try } from '../../src/model/learn/session.ts';
import { moved, sessionOf } from '../learn/lessons/session-of.ts';

/** 600 tokens at about four characters each. */
const MOST_CHARACTERS = 2400;

const WARNING: Warning = {
  kind: 'earlier-try',
  id: '20261103-101500-attention/try-2',
  text: 'tried on 3 Nov on NVIDIA L4, 0.75×, because the larger tile spilled registers and occupancy fell to one block',
  matched: 'BLOCK_N up',
  fix: 'Keep BLOCK_N at 64 and stage K and V through shared memory in two steps instead.',
  nearness: 'same-kind',
};

const SESSION: Session = {
  ...sessionOf([{}, { outcome: 'improved' }]),
  state: 'open',
  next: 'pawl session try --hypothesis "…" --finding bank-conflicts',
};

const TRY: Try = {
  ...SESSION.tries[1]!,
  number: 3,
  hypothesis: 'BLOCK_N of 128 halves the number of passes over K and V, which is what limits the kernel.',
  rule: 'memory-bound',
  idea: 'larger tiles',
  predicted_change_pct: 12,
  change: {
    diff: '…',
    truncated: false,
    files: ['kernels/attention/attention_cuda.cu', 'kernels/attention/tile.hpp'],
    variables: [moved('BLOCK_N', 64, 128)],
  },
  flags: ['against-a-lesson'],
  warnings: [WARNING, { ...WARNING, kind: 'lesson', id: 'large-tiles-spill' }],
  measured: {
    at: '2026-11-16T10:15:00.000Z',
    case: 'training_512',
    verdict: 'improved',
    change_pct: 8.12345678901,
    ci_pct: [6.92345678901, 9.32345678901],
    before_ms: 0.06123456789,
    after_ms: 0.05623456789,
    reason: 'faster by 8.1 % (6.9 % to 9.3 %), which is more than the 5 % that counts as an improvement',
  },
  outcome: 'improved',
  share_of_predicted: 0.67695473241,
  kept: true,
};

function answered(tried: Try, full = false) {
  const answer = tryAnswer(
    { measured: true, try: tried, session: SESSION },
    { look: false, full, own: new Map() },
  );
  const { content, structuredContent } = resultOf(sessionTryTool, answer);
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
  const characters = [...texts, JSON.stringify(structuredContent)].join('').length;
  return { told: structuredContent as Record<string, unknown>, characters };
}

describe('the answer to a try', () => {
  it('has at most 2,400 characters, with everything that its caller does not know yet', () => {
    const { told, characters } = answered(TRY);
    expect(characters).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(told).toMatchObject({
      measured: true,
      state: 'open',
      next: { tool: 'pawl_session_try', arguments: { rule: 'bank-conflicts' }, fill: ['hypothesis'] },
      try: {
        number: 3,
        outcome: 'improved',
        kept: true,
        share_of_predicted: 0.676955,
        flags: ['against-a-lesson'],
        measured: { verdict: 'improved', change_pct: 8.12346, ci_pct: [6.92346, 9.32346] },
        files: { total: 2 },
        warnings: { total: 2, items: [{ id: WARNING.id, text: { untrusted: true } }, {}] },
      },
    });
  });

  it('does not grow with what there is to say', () => {
    const long = 'a word too many '.repeat(60);
    const { characters } = answered({
      ...TRY,
      hypothesis: long,
      flags: ['several-variables', 'repeats-failed-try', 'against-a-lesson', 'idea-exhausted', 'guess'],
      warnings: Array.from({ length: 20 }, () => ({ ...WARNING, text: long, fix: long })),
      change: {
        ...TRY.change,
        files: Array.from({ length: 50 }, (_, at) => `${'deep/'.repeat(40)}${at}.cu`),
      },
      measured: {
        ...TRY.measured!,
        verdict: 'undecided',
        reason: long,
        judge_changes: Array.from({ length: 30 }, () => ({
          kind: 'tolerance' as const,
          subject: 'doubled',
          text: long,
        })),
      },
    });
    expect(characters).toBeLessThanOrEqual(MOST_CHARACTERS);
  });

  it('has the whole try and where the session stands only when asked', () => {
    expect(answered(TRY).told).not.toHaveProperty('full');
    expect(answered(TRY, true).told).toMatchObject({
      full: {
        try: {
          hypothesis: { text: TRY.hypothesis },
          change: { variables: { items: [{ kind: 'tunable', name: { text: 'BLOCK_N' } }] } },
          warnings: { items: [{ fix: { text: WARNING.fix } }, {}] },
        },
        session: { id: SESSION.id, gates: { counts: {} } },
      },
    });
  });

  it.each([false, true])('is what the tool declares (full: %s)', async (full) => {
    const declared = listedOutput(sessionTryTool.output);
    expect(await declared['~standard'].validate(answered(TRY, full).told)).not.toHaveProperty('issues');
    expect(await declared['~standard'].validate({ measured: true })).toHaveProperty('issues');
  });
});
