/** The words of a profile's one-pager, which its page, its picture and its Markdown share. */
import type { Finding } from '../../model/profile/diagnosis.ts';
import type { ProfilePage } from '../../model/profile/profile-page.ts';
import { LIMITED_BY } from './limiter-text.ts';
import { plainText } from './plain-text.ts';
import { formatTime } from './signal-text.ts';
import { formatPercent } from './units.ts';

const NS_PER_US = 1000;

/** `void ns::softmax<float, 4>(const float *)` → `ns::softmax`; what does not look like that stays whole. */
export function shortName(name: string): string {
  const plain = plainText(name).replaceAll(/\(anonymous namespace\)::|<unnamed>::/gu, '');
  const [head = ''] = plain.replace(/^(?:static |inline |void )+/u, '').split(/[<(]/u);
  return head.trim() === '' ? plain : head.trim();
}

/** One sentence that says it all. */
export function verdictSentence({ comparison, after: { diagnosis } }: ProfilePage): string {
  if (comparison !== undefined) return comparison.summary;
  const [first] = diagnosis.findings;
  if (first !== undefined) return first.diagnosis;
  if (diagnosis.undecided !== undefined)
    return `What limits the kernel is not decided: ${diagnosis.undecided.why}.`;
  const limit = LIMITED_BY[diagnosis.limiter];
  return `${limit.charAt(0).toUpperCase()}${limit.slice(1)}; no rule found anything to fix.`;
}

type Tone = 'good' | 'bad' | 'plain';

/** Beside the sentence: how the time moved, or how things stand. */
export function verdictTone({ comparison, after: { diagnosis } }: ProfilePage): Tone {
  if (comparison?.change_pct !== undefined) {
    if (Math.abs(comparison.change_pct) < NOISE_PCT) return 'plain';
    return comparison.change_pct > 0 ? 'good' : 'bad';
  }
  const [first] = diagnosis.findings;
  if (first === undefined) return 'plain';
  return first.rule === 'at-limit' ? 'good' : 'bad';
}

/** What two captures of the same binary differ by; as the sentence has it. */
const NOISE_PCT = 2;

/** Time, limit and device: what stands below the sentence. */
export function verdictFacts(page: ProfilePage): readonly string[] {
  const device = page.provenance.find(({ name }) => name === 'device')?.value;
  return [durationText(page), LIMITED_BY[page.after.diagnosis.limiter], device].filter(
    (fact) => fact !== undefined,
  );
}

/** `124.74 µs → 329.44 µs` */
function durationText({ before, after }: ProfilePage): string | undefined {
  const [was, is] = [before?.diagnosis.duration_us, after.diagnosis.duration_us];
  if (is === undefined) return undefined;
  const now = formatTime(is * NS_PER_US);
  return was === undefined ? now : `${formatTime(was * NS_PER_US)} → ${now}`;
}

export function gainText({ expected_gain_pct: pct }: Finding): string | undefined {
  return pct > 0 ? `up to ${formatPercent(pct)} % of the time` : undefined;
}

/** What became of a finding between two profiles. */
export function findingFate({ comparison }: ProfilePage, { rule }: Finding): string | undefined {
  if (comparison?.appeared.includes(rule) === true) return 'new';
  return comparison?.persisted.includes(rule) === true ? 'was there before' : undefined;
}
