import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How wide a frame is now: a picture with text in it is laid out for its width instead of being scaled. */
export function useWidth(): {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly width: number;
} {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const box = frame.current;
    if (box === null) return;
    const look = (): void => setWidth(box.clientWidth);
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(box);
    return () => watcher.disconnect();
  }, []);
  return { frame, width };
}
