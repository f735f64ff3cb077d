/** The look of the HTML report: one palette for light, one for dark, nothing fetched. */
export const BENCH_STYLE = `
:root {
  color-scheme: light dark;
  --page: #fbfbf9; --panel: #ffffff; --ink: #1d2327; --quiet: #5c6670; --line: #e3e5e2; --stripe: #f5f6f3;
  --dot: #2b6cb0; --hill: #cfdcea; --median: #c2410c; --band: #f3c9a8; --good: #18794e; --bad: #c02626; --warn: #9a6700;
  --warn-bg: #fff7e0; --bad-bg: #fdecec;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #14171a; --panel: #1b1f23; --ink: #e6e8e6; --quiet: #97a1a9; --line: #2e343a; --stripe: #20252a;
    --dot: #7db4ec; --hill: #2c4258; --median: #ff9a5c; --band: #5b3a22; --good: #5bd195; --bad: #ff8080; --warn: #f0c250;
    --warn-bg: #2b2512; --bad-bg: #331a1a;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1320px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; letter-spacing: -0.01em; }
h2 { font-size: 19px; margin: 44px 0 4px; }
h2 small { font-weight: 400; color: var(--quiet); font-size: 15px; }
h3 { font-size: 15px; margin: 0; }
p { margin: 4px 0; }
code { font: 13px/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.facts { color: var(--quiet); margin: 0 0 8px; }
.facts b { color: var(--ink); font-weight: 600; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; }
.table { overflow-x: auto; margin-top: 12px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 10px; font-size: 14px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
tr:last-child > td { border-bottom: 0; }
th { font-size: 12px; font-weight: 500; color: var(--quiet); white-space: normal; vertical-align: bottom; }
.table.many th, .table.many td { padding: 6px 5px; font-size: 13px; } .table.many th { font-size: 11px; } .table.many td { white-space: normal; }
th.left, td.left { text-align: left; }
td.headline { font-weight: 650; }
td.noisy { color: var(--warn); font-weight: 600; }
.passed { color: var(--good); } .failed { color: var(--bad); font-weight: 600; } .not-checked { color: var(--quiet); }
.mini { display: block; } .mini path { fill: var(--dot); }
figure { margin: 14px 0 0; padding: 16px 18px 8px; }
figcaption { display: flex; flex-wrap: wrap; gap: 2px 16px; align-items: baseline; }
.strip { display: block; width: 100%; height: auto; margin-top: 6px; }
.strip text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--quiet); font-variant-numeric: tabular-nums; }
.strip .value { fill: var(--ink); font-weight: 600; }
.strip .grid { stroke: var(--line); } .strip .axis { stroke: var(--quiet); }
.strip .row { fill: var(--stripe); opacity: 0.7; }
.strip .hill { fill: var(--hill); }
.strip .band { fill: var(--band); opacity: 0.55; }
.strip .centre { stroke: var(--median); stroke-width: 1; stroke-dasharray: 3 3; }
.strip .median { stroke: var(--median); stroke-width: 2.5; stroke-linecap: round; }
.strip .dots { stroke: var(--dot); stroke-width: 3.4; stroke-linecap: round; opacity: 0.5; fill: none; }
.strip .outside { fill: var(--warn); }
ul.notices { list-style: none; margin: 12px 0 0; padding: 0; display: grid; gap: 3px; }
.notices li { background: var(--warn-bg); border-left: 3px solid var(--warn); padding: 4px 14px; font-size: 14px; line-height: 1.4; }
.notices li.bad { background: var(--bad-bg); border-left-color: var(--bad); }
pre { margin: 8px 0 2px; padding: 8px 12px; background: var(--page); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 0 24px; margin: 12px 0 0; padding: 8px 18px; }
dl div { display: flex; gap: 12px; padding: 5px 0; border-bottom: 1px solid var(--line); }
dt { color: var(--quiet); flex: 0 0 130px; } dd { margin: 0; overflow-wrap: anywhere; }
caption { text-align: left; font-size: 13px; color: var(--quiet); } tr.worst td { color: var(--bad); font-weight: 600; } li .table table { width: auto; }
details { margin-top: 10px; } summary { cursor: pointer; color: var(--quiet); }
@media screen and (max-width: 640px) {
  main { padding: 20px 12px 48px; }
  dl { grid-template-columns: minmax(0, 1fr); }
  dt { flex-basis: 110px; } dd { min-width: 0; }
  .table { overflow-x: visible; }
  .table table, .table tbody, .table tr, .table caption { display: block; }
  .table thead { display: none; }
  .table tr { padding: 8px 12px; border-bottom: 1px solid var(--line); }
  .table tr:last-child { border-bottom: 0; }
  .table td { display: flex; gap: 12px; justify-content: space-between; padding: 2px 0; border: 0; white-space: normal; overflow-wrap: anywhere; min-width: 0; }
  .table td::before { content: attr(data-name); flex: 0 0 40%; color: var(--quiet); font-weight: 400; text-align: left; overflow-wrap: anywhere; }
  .table td:empty { display: none; }
}
@page { size: A4 landscape; margin: 12mm; }
@media print {
  main { max-width: none; padding: 0; } figure, tr { break-inside: avoid; }
  .table { overflow: visible; }
  th, td { padding: 3px 5px; font-size: 10px; white-space: normal; overflow-wrap: anywhere; }
}
`;
