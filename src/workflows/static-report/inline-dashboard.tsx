import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { packageRoot } from '../../build/package-root.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { markup } from '../../report/markup.tsx';

const SCRIPT = /<script type="module"[^>]* src="\.\/(assets\/[\w.-]+\.js)"><\/script>/u;
const STYLE = /<link rel="stylesheet"[^>]* href="\.\/(assets\/[\w.-]+\.css)">/u;

/** The dashboard's files as Vite built them. */
export function dashboardFolder(): string {
  return join(packageRoot(), 'web', 'dist');
}

export interface InlineOptions {
  readonly folder: string;
  readonly title: string;
  /** Put into the page as JSON. */
  readonly data: unknown;
}

/**
 * The built dashboard and its data as one page that fetches nothing. Its policy names the script and the style by
 * their hashes: whatever else got into the page could not run.
 */
export async function inlineDashboard({ folder, title, data }: InlineOptions): Promise<string> {
  const page = await built(folder, 'index.html');
  const [script, style] = await Promise.all(
    [SCRIPT, STYLE].map((pattern) => built(folder, pattern.exec(page)?.[1] ?? 'assets')),
  );
  const code = inElement(script!, 'script');
  const look = inElement(style!, 'style');
  const policy = [
    "default-src 'none'",
    `script-src ${hashSource(code)}`,
    `style-src ${hashSource(look)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // Replacements are functions: `$&` in a script or in data is not an instruction.
  return page
    .replace(SCRIPT, '')
    .replace(STYLE, () => `<style>${look}</style>`)
    .replace(
      '<meta charset="utf-8" />',
      (meta) => `${meta}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    )
    .replace(/<title>[^<]*<\/title>/u, () => markup(<title>{title}</title>).trimEnd())
    .replace(
      '</body>',
      () =>
        `<script type="application/json" id="pawl-data">${jsonText(data)}</script>\n<script type="module">${code}</script>\n</body>`,
    );
}

async function built(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EISDIR') throw error;
    throw new PawlError(
      'internal',
      'The dashboard was not built with this copy of Pawl.',
      'In a checkout: make build, or npx vite build web. Otherwise install Pawl again.',
    );
  }
}

/** Refused rather than changed: an escape that is right in a string is wrong elsewhere in a script. */
function inElement(text: string, element: 'script' | 'style'): string {
  if (new RegExp(`</${element}|<!--`, 'iu').test(text))
    throw new Error(`the built dashboard holds "</${element}" or "<!--": it cannot stand in a page`);
  return text;
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Within a script element nothing ends it and no comment begins: `<` is written as an escape that JSON has for it. */
function jsonText(data: unknown): string {
  return JSON.stringify(data)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
}
