/** Where a report's evidence lies. */
export interface CiLinks {
  /** The run of the workflow. */
  readonly run?: string;
  /** Where its artifacts can be downloaded. */
  readonly artifacts?: string;
  readonly dashboard?: string;
  /** Where the code host shows files: a commit and a path behind it are a page. */
  readonly files?: string;
}

const NAMES: readonly (readonly [Exclude<keyof CiLinks, 'files'>, string])[] = [
  ['artifacts', 'Samples, pictures and the whole report'],
  ['run', 'Log of the run'],
  ['dashboard', 'Dashboard'],
];

export function linksText(links: CiLinks): string {
  return NAMES.flatMap(([name, text]) => {
    const url = links[name];
    const target = url === undefined ? undefined : webAddress(url);
    return target === undefined ? [] : [`[${text}](<${target}>)`];
  }).join(' · ');
}

/** A line of a commit's file; `commit` and `path` may be anything. */
export interface LinkedLine {
  readonly commit: string | undefined;
  readonly path: string;
  readonly line: number;
}

/** A link to a line, or nothing where its page is not known. */
export function lineLink({ files }: CiLinks, { commit, path, line }: LinkedLine, text: string): string {
  if (files === undefined || commit === undefined || !/^[0-9a-f]{40}$/u.test(commit)) return '';
  const page = `${files}/${commit}/${path.split('/').map(encodeURIComponent).join('/')}#L${line}`;
  const target = webAddress(page);
  return target === undefined ? '' : `[${text}](<${target}>)`;
}

/** Only web addresses become links, and nothing in them can end the link early. */
function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return href.replaceAll(/[<>()\\`|]/gu, (character) => `%${character.codePointAt(0)!.toString(16)}`);
}
