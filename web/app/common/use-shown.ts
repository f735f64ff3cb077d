import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * A part of the page that a choice elsewhere on it opens, or fills with something else: it is scrolled to, where it is
 * not in the window. Not for what the page began with, unless that was chosen by its address.
 */
export function useShown<Part extends HTMLElement>(choice: string | undefined): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useEffect(() => {
    const { current } = part;
    if (choice === undefined || current === null) return;
    const { top } = current.getBoundingClientRect();
    // Its beginning is enough: what follows may be longer than the window.
    if (top < 0 || top > innerHeight / 2) current.scrollIntoView({ block: 'start' });
  }, [choice]);
  return part;
}
