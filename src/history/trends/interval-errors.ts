/** What a point's own 95 % interval is taken to span: 2 · 1.96 standard errors. */
export const INTERVAL_ERRORS = 3.92;
