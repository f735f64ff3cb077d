import { changePct } from '../../model/text/change-pct.ts';
import type { FoundSide, SideCase, SidesComparison } from '../../model/history/sides-comparison.ts';
import { VERDICTS_BY_URGENCY } from '../../model/judge/verdict.ts';
import { counted } from './comparison-text.ts';

interface CommitWords {
  readonly subject?: string | undefined;
  readonly author?: string | undefined;
  readonly pull_request?: number | undefined;
}

/** What a side is, in the order of what tells most: `topic`, `4f2a91c03b on NVIDIA H200 with driver 580.65`. */
export function sideText({ commit, branch, device, driver }: FoundSide): string {
  const revision =
    commit === undefined ? branch : /^[0-9a-f]{12,}$/u.test(commit) ? commit.slice(0, 10) : commit;
  const parts = [
    revision ?? '',
    device === undefined ? '' : revision === undefined ? device : `on ${device}`,
    driver === undefined
      ? ''
      : revision === undefined && device === undefined
        ? `driver ${driver}`
        : `with driver ${driver}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** What is known of a commit, after its hash: `Load keys in two steps · Ada · #12`; empty where nothing is. */
export function commitText({ subject, author, pull_request }: CommitWords): string {
  const number = pull_request === undefined ? '' : `#${pull_request}`;
  const parts = [subject, author, subject?.endsWith(`(${number})`) === true ? '' : number];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Why a case has no verdict; empty where it has one. */
export function unjudgedText({ a, b, verdict }: SideCase): string {
  if (verdict !== undefined) return '';
  if (b === undefined) return 'only A has it';
  if (a === undefined) return 'only B has it';
  return 'no verdict: retention removed the samples';
}

/** The difference of the levels, where no verdict can be had: it is none. */
export function plainChangePct({ a, b, verdict }: SideCase): number | undefined {
  if (verdict !== undefined || a?.level_ms === undefined || b?.level_ms === undefined) return undefined;
  return changePct(a.level_ms, b.level_ms);
}

/** `3 regressed, 1 improved, 120 maintained, 2 not judged` */
export function sidesCounts({ cases }: Pick<SidesComparison, 'cases'>): string {
  const byVerdict = VERDICTS_BY_URGENCY.map(
    (verdict) => [cases.filter((one) => one.verdict === verdict).length, verdict] as const,
  );
  const unjudged = cases.filter(({ verdict }) => verdict === undefined).length;
  return [...byVerdict, [unjudged, 'not judged'] as const]
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

/** What two sides are called together, over their cases. */
export function sidesHeadline(found: SidesComparison): string {
  return `${sideText(found.b)} against ${sideText(found.a)}: ${counted(found.cases.length, 'case')}`;
}
