import type { HistoryKey } from '../../../src/model/history/history.ts';

type Named = Pick<HistoryKey, 'kernel' | 'case' | 'mode' | 'device'>;

/** What rows of a picture are called: with their devices where there are several, since names alone repeat then. */
export function plottedNames(keys: readonly Named[]): string[] {
  const isOneDevice = new Set(keys.map(({ device }) => device)).size < 2;
  return keys.map(({ kernel, case: name, mode, device }) =>
    isOneDevice ? `${kernel} / ${name} (${mode})` : `${kernel} / ${name} (${mode}, ${device})`,
  );
}
