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
import type { Rule } from '../../src/profile/rules/rule.ts';

const INTRODUCTION = `# The rules of diagnosis

\`pawl diagnose\` holds these rules against a profile ([how to read the answer](diagnose.md)). This page is written from the rules themselves: \`UPDATE_RULES=1 npx vitest run test/profile/rules-page.test.ts\`.

## From numbers to findings

1. **Signals** are metrics under one name, whatever ncu calls them on a device ([below](#signals)). **Facts** are derived from them. On the details page, which prints no stall, pipe or conflict counters, facts come from the numbers that ncu's own rules quote. A fact that was not collected is unknown, never zero: a rule that needs it is not evaluated, and the metric stands in \`not_collected\`.
2. **The limiter** is the busiest unit from 60 % of its peak on: \`dram\`, \`l2\`, \`l1-shared\`, \`compute\`, \`tensor\` or \`special-function\`. Below that it is \`launch\` where the launch leaves the device idle (fewer blocks than 80 % of the SMs, 10 µs or less, a quarter of the time lost to the last wave), else \`latency\`. **It is named only where everything that it has to be compared with was collected**: memory (overall, or DRAM, L2 and L1) and the SMs (overall, or their pipes and issue slots); the unit that makes a busy side busy; for \`latency\`, also the duration and whether the blocks fill the SMs. Where that is missing the limiter is \`none\`, and \`undecided\` says why, which metrics would decide, and the \`ncu\` line that collects them; facts that stand for themselves (uncoalesced accesses, conflicts, spills, idle SMs) are still found. From 80 % on the kernel is at its limit. The L2 counts from 80 % on, or from 70 % with warps enough to fill its queues: on Hopper its figure includes the links between its halves. What keeps it busy while DRAM is at 60 % and as high within 15 points is DRAM's.
3. **Rules** fire on their condition, with evidence, a fix and an expected gain: percent of the kernel's time, estimated from the evidence and bounded by it. Gains of different findings do not add up.
4. **Order**: a broken measurement stands alone. What bears on the limiter comes first, then the larger gain (a gain in a part of the time that may be hidden counts for four fifths), then the priority. A symptom is dropped where its cause was found and would gain at least half as much. At most two waits are listed. Causes below 2 % are not.
5. **Left out**: at a limit, everything that does not take work off the limiting unit, waits and occupancy first; without such a cause, \`at-limit\` stands alone, if the metrics that would show such causes were collected: else the limit is said and the question is left open (\`undecided\`). Occupancy and registers for kernels that use wgmma or TMA, and occupancy for matrix kernels with two blocks on an SM: few warps are their design.

What common thresholds get wrong is put right here: an L2 hit rate below 80 % is no fault of a stream that is read once; SM utilisation below 60 % is none of a kernel that is limited by memory; coalescing below 80 % counts by the excess sectors, of which a broadcast has none; bank conflicts count from 10 % of the passes on; the last wave costs its empty part only.
`;

/** Markdown reads double underscores as bold. */
const quoteDunders = (text: string): string => text.replaceAll(/(?<!`)\b__\w+?__\b/gu, '`$&`');

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function ruleSection(rule: Rule): string {
  const {
    id,
    priority,
    kind,
    meaning,
    condition,
    requires,
    uses,
    fix,
    gainBasis,
    scope,
    symptomOf,
    bearsOn,
    source,
  } = rule;
  const beside = [...new Set(uses)].filter((name) => !requires.includes(name));
  return [
    `### ${id}`,
    meaning,
    [
      `- **Condition**: ${condition}`,
      `- **Evidence**: ${requires.length > 0 ? `needs ${code(requires)}` : 'needs the limiter only'}${beside.length > 0 ? `; uses ${code(beside)}` : ''}.`,
      `- **Fix**: ${quoteDunders(fix)}`,
      `- **Gain**${scope === 'local' ? ' (of a part of the time)' : ''}: ${gainBasis}`,
      `- **Standing**: ${kind}, priority ${priority}${bearsOn.length > 0 ? `; bears on ${code(bearsOn)}` : ''}${symptomOf.length > 0 ? `; a symptom of ${code(symptomOf)}` : ''}.`,
      `- **Source**: ${source}`,
    ].join('\n'),
  ].join('\n\n');
}

type CodeRuleText = typeof SLOW_ARITHMETIC | CodeRule;

function codeRuleSection({ id, meaning, condition, fix, gainBasis, priority, source }: CodeRuleText): string {
  return [
    `### ${id}`,
    meaning,
    [
      `- **Condition**: ${condition}`,
      `- **Fix**: ${quoteDunders(fix)}`,
      `- **Gain**: ${gainBasis}`,
      `- **Standing**: priority ${priority}.`,
      `- **Source**: ${source}`,
    ].join('\n'),
  ].join('\n\n');
}

function signalLine(signal: Signal): string {
  const usual = metricNames(signal, '9.0');
  const others = KNOWN_CAPABILITIES.filter(
    (capability) => metricNames(signal, capability).join() !== usual.join(),
  ).map((capability) => `${capability}: ${code(metricNames(signal, capability)) || 'none'}`);
  return `- \`${signal}\`: ${code(usual) || 'none'}${others.length > 0 ? ` (${others.join('; ')})` : ''}`;
}

function factLine(fact: string, signals: readonly Signal[]): string {
  return `- \`${fact}\`: ${code([...new Set(signals)])}`;
}

export function rulesPage(): string {
  const facts = factsRead().filter((name) => !(SIGNALS as readonly string[]).includes(name));
  return [
    INTRODUCTION,
    '## Rules',
    ...RULES.map(ruleSection),
    '## Rules at lines',
    'These read the instructions of each line, with how often they were executed and sampled: `pawl profile` of a GPU kernel, and `pawl diagnose` of an export with its source page.',
    codeRuleSection(SLOW_ARITHMETIC),
    '## Rules for CPU kernels',
    'These read the compiled code of a CPU kernel (`objdump`) and its flags. They need no profiler and run nothing: `pawl profile` gives them in `code`, with counters or without, and `pawl advise` ranks them.',
    ...CODE_RULES.map(codeRuleSection),
    '## Signals',
    'On compute capability 9.0, best name first; where another capability differs, in brackets.',
    SIGNALS.map(signalLine).join('\n'),
    '## Facts',
    'Derived from these signals, or from what ncu quotes of them.',
    facts.map((fact) => factLine(fact, signalsOf(fact))).join('\n'),
  ].join('\n\n');
}
