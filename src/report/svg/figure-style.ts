/**
 * The look of the figures, on themselves so that a file carries it along: light, and dark where the reader's system
 * is. Baseline and candidate differ in lightness too, and verdicts are written out, so that no hue is needed.
 */
export const FIGURE_STYLE = `
.figure {
  --f-panel: #ffffff; --f-ink: #1d2327; --f-quiet: #667079; --f-line: #e6e8e5; --f-stripe: #f6f7f4;
  --f-base: #8a94a0; --f-base-ink: #5c6670; --f-head: #1f6fbf; --f-warn: #9a6700;
  --f-bad: #c02626; --f-good: #18794e; --f-plain: #5c6670; --f-fresh: #1f6fbf;
  display: block; width: 100%; height: auto;
}
@media screen and (prefers-color-scheme: dark) {
  .figure {
    --f-panel: #1b1f23; --f-ink: #e6e8e6; --f-quiet: #97a1a9; --f-line: #2e343a; --f-stripe: #20252a;
    --f-base: #7b8792; --f-base-ink: #a9b4be; --f-head: #6db3f8; --f-warn: #f0c250;
    --f-bad: #ff8080; --f-good: #5bd195; --f-plain: #a9b4be; --f-fresh: #6db3f8;
  }
}
.figure text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--f-quiet); font-variant-numeric: tabular-nums; }
.figure .name { fill: var(--f-ink); font-size: 13px; } .figure .strong { fill: var(--f-ink); font-weight: 600; }
.figure .paper { fill: var(--f-panel); } .figure .stripe { fill: var(--f-stripe); }
.figure .grid { stroke: var(--f-line); } .figure .axis { stroke: var(--f-quiet); } .figure .zero { stroke: var(--f-ink); }
.figure .threshold { stroke-dasharray: 4 3; } .figure .threshold.slow { stroke: var(--f-bad); } .figure .threshold.fast { stroke: var(--f-good); }
.figure .zone { opacity: 0.07; } .figure .zone.slow { fill: var(--f-bad); } .figure .zone.fast { fill: var(--f-good); }
.figure text.slow { fill: var(--f-bad); } .figure text.fast { fill: var(--f-good); }
.figure .interval { stroke: var(--own); stroke-width: 2.5; stroke-linecap: round; fill: none; } .figure .estimate { fill: var(--own); stroke: var(--f-panel); stroke-width: 1.5; }
.figure text.verdict { fill: var(--own); font-weight: 600; }
.figure .tone-bad { --own: var(--f-bad); } .figure .tone-good { --own: var(--f-good); }
.figure .tone-warn { --own: var(--f-warn); } .figure .tone-plain { --own: var(--f-plain); } .figure .tone-fresh { --own: var(--f-fresh); }
.figure .base { --side: var(--f-base); --side-ink: var(--f-base-ink); } .figure .head { --side: var(--f-head); --side-ink: var(--f-head); }
.figure .hill { fill: var(--side); opacity: 0.35; stroke: none; } .figure .ridge { fill: none; stroke: var(--side); stroke-width: 1.5; }
.figure .dots { stroke: var(--side); stroke-width: 3; stroke-linecap: round; opacity: 0.5; fill: none; }
.figure .tick-mark { stroke: var(--side-ink); stroke-width: 2.5; stroke-linecap: round; }
.figure .level { stroke: var(--side-ink); stroke-width: 1.2; stroke-dasharray: 4 3; fill: none; }
.figure .path { stroke: var(--side); stroke-width: 1.2; fill: none; opacity: 0.7; } .figure .range { stroke: var(--side); stroke-width: 5; opacity: 0.3; stroke-linecap: round; }
.figure .point { fill: var(--side-ink); } .figure text.side { fill: var(--side-ink); font-weight: 600; } .figure text.outside { fill: var(--f-warn); }
`;
