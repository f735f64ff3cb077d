/** The writer that `bench/history-kill.ts` kills. */
export * from '../test/history/writer-process.ts';
