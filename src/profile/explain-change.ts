/** The likely cause of a change in time, in one sentence. */
import type { Finding, KernelDiagnosis } from '../model/profile/diagnosis.ts';
import type { FactName, FactReader } from './facts/derivation.ts';
import { moveSize, NOISE_PCT } from '../model/profile/moved-signals.ts';
import { ruleById } from './rules/index.ts';

interface Change {
  readonly was: KernelDiagnosis;
  readonly is: KernelDiagnosis;
  readonly wasFacts: FactReader;
  readonly isFacts: FactReader;
  /** Of the duration; positive is faster. */
  readonly changePct: number | undefined;
}

/** A finding whose gain moves by less tells no story. */
const TELLING_GAIN_PCT = 3;

export function explainChange(change: Change): string {
  const { changePct } = change;
  if (changePct === undefined)
    return 'The change in time is unknown: the duration was not collected in both profiles.';
  if (Math.abs(changePct) < NOISE_PCT) {
    const beside = findingStory(change, true) ?? findingStory(change, false);
    return `No change in time beyond noise (${signed(changePct)} %)${beside === undefined ? '' : `, although ${beside}`}.`;
  }
  const how = changePct < 0 ? `${round(-changePct)} % slower` : `${round(changePct)} % faster`;
  const cause = clockStory(change) ?? findingStory(change) ?? signalStory(change);
  return `${how}: ${cause ?? 'no metric that was collected in both explains it'}.`;
}

/** The same cycles at another clock are the same work. */
function clockStory({ wasFacts, isFacts, changePct = 0 }: Change): string | undefined {
  const [wasHz, isHz] = [wasFacts.have('sm_clock_hz'), isFacts.have('sm_clock_hz')];
  const [wasCycles, isCycles] = [wasFacts.have('sm_elapsed_cycles'), isFacts.have('sm_elapsed_cycles')];
  if (wasHz === undefined || isHz === undefined || wasCycles === undefined || isCycles === undefined)
    return undefined;
  const isSameWork = moveSize('sm_elapsed_cycles', wasCycles, isCycles) === 0;
  if (!isSameWork || moveSize('sm_clock_hz', wasHz, isHz) === 0 || isHz > wasHz !== changePct > 0)
    return undefined;
  return `the SM clock went from ${round(wasHz / 1e6)} to ${round(isHz / 1e6)} MHz for the same number of cycles`;
}

/** Slower: what appeared or grew. Faster: what vanished or shrank. The one that matters most. */
function findingStory(change: Change, isSlower = (change.changePct ?? 0) < 0): string | undefined {
  const [here, there] = isSlower ? [change.is, change.was] : [change.was, change.is];
  const gainIn = ({ findings }: KernelDiagnosis, { rule }: Finding): number =>
    findings.find((finding) => finding.rule === rule)?.expected_gain_pct ?? 0;
  const telling = here.findings
    .filter(({ rule }) => ['cause', 'wait'].includes(ruleById(rule).kind))
    .map((finding) => ({ finding, grewPct: gainIn(here, finding) - gainIn(there, finding) }))
    .filter(({ grewPct }) => grewPct >= TELLING_GAIN_PCT)
    .toSorted((one, other) => other.grewPct - one.grewPct);
  for (const { finding } of telling) {
    const { headline } = ruleById(finding.rule);
    const story = headline && moveStory(change, headline.fact, headline.subject, headline.unit);
    if (story !== undefined) return story;
  }
  const [first] = telling;
  return first && `${first.finding.rule} ${isSlower ? 'appeared' : 'vanished'}`;
}

/** Where no finding moved: the amounts of work, and how the device was filled. */
const AMOUNTS: readonly (readonly [fact: FactName, subject: string, unit: string, moreIsSlower: boolean])[] =
  [
    ['inst_executed', 'executed instructions', '', true],
    ['dram_bytes', 'bytes moved to and from DRAM', '', true],
    ['all_global_sectors', 'sectors of global accesses', '', true],
    ['l1_hit_pct', 'the L1 hit rate', ' %', false],
    ['l2_hit_pct', 'the L2 hit rate', ' %', false],
    ['occupancy_pct', 'achieved occupancy', ' %', false],
    ['matrix_pct', 'the load of the tensor cores', ' %', false],
    ['issue_pct', 'the share of issue slots used', ' %', false],
    ['dram_pct', 'the load of DRAM', ' %', false],
  ];

function signalStory(change: Change): string | undefined {
  const isSlower = (change.changePct ?? 0) < 0;
  const sizes = AMOUNTS.map(([fact, subject, unit, moreIsSlower]) => {
    const [was, is] = [change.wasFacts.have(fact), change.isFacts.have(fact)];
    const fits = was !== undefined && is !== undefined && is > was === (moreIsSlower === isSlower);
    return { fact, subject, unit, size: fits ? moveSize(fact, was, is) : 0 };
  });
  // In the order of the list: more work explains a change in time better than how busy a unit was.
  const largest = sizes.reduce<(typeof sizes)[number] | undefined>(
    (top, one) => (one.size > (top?.size ?? 0) * 1.5 ? one : top),
    undefined,
  );
  return largest && largest.size > 0
    ? moveStory(change, largest.fact, largest.subject, largest.unit)
    : undefined;
}

function moveStory(change: Change, fact: FactName, subject: string, unit: string): string | undefined {
  const [was, is] = [change.wasFacts.have(fact), change.isFacts.have(fact)];
  if (was === undefined || is === undefined || moveSize(fact, was, is) === 0) return undefined;
  return `${subject} ${is > was ? 'rose' : 'fell'} from ${round(was)} to ${round(is)}${unit}`;
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${round(value)}`;

/** As few digits as tell the story. */
function round(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${Number((value / 1e9).toPrecision(3))} G`;
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`;
  if (size >= 10) return String(Math.round(value));
  return String(Math.round(value * 10) / 10);
}
