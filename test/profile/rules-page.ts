import {
  KNOWN_CAPABILITIES,
  metricNames,
  SIGNALS,
  type Signal,
} from '../../src/profile/facts/metric-names.ts';
import { CODE_RULES, type CodeRule } from '../../src/profile/cpu/code-rules.ts';
import { SLOW_ARITHMETIC } from '../../src/profile/lines/slow-arithmetic.ts';
import { RULES } from '../../src/profile/rules/index.ts';
import type { Rule } from '../../src/profile/rules/rule.ts';

const INTRODUCTION = `# The rules of diagnosis

What \`pawl diagnose\` looks for in a profile; [diagnose.md](diagnose.md) says how to read its answer.

## From numbers to findings

1. **Signals** are metrics under one name on every device ([list](signals.txt)); **facts** are derived from them ([formulas](../src/profile/facts)). ncu's details page lacks stall, pipe and conflict counters: there, facts come from what ncu's own rules quote. Rules that need a fact that was not collected are skipped, and \`not_collected\` lists the metric.
2. **The limiter** is the busiest unit at 60 % of its peak or more: \`dram\`, \`l2\`, \`l1-shared\`, \`compute\`, \`tensor\` or \`special-function\`. Below that it is \`launch\` if the launch leaves the device idle (fewer blocks than 80 % of the SMs, 10 µs or less, or a quarter of the time lost to the last wave), else \`latency\`. At 80 % or more the kernel is at its limit.
   - It is \`none\` unless memory (overall, or DRAM, L2 and L1), the SMs (overall, or their pipes and issue slots) and the unit that makes either busy were collected; for \`latency\` also the duration and the number of blocks. \`undecided\` says which \`ncu\` line would decide.
   - The L2 counts from 80 % on, or from 70 % with enough warps to fill its queues: on Hopper its figure includes the links between its halves. If DRAM is at 60 % or more and within 15 points of it, DRAM is the limiter.
3. **Rules** fire on their condition, with evidence, a fix and an expected gain: an upper estimate in percent of the kernel's time. A partial gain is in time that other work may hide.
4. **Order**: a broken measurement stands alone. Findings that bear on the limiter come first, then the larger gain (a partial gain counts for four fifths), then the priority. A symptom is dropped if its cause was found and gains at least half as much. At most two waits are listed, and no causes below 2 %. [The rules' source](../src/profile/rules) has what each bears on, is a symptom of and needs.
5. **Left out**: at a limit, everything that does not take work off the limiting unit. Without such a cause \`at-limit\` stands alone, or \`undecided\` if the metrics that would show one were not collected. Occupancy and registers are left out for kernels that use wgmma or TMA: few warps are their design.

How a gain is estimated, and the rule's source (mostly NVIDIA's guides), are in \`pawl diagnose --verbose\`, and in \`pawl://rules\` over [MCP](mcp.md).`;

const WAITS = `Each fires if warps spend more than the given share of their time in one kind of wait, and issue slots are below 80 %. The gain is partial: what could be hidden of the wait, times the share of empty issue slots.`;
const SHARED_BY_WAITS = " of a warp's time, and issue slots below 80 %";

const isWait = ({ kind }: Rule): boolean => kind === 'wait';
const isLimit = ({ id, kind }: Rule): boolean => kind === 'limit' || id === 'at-limit';

/** Markdown reads double underscores as bold. */
const quoteDunders = (text: string): string => text.replaceAll(/(?<!`)\b__\w+?__\b/gu, '`$&`');

type CodeRuleText = typeof SLOW_ARITHMETIC | CodeRule;

function ruleSection(rule: Rule | CodeRuleText): string {
  return [
    `### ${rule.id}`,
    rule.meaning,
    `**Condition**: ${rule.condition.replace(SHARED_BY_WAITS, '')}`,
    `**Fix**: ${quoteDunders(rule.fix)}`,
  ].join('\n\n');
}

const NAME_WIDTH = 30;

const ELAPSED = /\.pct_of_peak_sustained_elapsed$/u;

/** One line for a metric of elapsed cycles and, right after it, the same of active ones. */
function foldedNames(names: readonly string[]): string[] {
  return names.flatMap((name, at) => {
    const active = name.replace(ELAPSED, '.pct_of_peak_sustained_active');
    if (ELAPSED.test(name) && names[at + 1] === active)
      return name.replace(ELAPSED, '.pct_of_peak_sustained_{elapsed,active}');
    const before = names[at - 1];
    return before !== undefined &&
      ELAPSED.test(before) &&
      name === before.replace(ELAPSED, '.pct_of_peak_sustained_active')
      ? []
      : name;
  });
}

/** Capabilities with the same names stand together, and their names below them. */
function signalLines(signal: Signal): string[] {
  const usual = metricNames(signal, '9.0');
  const groups = new Map<string, string[]>();
  for (const capability of KNOWN_CAPABILITIES) {
    const names = metricNames(signal, capability).join();
    if (names === '' || names === usual.join()) continue;
    const group = groups.get(names) ?? [];
    group.push(capability);
    groups.set(names, group);
  }
  const others = [...groups].flatMap(([names, capabilities]) => {
    const folded = foldedNames(names.split(',')).map((name) => `  ${name}`);
    return [`on ${capabilities.join(', ')}:`].concat(folded);
  });
  const having = KNOWN_CAPABILITIES.filter((capability) => metricNames(signal, capability).length > 0);
  const only = having.length < KNOWN_CAPABILITIES.length ? [`only on ${having.join(', ')}`] : [];
  return aligned(signal, [...foldedNames(usual), ...others, ...only]);
}

const aligned = (name: string, values: readonly string[]): string[] =>
  values.map((value, at) => `${(at === 0 ? name : '').padEnd(NAME_WIDTH)}${value}`);

export function rulesPage(): string {
  return [
    INTRODUCTION,
    '## Rules',
    ...RULES.filter((rule) => !isWait(rule) && !isLimit(rule)).map(ruleSection),
    '## Rules about waits',
    WAITS,
    ...RULES.filter(isWait).map(ruleSection),
    '## Rules about limits',
    ...RULES.filter(isLimit).map(ruleSection),
    '## Rules at lines',
    'These read the instructions of each line and how often they were executed and sampled: `pawl profile` of a GPU kernel, and `pawl diagnose` with a source page.',
    ruleSection(SLOW_ARITHMETIC),
    '## Rules for CPU kernels',
    'These read the compiled code of a CPU kernel (`objdump`) and its flags, without a profiler. `pawl profile` reports them in `code`; `pawl advise` ranks them. How often the code runs is not known, so `math-calls` and `scalar-code` promise half of the most possible.',
    ...CODE_RULES.map(ruleSection),
  ].join('\n\n');
}

/** docs/signals.txt. */
export function signalsList(): string {
  return [
    'The signals of `pawl diagnose` and the metrics of ncu that they are read from (docs/rules.md): those of compute',
    'capability 9.0, best first; then those of capabilities that differ.',
    '',
    ...SIGNALS.flatMap(signalLines),
  ].join('\n');
}
