/** Why a fact could not be had, where Pawl knows the whole sentence beforehand; `{name}` is filled in. */
export const MISSING_TEXTS = {
  ceilings: 'The peak rates of {device} have not been measured, so the theoretical minimum is unknown.',
  formulas: '`operations` and `bytes` of the problem leave nothing to compute a minimum from.',
  reference: 'There is no reference: no other kernel of this problem, and no commit.',
} as const;
