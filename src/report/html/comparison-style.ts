import { BENCH_STYLE } from './bench-style.ts';
import { FIGURE_STYLE } from '../svg/figure-style.ts';

/** The look of the comparison page: that of the bench page, with the tones of verdicts. */
export const COMPARISON_STYLE = `${BENCH_STYLE}${FIGURE_STYLE}
.tone-bad { --tone: var(--bad); --tone-bg: var(--bad-bg); }
.tone-warn { --tone: var(--warn); --tone-bg: var(--warn-bg); }
.tone-good { --tone: var(--good); --tone-bg: color-mix(in srgb, var(--good) 10%, var(--panel)); }
.tone-plain, .tone-fresh { --tone: var(--quiet); --tone-bg: var(--panel); }
.banner { background: var(--tone-bg); border: 1px solid var(--tone); border-left-width: 6px; border-radius: 10px; padding: 16px 20px; margin: 0 0 14px; }
.banner h1 { color: var(--tone); margin: 0; } .banner p { font-size: 17px; margin: 2px 0 0; }
.chip { color: var(--tone); font-weight: 600; white-space: nowrap; }
.counts { display: flex; flex-wrap: wrap; gap: 8px; list-style: none; padding: 0; margin: 14px 0 0; }
.counts li { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 4px 14px; color: var(--quiet); }
.counts b { color: var(--tone, var(--ink)); font-size: 18px; margin-right: 6px; font-variant-numeric: tabular-nums; }
ul.reasons { list-style: none; margin: 12px 0 0; padding: 0; display: grid; gap: 6px; }
.reasons li { background: var(--panel); border: 1px solid var(--line); border-left: 4px solid var(--tone); border-radius: 6px; padding: 8px 14px; }
.notices li.note { background: none; border-left-color: var(--line); color: var(--quiet); }
figcaption + .figure, .figure + .figure { margin-top: 10px; }
dl.steps { display: block; } dl.steps div { display: block; } dl.steps dt { color: var(--quiet); } dl.steps dd code { user-select: all; }
h1, h2, h3, .banner p, .facts, .reasons li, .notices li { overflow-wrap: anywhere; }
td.case { font-weight: 600; white-space: normal; overflow-wrap: anywhere; min-width: 130px; }
`;
