import type { VNode } from 'preact';

import type { ProfilePage, StallBreakdown } from '../../model/profile/profile-page.ts';
import { truncate } from '../text/plain-text.ts';
import type { Figure } from './figure.tsx';
import { svgRect, svgText } from './figure.tsx';
import { PANEL_WIDTH } from './percent-bars.ts';
import { linearScale } from './scale.ts';

/** What ncu's words mean (Nsight Compute Profiling Guide, Warp Stall Reasons). */
const WORDS: Readonly<Record<string, string>> = {
  long_scoreboard: 'global or local memory',
  short_scoreboard: 'shared memory, special fn.',
  mio_throttle: 'shared/special-fn. queue full',
  lg_throttle: 'global-memory queue full',
  tex_throttle: 'texture queue full',
  barrier: 'other warps at a barrier',
  wait: 'fixed latency',
  math_pipe_throttle: 'arithmetic pipe busy',
  not_selected: 'ready, another went first',
  selected: 'issuing: not a stall',
  drain: 'stores at the end',
  dispatch_stall: 'dispatcher held back',
  branch_resolving: 'branch target',
  imc_miss: 'constant cache miss',
  no_instruction: 'instruction fetch',
  gmma: 'matrix unit (wgmma)',
  membar: 'memory fence',
  sleeping: 'asleep',
  misc: 'miscellaneous',
};

/** More segments than this cannot be told apart; a smaller share than this cannot be seen. */
const MOST_REASONS = 6;
const LEAST_PCT = 2;

const BAR = 30;
const ROW = 22;
/** Room for a digit. */
const NUMBERED_WIDTH = 16;

interface Reason {
  /** `others` are small reasons together; `unknown` is what the profile does not break down. */
  readonly kind: 'reason' | 'others' | 'unknown';
  readonly name: string;
  readonly words: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** Where a warp's cycles between two instructions go: the largest first, small ones together. */
export function stallBars({ before, after }: ProfilePage): Figure {
  const reasons = shownReasons(after.stalls, before?.stalls);
  const isCompared = before !== undefined;
  const bars = isCompared ? 2 : 1;
  const rowsTop = bars * (BAR + 8) + 10;
  const left = isCompared ? 52 : 0;
  const body =
    reasons.length === 0
      ? svgText(0, 20, 'not collected: ncu has them in the section WarpStateStats')
      : [
          isCompared && [
            svgText(0, 20, 'before', 'small'),
            svgText(0, 20 + BAR + 8, 'after', 'small'),
            stackedBar(reasons, 'before', left, 0),
          ],
          stackedBar(reasons, 'after', left, (bars - 1) * (BAR + 8)),
          reasons.map((reason, index) => legendRow(reason, index, rowsTop + index * ROW, isCompared)),
        ];
  const said = reasons.flatMap(({ name, after: pct }) =>
    pct === undefined ? [] : `${name} ${pct.toFixed(1)} %`,
  );
  return {
    width: PANEL_WIDTH,
    height: reasons.length === 0 ? 30 : rowsTop + reasons.length * ROW + 4,
    label: `Where warps spend their cycles: ${said.length === 0 ? 'not collected' : said.join(', ')}`,
    body,
  };
}

function shownReasons(is: StallBreakdown | undefined, was: StallBreakdown | undefined): readonly Reason[] {
  const share = (of: StallBreakdown | undefined, reason: string): number | undefined =>
    of === undefined ? undefined : of.shares.find((one) => one.reason === reason)?.pct;
  const names = [...new Set([...(is?.shares ?? []), ...(was?.shares ?? [])].map(({ reason }) => reason))];
  const all = names.map((name) => ({
    kind: 'reason' as const,
    name,
    words: Object.hasOwn(WORDS, name) ? (WORDS[name] ?? '') : '',
    // A reason that a whole breakdown does not name had no share.
    before: share(was, name) ?? (was?.isWhole === true ? 0 : undefined),
    after: share(is, name) ?? (is?.isWhole === true ? 0 : undefined),
  }));
  const largest = ({ before = 0, after = 0 }: Reason): number => Math.max(before, after);
  const shown = all
    .filter((reason) => largest(reason) >= LEAST_PCT)
    .toSorted((one, other) => largest(other) - largest(one))
    .slice(0, MOST_REASONS)
    .toSorted((one, other) => (other.after ?? 0) - (one.after ?? 0) || largest(other) - largest(one));
  const total = (of: StallBreakdown | undefined, side: 'before' | 'after'): number | undefined =>
    of === undefined ? undefined : Math.max(0, 100 - shown.reduce((sum, one) => sum + (one[side] ?? 0), 0));
  const rest = { before: total(was, 'before'), after: total(is, 'after') };
  if (shown.length === 0 || (rest.before ?? 0) + (rest.after ?? 0) < 0.05) return shown;
  const isWhole = (is?.isWhole ?? true) && (was?.isWhole ?? true);
  const last = isWhole
    ? { kind: 'others' as const, name: 'all others' }
    : { kind: 'unknown' as const, name: 'not broken down' };
  return [...shown, { ...last, words: '', ...rest }];
}

const kindOf = ({ kind }: Reason, index: number): string =>
  kind === 'unknown' ? 's0' : `s${kind === 'others' ? 7 : index + 1}`;
const numberOf = ({ kind }: Reason, index: number): string => (kind === 'reason' ? String(index + 1) : '…');

function stackedBar(reasons: readonly Reason[], side: 'before' | 'after', left: number, y: number) {
  const x = linearScale([0, 100], [left, PANEL_WIDTH]);
  let from = 0;
  return reasons.map((reason, index) => {
    const pct = Math.min(reason[side] ?? 0, 100 - from);
    const [start, end] = [x(from), x(from + pct)];
    from += pct;
    if (end - start < 0.2) return undefined;
    const kind = kindOf(reason, index);
    const look = kind === 's0' ? '' : 'on-segment';
    return (
      <g>
        <title>{`${reason.name}: ${pct.toFixed(1)} %`}</title>
        {svgRect(start, y, end - start, BAR, `segment ${kind}`)}
        {end - start >= NUMBERED_WIDTH &&
          svgText((start + end) / 2, y + 20, numberOf(reason, index), look, 'middle')}
      </g>
    );
  });
}

function legendRow(reason: Reason, index: number, y: number, isCompared: boolean): VNode[] {
  const kind = kindOf(reason, index);
  const one = (pct: number | undefined): string => (pct === undefined ? 'n/a' : pct.toFixed(1));
  const value = isCompared ? `${one(reason.before)} → ${one(reason.after)} %` : `${one(reason.after)} %`;
  const name = truncate(reason.name, 20);
  return [
    svgRect(0, y, 17, 17, kind),
    svgText(8.5, y + 13, numberOf(reason, index), kind === 's0' ? 'small' : 'on-segment small', 'middle'),
    // Two values leave room for one name: the one that explains itself.
    ...(isCompared && reason.words !== ''
      ? [svgText(26, y + 13, reason.words, 'name')]
      : [svgText(26, y + 13, name, 'name'), svgText(160, y + 13, isCompared ? '' : reason.words, 'small')]),
    svgText(PANEL_WIDTH, y + 13, value, 'value', 'end'),
  ];
}
