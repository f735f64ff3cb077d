import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { useKeyboard } from './common/keyboard.ts';
import { pageAt } from './pages/pages.tsx';
import { Help } from './parts/help.tsx';
import { LiveLine } from './parts/live-line.tsx';
import { SignOut } from './parts/sign-out.tsx';
import { usePlace } from './common/router.ts';
import { NOTHING_LIVE, nextLive, type Live } from './source/live.ts';
import type { Source } from './source/source.ts';
import { SourceContext } from './source/use-answer.ts';
import { chooseTheme, chosenTheme, THEMES } from './common/theme.ts';

const SECTIONS = [
  ['', 'Overview'],
  ['runs', 'Runs'],
  ['commits', 'Commits'],
  ['studies', 'Studies'],
  ['profiles', 'Profiles'],
  ['devices', 'Devices'],
  ['sessions', 'Sessions'],
  ['checklist', 'Checklist'],
  ['lessons', 'Lessons'],
  ['leaderboard', 'Leaderboard'],
] as const;

/** Pages of one thing, by the section that lists such things. */
const SECTION_OF: Readonly<Record<string, string>> = {
  case: '',
  run: 'runs',
  study: 'studies',
  profile: 'profiles',
  session: 'sessions',
};

/** News come in bursts while a run is under way; asking again more often than this would only load the server. */
const REFRESH_MS = 2000;

export function App({ source, madeAt }: { readonly source: Source; readonly madeAt: string | undefined }) {
  const place = usePlace();
  const { version, live } = useLive(source);
  const [theme, setTheme] = useState(chosenTheme);
  const help = useRef<HTMLDialogElement>(null);
  const nextTheme = useCallback(() => {
    const next = THEMES[(THEMES.indexOf(chosenTheme()) + 1) % THEMES.length] ?? 'system';
    chooseTheme(next);
    setTheme(next);
  }, []);
  const openHelp = useCallback(() => help.current?.showModal(), []);
  useKeyboard({ help: openHelp, theme: nextTheme });
  const { title, content } = pageAt(place);
  const first = place.path[0] ?? '';
  const section = SECTION_OF[first] ?? first;
  useEffect(() => {
    document.title = `${title} · Pawl`;
  }, [title]);
  const where = place.path.join('/');
  useEffect(() => scrollTo(0, 0), [where]);
  return (
    <SourceContext.Provider value={{ source, version }}>
      <a class="skip" href="#content" onClick={skipTo}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="#/">
          pawl
        </a>
        <nav aria-label="Sections">
          {SECTIONS.map(([name, text]) => (
            <a
              key={name}
              href={`#/${name}`}
              {...(section === name ? { 'aria-current': 'page' as const } : {})}
            >
              {text}
            </a>
          ))}
        </nav>
        <span class="tools">
          <button type="button" onClick={nextTheme} title="Theme (t)">
            {theme}
          </button>
          <button type="button" onClick={openHelp} title="Keys (?)">
            keys
          </button>
          <SignOut source={source} />
        </span>
      </header>
      {madeAt === undefined ? (
        <LiveLine live={live} />
      ) : (
        <aside class="made" aria-label="About this report">
          A report of {madeAt.slice(0, 16).replace('T', ' ')} UTC: this report does not change.
        </aside>
      )}
      <main id="content" tabIndex={-1} key={where}>
        {content}
      </main>
      <Help dialog={help} />
    </SourceContext.Provider>
  );
}

/** The address is the page's state, so the link must not become it. */
function skipTo(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

function useLive(source: Source): { readonly version: number; readonly live: Live } {
  const [version, setVersion] = useState(0);
  const [live, setLive] = useState(NOTHING_LIVE);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = source.watch((event) => {
      setLive((before) => nextLive(before, event));
      if (event.type === 'snapshot') return;
      timer ??= setTimeout(() => {
        timer = undefined;
        setVersion((count) => count + 1);
      }, REFRESH_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [source]);
  return { version, live };
}
