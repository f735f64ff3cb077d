/** How a kernel is timed: cache flushed, back to back, or as the replay of a CUDA graph. */
export const MODES = ['cold', 'hot', 'graph'] as const;
export type Mode = (typeof MODES)[number];
