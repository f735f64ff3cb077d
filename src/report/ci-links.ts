/** Where a report's evidence lies. */
export interface CiLinks {
  /** The run of the workflow. */
  readonly run?: string;
  /** Where its artifacts can be downloaded. */
  readonly artifacts?: string;
  readonly dashboard?: string;
}

const NAMES: readonly (readonly [keyof CiLinks, string])[] = [
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

/** Only web addresses become links, and nothing in them can end the link early. */
function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return href.replaceAll(/[<>()\\`|]/gu, (character) => `%${character.codePointAt(0)!.toString(16)}`);
}
