import { useEffect, useState } from 'preact/hooks';

/** `system` follows the reader's system; the others were chosen on the page. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const NAME = 'pawl-theme';

export function chosenTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(NAME)) ?? 'system';
  } catch {
    // A file's page, or one with storage turned off, has none.
    return 'system';
  }
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(NAME, theme);
  } catch {
    // It then lasts as long as the page.
  }
  applyTheme(theme);
}

/** All colours are written with `light-dark()`, which follows this one property. */
export function applyTheme(theme = chosenTheme()): void {
  document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme;
  dispatchEvent(new Event('pawl-theme'));
}

/** Grows when colours change: a canvas does not follow them by itself. */
export function useThemeVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const changed = (): void => setVersion((count) => count + 1);
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', changed);
    addEventListener('pawl-theme', changed);
    return () => {
      system.removeEventListener('change', changed);
      removeEventListener('pawl-theme', changed);
    };
  }, []);
  return version;
}

/** A colour of the style sheet as it is now, for a canvas. */
export function colorNow(name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
