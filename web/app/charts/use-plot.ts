import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';

import { useThemeVersion } from '../common/theme.ts';

/** A plot that fills its frame's width and is drawn again when what it shows, or the theme, changes. */
export function usePlot(
  make: (width: number) => { readonly options: UPlot.Options; readonly data: UPlot.AlignedData },
  dependencies: readonly unknown[],
): {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly plot: { readonly current: UPlot | undefined };
} {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const theme = useThemeVersion();
  useEffect(() => {
    const box = frame.current;
    if (box === null) return;
    const { options, data } = make(box.clientWidth);
    const made = new UPlot(options, data, box);
    plot.current = made;
    const watcher = new ResizeObserver(() => {
      if (box.clientWidth > 0 && box.clientWidth !== made.width)
        made.setSize({ width: box.clientWidth, height: options.height });
    });
    watcher.observe(box);
    return () => {
      watcher.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [theme, ...dependencies]);
  return { frame, plot };
}
