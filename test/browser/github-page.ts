/**
 * A comment as GitHub shows it: Markdown by its own renderer, in a box of the width that a conversation has, with the
 * sizes that its style sheet publishes (primer/css, `markdown-body`): 14 px letters at 1.5, cells with 6 and 13 px
 * around them, code at 85 %, tables that scroll sideways rather than break a word.
 */
import { renderGfm } from '../report/cmark-gfm.ts';

/** The comment's box on a screen of 1280 px and more. */
export const COMMENT_WIDTH = 764;

const STYLE = `
body { margin: 0; background: #fff; color: #1f2328; }
.comment { width: ${COMMENT_WIDTH}px; box-sizing: border-box; padding: 16px; font: 14px/1.5 "Noto Sans", "Liberation Sans", "DejaVu Sans", sans-serif; overflow-wrap: break-word; }
.comment > :first-child { margin-top: 0; }
.comment > :last-child { margin-bottom: 0; }
p, ul, pre, table, details { margin: 0 0 16px; }
ul { padding-left: 2em; }
strong, th { font-weight: 600; }
a { color: #0969da; text-decoration: none; }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-spacing: 0; border-collapse: collapse; }
th, td { padding: 6px 13px; border: 1px solid #d1d9e0; }
tbody tr:nth-child(2n) { background: #f6f8fa; }
code { padding: .2em .4em; background: rgba(129, 139, 152, .12); border-radius: 6px; font: 85% "DejaVu Sans Mono", monospace; white-space: break-spaces; }
pre { padding: 16px; overflow: auto; font: 85%/1.45 "DejaVu Sans Mono", monospace; background: #f6f8fa; border-radius: 6px; }
sub { font-size: 75%; line-height: 0; position: relative; bottom: -.25em; }
summary { cursor: pointer; }
`;

export function githubPage(program: string, markdown: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Comment</title><style>${STYLE}</style><div class="comment">${renderGfm(program, markdown)}</div></html>`;
}
