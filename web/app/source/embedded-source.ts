import { Problem, type Source } from './source.ts';

/** What `pawl report --html` puts into a page: when it was made, and the answers by their paths. */
export interface Embedded {
  readonly made_at: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

/** The data of the page itself, where it carries some. */
export function embeddedData(): Embedded | undefined {
  const text = document.querySelector('#pawl-data')?.textContent;
  return text ? (JSON.parse(text) as Embedded) : undefined;
}

export function embeddedSource({ answers }: Embedded): Source {
  return {
    kind: 'file',
    get: (path) => {
      const name = [path, ...lessAsked(path)].find((one) => Object.hasOwn(answers, one));
      return name === undefined
        ? Promise.reject(new Problem('not-embedded'))
        : Promise.resolve(answers[name]);
    },
    send: () => Promise.reject(new Problem('not-embedded')),
    watch: () => () => undefined,
    needsSignIn: () => Promise.resolve(false),
  };
}

/** A file holds one window of each answer: what is asked for beyond the key or the two sides is left away. */
function lessAsked(path: string): string[] {
  const [name = '', query = ''] = path.split('?', 2);
  const asked = new URLSearchParams(query);
  const key = asked.get('key');
  return key === null ? [name] : [`${name}?key=${encodeURIComponent(key)}`];
}
