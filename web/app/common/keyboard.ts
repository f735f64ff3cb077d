import { useEffect } from 'preact/hooks';

/** What the keys do, as the help says it. */
export const KEYS = [
  ['/', 'to the filter'],
  ['j, k', 'next and previous row'],
  ['Enter', 'open the row, or close it again'],
  ['← →', 'move through the points of a focused chart; Home and End go to its ends'],
  ['a, b', 'in a trend: use this point as A or B of the comparison'],
  ['g o', 'overview; g r runs; g k commits; g s studies; g p profiles; g d devices'],
  ['g e', 'sessions; g c checklist; g l lessons; g b leaderboard'],
  ['t', 'theme: system, light, dark'],
  ['?', 'this help'],
  ['Esc', 'leave the filter or the help'],
] as const;

const PLACES: Readonly<Record<string, string>> = {
  o: '#/',
  r: '#/runs',
  k: '#/commits',
  s: '#/studies',
  p: '#/profiles',
  d: '#/devices',
  e: '#/sessions',
  c: '#/checklist',
  l: '#/lessons',
  b: '#/leaderboard',
};

export interface KeyActions {
  readonly help: () => void;
  readonly theme: () => void;
}

/** Keys of the whole page. Those with Ctrl, Alt or Meta belong to the browser, those in fields to the field. */
export function useKeyboard({ help, theme }: KeyActions): void {
  useEffect(() => {
    let afterG = false;
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      const target = event.target as HTMLElement;
      if (target.matches('input, select, textarea')) {
        if (event.key === 'Escape') target.blur();
        return;
      }
      const isJump = afterG;
      afterG = event.key === 'g';
      const place = isJump ? PLACES[event.key] : undefined;
      if (place !== undefined) location.hash = place;
      else if (event.key === '?') help();
      else if (event.key === 't') theme();
      else if (event.key === '/') focusFilter(event);
      else if (event.key === 'j') step(1);
      else if (event.key === 'k') step(-1);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [help, theme]);
}

function focusFilter(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('input[type=search]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
  field.select();
}

/** Moves the focus to the first link or button of the next row: Enter then opens it, as everywhere. */
function step(way: 1 | -1): void {
  const stops = [...document.querySelectorAll('.keyed > *')].flatMap(
    (row) => row.querySelector<HTMLElement>('a, button') ?? [],
  );
  const now = stops.findIndex((stop) => stop.closest('.keyed > *')?.contains(document.activeElement));
  const next =
    now === -1 ? (way === 1 ? 0 : stops.length - 1) : Math.min(stops.length - 1, Math.max(0, now + way));
  stops[next]?.focus();
  stops[next]?.scrollIntoView({ block: 'nearest' });
}
