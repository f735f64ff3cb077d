import { FIGURE_STYLE } from './figure-style.ts';

/**
 * The figures of a profile: after is solid, before is hollow, what limits is marked with ▸, and the segments of
 * stalls are numbered, so that no hue is needed to read them.
 */
export const PROFILE_FIGURE_STYLE = `${FIGURE_STYLE}
.figure {
  --f-after: #1f6fbf; --f-limit: #b3410e; --f-track: #eceeeb; --f-on-segment: #ffffff;
  --f-s1: #0b5cad; --f-s2: #b3410e; --f-s3: #1b7a5a; --f-s4: #7a3e9d; --f-s5: #7d5800; --f-s6: #9c2f63; --f-s7: #56606a;
}
@media screen and (prefers-color-scheme: dark) {
  .figure {
    --f-after: #6db3f8; --f-limit: #ff9a5c; --f-track: #2a3036; --f-on-segment: #14171a;
    --f-s1: #7ab8ff; --f-s2: #ff9e70; --f-s3: #63cfa5; --f-s4: #d3a4f0; --f-s5: #e6c15c; --f-s6: #f59ac0; --f-s7: #a9b4be;
  }
}
.figure .track { fill: var(--f-track); }
.figure .bar-after { fill: var(--f-after); } .figure .bar-limit { fill: var(--f-limit); }
.figure .bar-before { fill: var(--f-panel); stroke: var(--f-base-ink); stroke-width: 1.2; }
.figure text.limit { fill: var(--f-limit); font-weight: 700; } .figure text.value { fill: var(--f-ink); font-weight: 600; }
.figure .segment { stroke: var(--f-panel); stroke-width: 1.5; } .figure text.on-segment { fill: var(--f-on-segment); font-weight: 700; }
.figure .s1 { fill: var(--f-s1); } .figure .s2 { fill: var(--f-s2); } .figure .s3 { fill: var(--f-s3); } .figure .s4 { fill: var(--f-s4); }
.figure .s5 { fill: var(--f-s5); } .figure .s6 { fill: var(--f-s6); } .figure .s7 { fill: var(--f-s7); }
.figure .s0 { fill: var(--f-panel); stroke: var(--f-quiet); stroke-width: 1; stroke-dasharray: 3 2; }
.figure .under-roof { fill: var(--f-after); opacity: 0.07; } .figure .roof { fill: none; stroke: var(--f-ink); stroke-width: 2; stroke-linejoin: round; }
.figure .other-roof { fill: none; stroke: var(--f-quiet); stroke-width: 1.2; stroke-dasharray: 5 4; }
.figure .gap { stroke: var(--f-quiet); stroke-width: 1.2; stroke-dasharray: 2 3; }
.figure .move { stroke: var(--f-ink); stroke-width: 1.6; fill: none; } .figure .move-head { fill: var(--f-ink); }
.figure .point-after { fill: var(--f-limit); stroke: var(--f-panel); stroke-width: 2; } .figure .point-before { fill: var(--f-panel); stroke: var(--f-base-ink); stroke-width: 2.5; }
.figure .point-earlier { fill: var(--f-after); }
.figure text.halo { paint-order: stroke; stroke: var(--f-panel); stroke-width: 4px; stroke-linejoin: round; }
.figure text.small { font-size: 11px; } .figure text.ink { fill: var(--f-ink); }
`;
