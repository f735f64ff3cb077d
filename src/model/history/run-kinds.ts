/** The commands whose runs the history keeps. */
export const RUN_KINDS = [
  'bench',
  'check',
  'compare',
  'import',
  'profile',
  'fuzz',
  'tune',
  'session',
] as const;
