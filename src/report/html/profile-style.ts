import { BENCH_STYLE } from './bench-style.ts';
import { PROFILE_FIGURE_STYLE } from '../svg/profile-figure-style.ts';

/** The look of the profile page: that of the bench page. On paper the picture part takes the first page. */
export const PROFILE_STYLE = `${BENCH_STYLE}${PROFILE_FIGURE_STYLE}
main { max-width: 1040px; }
article + article { border-top: 3px solid var(--line); margin-top: 56px; padding-top: 40px; }
.tone-good { --tone: var(--good); } .tone-bad { --tone: var(--bad); } .tone-plain { --tone: var(--quiet); }
.verdict { background: var(--panel); border: 1px solid var(--line); border-left: 6px solid var(--tone); border-radius: 10px; padding: 16px 20px; }
.verdict h1, .verdict h2 { font: 600 15px/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; margin: 0; color: var(--quiet); overflow-wrap: anywhere; letter-spacing: 0; }
.verdict .sentence { font-size: 22px; line-height: 1.3; font-weight: 650; margin: 6px 0 8px; overflow-wrap: anywhere; }
.verdict .facts { margin: 0; }
.signature { margin: 8px 2px 0; font-size: 13px; }
.panels { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px; margin-top: 14px; }
.panels figure { margin: 0; padding: 14px 18px 12px; min-width: 0; }
.panels figcaption { justify-content: space-between; margin-bottom: 10px; } .panels h3 { font-size: 16px; }
.panels figcaption span { color: var(--quiet); font-size: 13px; }
.basis { font-size: 12.5px; margin: 10px 2px 0; }
.finding { padding: 14px 18px; margin-top: 12px; break-inside: avoid; }
.finding header { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; justify-content: space-between; }
.finding h3 { font-size: 16px; } .finding .gain { font-weight: 600; }
.finding .fate { font-weight: 400; color: var(--quiet); font-size: 13px; }
.finding .fix { margin-top: 8px; padding-left: 14px; border-left: 3px solid var(--good); }
.finding .said { font-size: 12.5px; margin-top: 10px; }
.evidence { width: auto; max-width: 100%; margin-top: 10px; } .evidence td, .evidence th { padding: 3px 12px 3px 0; font-size: 13px; border: 0; white-space: normal; }
.evidence th { text-align: left; font-weight: 400; overflow-wrap: anywhere; } .evidence td { font-weight: 600; white-space: nowrap; }
td.better { color: var(--good); font-weight: 600; } td.worse { color: var(--bad); font-weight: 600; } td.moved { color: var(--quiet); }
code.code { display: block; white-space: pre-wrap; overflow-wrap: anywhere; } .lines .why { display: block; font-size: 12.5px; }
.lines td { vertical-align: top; } .lines details { margin-top: 4px; } .lines table.code { width: auto; } .lines table.code td { padding: 1px 10px 1px 0; border: 0; font-size: 12.5px; }
.finding .at { margin-top: 6px; overflow-wrap: anywhere; }
.changes { padding: 10px 18px; margin-top: 12px; } .changes dt { flex-basis: 100px; }
.metrics { font-size: 12.5px; columns: 2 300px; padding-left: 18px; } .metrics li { overflow-wrap: anywhere; break-inside: avoid; }
@media screen and (max-width: 760px) {
  main { padding: 16px 12px 40px; } .panels { grid-template-columns: minmax(0, 1fr); } .panels figure { padding: 12px 12px 10px; }
  .verdict { padding: 12px 14px; } .verdict .sentence { font-size: 19px; } dl { grid-template-columns: minmax(0, 1fr); padding: 8px 14px; } dt { flex-basis: 110px; }
  th, td { padding: 5px 6px; font-size: 12.5px; white-space: normal; } td.left { overflow-wrap: anywhere; }
}
@page { size: A4 portrait; margin: 12mm; }
@media print {
  :root { color-scheme: light; }
  body { background: none; font-size: 12px; } .picture { break-inside: avoid; break-after: avoid; } .panel { break-inside: avoid; }
  .panels { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; } .verdict .sentence { font-size: 18px; } h2 { margin-top: 22px; break-after: avoid; }
  article + article { break-before: page; border: 0; margin: 0; padding: 0; } .table { overflow: visible; break-inside: auto; } tr { break-inside: avoid; }
}
`;
