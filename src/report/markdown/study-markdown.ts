import { confirmedBest } from '../../model/judge/confirmed-best.ts';
import type { Study } from '../../model/tune/study-report.ts';
import { variantText } from '../../model/problem/variant.ts';
import { costText } from '../text/cost-text.ts';
import { markdownCode, markdownText } from './markdown-text.ts';
import {
  changedFrom,
  defineText,
  ENDED_BY,
  fastestTrials,
  percentOf,
  rejectionRows,
  speedupText,
} from '../text/study-text.ts';
import { timeText } from '../text/units.ts';

/** `tuning/suggestions.md`: what to do with a study. */
export function renderSuggestions(study: Study): string {
  const { kernel, case: name, result } = study;
  return `${[
    `# Autotune Report: ${markdownText(name)}`,
    `${markdownCode(kernel)} on ${markdownText(study.device.name)}, ${study.mode} · study ${markdownCode(study.id)}`,
    result === 'improved' ? bestSection(study) : outcomeSection(study),
    topSection(study),
    result === 'improved' ? applySection(study) : '',
    learntSection(study),
    costSection(study),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

function bestSection(study: Study): string {
  const confirmed = confirmedBest(study)!;
  const standard = confirmed.default_ms ?? study.default_ms;
  return [
    '## Best Configuration Found',
    '',
    `**Speedup**: ${speedupText(confirmed)}`,
    '',
    `**Latency**: ${timeText(study.best!.time_ms)}${standard === undefined ? '' : ` (baseline: ${timeText(standard)})`}`,
    '',
    '**Parameters**:',
    '',
    ...parameterLines(study),
    '',
    `Confirmed in interleaved blocks of fresh processes (${confirmed.processes.join(' and ')}): ${markdownText(confirmed.reason)}`,
  ].join('\n');
}

function parameterLines({ best, default: standard }: Study): string[] {
  return Object.entries(best?.variant ?? {}).map(([name, value]) => {
    const before = standard[name];
    return `- \`${name} = ${String(value)}\`${before === value ? '' : ` (default ${String(before)})`}`;
  });
}

function outcomeSection(study: Study): string {
  const { result, reason, best, improvement_pct } = study;
  const lines = ['## No Change Advised', '', markdownText(reason)];
  for (const { variant, verdict, reason: why, ...confirmed } of study.confirmations) {
    lines.push(
      '',
      `- ${markdownCode(variantText(variant))}: ${verdict}, ${speedupText(confirmed)}. ${markdownText(why)}`,
    );
  }
  if (result === 'kept')
    lines.push('', `A gain below ${improvement_pct} % is not advised: machines differ by as much.`);
  if (best !== undefined && (result === 'unconfirmed' || result === 'undecided')) {
    lines.push(
      '',
      `Fastest in the search, not confirmed: ${markdownCode(variantText(best.variant))} at ${timeText(best.time_ms)}.`,
    );
  }
  return lines.join('\n');
}

function topSection(study: Study): string {
  const top = fastestTrials(study, 5);
  if (top.length === 0) return '';
  const { default_ms } = study;
  const rows = top.map(({ trial, outcome }, index) => {
    const confirmed = study.confirmations.find((each) => each.trial === trial.number);
    const inSearch = default_ms === undefined ? '' : `${(default_ms / outcome.time_ms).toFixed(2)}×`;
    const cells = [
      String(index + 1),
      timeText(outcome.time_ms),
      confirmed?.speedup === undefined ? `${inSearch} in the search` : speedupText(confirmed),
      confirmed?.verdict ?? (trial.phase === 'default' ? 'the default' : ''),
      markdownCode(variantText(trial.variant)),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '## Top Five',
    '',
    '| # | time | speed-up | verdict | variant |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    'Times of the search come from few samples, and the fastest of many is partly luck: only confirmed speed-ups count.',
  ].join('\n');
}

function applySection(study: Study): string {
  const variant = study.best!.variant;
  const defines = Object.entries(variant).map(([name, value]) => defineText(name, value));
  const changed = variantText(changedFrom(study.default, variant));
  return [
    '## How to Apply',
    '',
    `### Option 1: pawl.yaml (changes ${markdownCode(changed)})`,
    '',
    '```bash',
    `pawl tune apply ${study.id}`,
    '```',
    '',
    '### Option 2: CMake',
    '',
    '```cmake',
    `target_compile_definitions(kernel PRIVATE ${defines.join(' ')})`,
    '```',
    '',
    '### Option 3: compiler flags',
    '',
    '```bash',
    `${study.device.kind === 'cuda' ? 'nvcc' : 'c++'} ${defines.map((each) => `-D${each}`).join(' ')} …`,
    '```',
  ].join('\n');
}

function learntSection(study: Study): string {
  const { trials, importance, throughput, settings } = study;
  const measured = trials.filter(({ outcome }) => outcome?.status === 'measured');
  const early = measured.filter(
    ({ outcome }) => outcome?.status === 'measured' && outcome.stopped_early,
  ).length;
  const twins = trials.filter(({ same_binary_as }) => same_binary_as !== undefined).length;
  const lines = [
    '## What Was Learnt',
    '',
    `- ${trials.length} trials; ${study.space.extent}; the search ended because ${ENDED_BY[study.ended_by] ?? study.ended_by}.`,
    `- ${measured.length} measured, ${early} of them stopped early as too slow, ${twins} the same program as another trial.`,
    `- Sampler ${markdownCode(settings.sampler)}, seed \`${settings.seed}\`.`,
    ...study.notes.map((note) => `- ${markdownText(note)}`),
  ];
  const rejections = rejectionRows(study);
  if (rejections.length > 0) {
    lines.push('', '| rejected | trials | meaning | first message |', '| --- | --- | --- | --- |');
    for (const { reason, count, meaning, example } of rejections) {
      lines.push(`| ${reason} | ${count} | ${meaning} | ${markdownText(example.slice(0, 200))} |`);
    }
  }
  if (importance !== undefined) {
    lines.push('', '| tunable | share of the variance |', '| --- | --- |');
    for (const { name, share } of importance.parameters)
      lines.push(`| ${markdownCode(name)} | ${percentOf(share)} |`);
    for (const { names, share } of importance.pairs.filter((pair) => pair.share >= 0.01)) {
      lines.push(`| ${markdownCode(names.join(' with '))} | ${percentOf(share)} |`);
    }
    lines.push(
      '',
      `By ${importance.method}, over ${importance.trials} trials; the forest explains ${percentOf(Math.max(0, importance.explained))} of the variance of held-out trials.`,
    );
  }
  lines.push(
    '',
    `${throughput.trials_per_minute.toFixed(1)} trials per minute; the device was measuring for ${percentOf(throughput.measuring_share)} of the search; up to ${throughput.builds_at_once} builds at once.`,
  );
  if (study.profile?.summary !== undefined)
    lines.push('', `Profile of the winner: ${markdownText(study.profile.summary)}`);
  for (const { gate, message } of study.profile?.warnings ?? [])
    lines.push('', `**${gate}**: ${markdownText(message)}`);
  if (study.profile?.skipped !== undefined)
    lines.push('', `The winner was not profiled: ${markdownText(study.profile.skipped)}`);
  return lines.join('\n');
}

function costSection({ cost, throughput }: Study): string {
  // A study that was taken up again has one time, and cost for each of its parts.
  return `${markdownText(costText({ ...cost, wall_s: throughput.wall_s }))}.`;
}
