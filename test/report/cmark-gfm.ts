/**
 * The reference renderer of GitHub's Markdown, for tests: Debian's package where it is installed or may be, else
 * undefined.
 */
import { spawnSync } from 'node:child_process';

import { aptInstall } from '../services/apt-install.ts';

export function findCmarkGfm(): string | undefined {
  const found = (): string | undefined =>
    spawnSync('sh', ['-c', 'command -v cmark-gfm'], { encoding: 'utf8' }).stdout.trim() || undefined;
  const installed = found();
  if (installed !== undefined) return installed;
  aptInstall('cmark-gfm');
  return found();
}

/** HTML of a document with every extension that GitHub turns on, raw HTML let through. */
export function renderGfm(program: string, markdown: string): string {
  const extensions = ['table', 'strikethrough', 'autolink', 'tagfilter', 'tasklist', 'footnotes'];
  const { status, stdout, stderr } = spawnSync(
    program,
    ['--unsafe', '--github-pre-lang', ...extensions.flatMap((name) => ['-e', name])],
    { input: markdown, encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** What a reader sees: text with references resolved. */
export function visibleText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/gu, '')
    .replaceAll(/&(lt|gt|amp|quot|#39);/gu, (_, name: string) => {
      const characters: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
      return characters[name] ?? '';
    })
    .replaceAll('\u200B', '')
    .trim();
}
