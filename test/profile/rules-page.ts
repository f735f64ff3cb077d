import {
  KNOWN_CAPABILITIES,
  metricNames,
  SIGNALS,
  type Signal,
} from '../../src/profile/facts/metric-names.ts';
import { factsRead } from '../../src/profile/metric-set.ts';
import { signalsOf } from '../../src/profile/facts/facts.ts';
import { CODE_RULES, type CodeRule } from '../../src/profile/cpu/code-rules.ts';
import { SLOW_ARITHMETIC } from '../../src/profile/lines/slow-arithmetic.ts';
import { RULES } from '../../src/profile/rules/index.ts';
import { EVERY_LIMIT, type Rule } from '../../src/profile/rules/rule.ts';

const INTRODUCTION = `# The rules of diagnosis

What \`pawl diagnose\` looks for in a profile. [diagnose.md](diagnose.md) says how to read its answer. This page is generated: \`UPDATE_RULES=1 npx vitest run test/profile/rules-page.test.ts\`.

## From numbers to findings

1. **Signals** are metrics under one name on every device ([below](#signals)); **facts** are derived from them. ncu's details page lacks stall, pipe and conflict counters; there, facts come from the numbers that ncu's own rules quote. A fact that was not collected is unknown, never zero: rules that need it are skipped, and the metric is listed in \`not_collected\`.
2. **The limiter** is the busiest unit at 60 % of its peak or more: \`dram\`, \`l2\`, \`l1-shared\`, \`compute\`, \`tensor\` or \`special-function\`. Below that it is \`launch\` if the launch leaves the device idle (fewer blocks than 80 % of the SMs, 10 µs or less, or a quarter of the time lost to the last wave), else \`latency\`. At 80 % or more the kernel is at its limit.
   - It is named only if memory (overall, or DRAM, L2 and L1), the SMs (overall, or their pipes and issue slots) and the unit that makes either busy were collected; for \`latency\` also the duration and the number of blocks. Otherwise it is \`none\`, and \`undecided\` says why and which \`ncu\` line would decide.
   - The L2 counts from 80 % on, or from 70 % with enough warps to fill its queues: on Hopper its figure includes the links between its halves. If DRAM is at 60 % or more and within 15 points of it, DRAM is the limiter.
3. **Rules** fire on their condition, with evidence, a fix and an expected gain: an upper estimate in percent of the kernel's time. Gains do not add up.
4. **Order**: a broken measurement stands alone. Findings that bear on the limiter come first, then the larger gain (a partial gain counts for four fifths), then the priority. A symptom is dropped if its cause was found and gains at least half as much. At most two waits are listed, and no causes below 2 %.
5. **Left out**: at a limit, everything that does not take work off the limiting unit. Without such a cause \`at-limit\` stands alone, or \`undecided\` if the metrics that would show one were not collected. Occupancy and registers are left out for kernels that use wgmma or TMA: few warps are their design.

A partial gain is in time that other work may hide. Sources are sections of NVIDIA's Nsight Compute Profiling Guide, or of the CUDA C++ Programming Guide and CUDA C++ Best Practices Guide where named.`;

const WAITS = `Each of these fires if warps spend more than the given share of their time in one kind of wait, and issue slots are below 80 %. The gain is the given part of the wait, times the share of empty issue slots. Source: Warp Stall Reasons.`;
const SHARED_BY_WAITS = [
  " of a warp's time, and issue slots below 80 %",
  ' in empty issue slots',
  'Warp Stall Reasons.',
];

const LIMITS = `These say how close the kernel is to what the device can do. Source: GPU Speed Of Light Throughput (SOLBottleneck).`;
const SHARED_BY_LIMITS = ['GPU Speed Of Light Throughput (SOLBottleneck).'];

const SHARED_BY_CODE_RULES = [
  'How often the code runs is not counted, so this is half of the most possible.',
];

const isWait = ({ kind }: Rule): boolean => kind === 'wait';
const isLimit = ({ id, kind }: Rule): boolean => kind === 'limit' || id === 'at-limit';

