/** Why a fact could not be had, where Pawl knows the whole sentence beforehand; `{name}` is filled in. */
export const MISSING_TEXTS = {
  ceilings: 'What {device} does at best was not measured yet, so the theoretical minimum is not known.',
  formulas: '`operations` and `bytes` of the problem leave nothing to compute a minimum from.',
  reference: 'There is nothing to measure against: no other kernel of this problem, and no commit.',
} as const;