/** Markdown reads double underscores as bold. */
const quoteDunders = (text: string): string => text.replaceAll(/(?<!`)\b__\w+?__\b/gu, '`$&`');

/** The introduction has the whole titles. */
const shortSource = (source: string): string =>
  source
    .replace(/^Nsight Compute Profiling Guide, /u, '')
    .replaceAll(/(?:Nsight Compute|CUDA C\+\+) (?=\w+ (?:Practices )?Guide)/gu, '');

type CodeRuleText = typeof SLOW_ARITHMETIC | CodeRule;

/** Without what the introduction of its part says of all rules there. */
function ruleSection(rule: Rule | CodeRuleText, shared: readonly string[] = []): string {
  const own = (text: string) => shared.reduce((rest, words) => rest.replace(words, ''), text).trim();
  const partial = 'scope' in rule && rule.scope === 'local' ? ' (partial)' : '';
  const source = own(shortSource(rule.source));
  return [
    `### ${rule.id}`,
    rule.meaning,
    [
      `- **Condition**: ${own(rule.condition)}`,
      `- **Fix**: ${quoteDunders(rule.fix)}`,
      `- **Gain**${partial}: ${own(rule.gainBasis)}`,
      ...(source === '' ? [] : [`- **Source**: ${source}`]),
    ].join('\n'),
  ].join('\n\n');
}

const NAME_WIDTH = 30;
const LINE_WIDTH = 110;

const block = (lines: readonly string[]): string => ['```text', ...lines, '```'].join('\n');

function signalLines(signal: Signal): string[] {
  const usual = metricNames(signal, '9.0');
  const others = KNOWN_CAPABILITIES.flatMap((capability) => {
    const names = metricNames(signal, capability);
    return names.join() === usual.join() ? [] : names.map((name) => `${capability}: ${name}`);
  });
  const missing = KNOWN_CAPABILITIES.filter((capability) => metricNames(signal, capability).length === 0);
  const none = missing.length > 0 && usual.length > 0 ? [`not on ${missing.join(', ')}`] : [];
  return aligned(signal, [...(usual.length > 0 ? usual : ['none']), ...others, ...none]);
}

/** A name, and beside it other names, several on a line. */
function listLines(title: string, names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of new Set(names)) {
    const last = lines.at(-1);
    if (last === undefined || NAME_WIDTH + last.length + name.length > LINE_WIDTH) lines.push(name);
    else lines[lines.length - 1] = `${last}, ${name}`;
  }
  return aligned(title, lines);
}

/** How a rule is ranked, and which facts it reads. */
function standingLines({ id, kind, priority, requires, uses, bearsOn, symptomOf }: Rule): string[] {
  const limiters = bearsOn.length === EVERY_LIMIT.length ? ['every limiter'] : bearsOn;
  return [
    ...listLines(id, [`${kind}, priority ${priority}`]),
    ...listLines('  bears on', limiters),
    ...listLines('  symptom of', symptomOf),
    ...listLines('  needs', requires.length > 0 ? requires : ['the limiter']),
    ...listLines(
      '  uses',
      uses.filter((name) => !requires.includes(name)),
    ),
  ];
}

const aligned = (name: string, values: readonly string[]): string[] =>
  values.map((value, at) => `${(at === 0 ? name : '').padEnd(NAME_WIDTH)}${value}`);

export function rulesPage(): string {
  const facts = factsRead().filter((name) => !(SIGNALS as readonly string[]).includes(name));
  return [
    INTRODUCTION,
    '## Rules',
    ...RULES.filter((rule) => !isWait(rule) && !isLimit(rule)).map((rule) => ruleSection(rule)),
    '## Rules about waits',
    WAITS,
    ...RULES.filter(isWait).map((rule) => ruleSection(rule, SHARED_BY_WAITS)),
    '## Rules about limits',
    LIMITS,
    ...RULES.filter(isLimit).map((rule) => ruleSection(rule, SHARED_BY_LIMITS)),
    '## Rules at lines',
    'These read the instructions of each line and how often they were executed and sampled: `pawl profile` of a GPU kernel, and `pawl diagnose` with a source page.',
    ruleSection(SLOW_ARITHMETIC),
    '## Rules for CPU kernels',
    'These read the compiled code of a CPU kernel (`objdump`) and its flags, without a profiler. `pawl profile` reports them in `code`, and `pawl advise` ranks them. They do not know how often the code runs, so `math-calls` and `scalar-code` promise half of the most possible.',
    ...CODE_RULES.map((rule) => ruleSection(rule, SHARED_BY_CODE_RULES)),
    '## Standing and facts of each rule',
    'A lower priority is ranked first.',
    block(RULES.flatMap(standingLines)),
    '## Signals',
    'Metrics on compute capability 9.0, best first; then those of capabilities that differ.',
    block(SIGNALS.flatMap(signalLines)),
    '## Facts',
    'Derived from these signals, or from what ncu quotes of them.',
    block(facts.flatMap((fact) => listLines(fact, signalsOf(fact)))),
  ].join('\n\n');
}
