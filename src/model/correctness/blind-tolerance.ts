import type { BlindAnswer, Verification } from './verification.ts';

/** Why a tolerance or a checker proves nothing, and what to write instead. */
export interface BlindTolerance {
  /** A clause without a full stop. */
  readonly message: string;
  readonly remedy: string;
}

/** How answers are called in a sentence; an input is named as it is. */
const WORDS: Readonly<Record<string, string>> = {
  zeros: 'zeros',
  poison: 'an output that was never written',
  constant: 'a constant',
  'half of the sum': 'half of the right output',
  'other inputs': 'the output of other inputs',
  'half of the inputs': 'the output of half of the inputs',
  'the likeliest': 'always the likeliest outcome',
  'all alike': 'any outcome with the same probability',
};

/** What a check says against its own tolerance and checker; undefined where both see, or were not tried. */
export function blindTolerance(check: Verification | undefined): BlindTolerance | undefined {
  const blind = check?.blind ?? [];
  const byChecker = blind.filter(({ checker }) => checker !== undefined);
  const byDraws = blind.filter(({ draws }) => draws !== undefined);
  const byError = blind.filter(({ imprecise }) => imprecise === true);
  const byTolerance = blind.filter(
    ({ checker, draws, imprecise }) => checker === undefined && draws === undefined && imprecise !== true,
  );
  const found = [
    ...(byTolerance.length === 0 ? [] : [toleranceBlindness(byTolerance)]),
    ...(byError.length === 0 ? [] : [errorBlindness(byError)]),
    ...(byChecker.length === 0 ? [] : [checkerBlindness(byChecker)]),
    ...(byDraws.length === 0 ? [] : [drawsBlindness(byDraws)]),
  ];
  if (found.length === 0) return undefined;
  return {
    message: found.map(({ message }) => message).join('; '),
    remedy: found.map(({ remedy }) => remedy).join('. '),
  };
}

function toleranceBlindness(blind: readonly BlindAnswer[]): BlindTolerance {
  return {
    message: `the tolerance is blind: ${passingText(blind)}`,
    remedy: `Write a tighter tolerance for the problem in pawl.yaml: ${remedies(blind).join('; ')}`,
  };
}

function errorBlindness(blind: readonly BlindAnswer[]): BlindTolerance {
  return {
    message: `the reference's own error is as large as what it computes: ${passingText(blind)}`,
    remedy:
      'Give the case inputs whose results are larger than their rounding errors, or compute in a wider type; no tolerance helps',
  };
}

function checkerBlindness(blind: readonly BlindAnswer[]): BlindTolerance {
  const checker = blind[0]?.checker ?? '';
  return {
    message: `the checker ${checker} is blind: ${passingText(blind)}`,
    remedy: `Make ${checker} reject that: test how the outputs depend on the inputs, and that they are finite`,
  };
}

function drawsBlindness(blind: readonly BlindAnswer[]): BlindTolerance {
  return {
    message: `${blind[0]?.draws ?? 0} draws do not tell right from wrong: ${passingText(blind)}`,
    remedy:
      'Choose inputs whose probabilities differ more from each other (fill, generator), or lower the slack of the distribution',
  };
}

function passingText(blind: readonly BlindAnswer[]): string {
  const tensors = [...new Set(blind.map(({ tensor }) => tensor))];
  const passing = tensors.map((tensor) => {
    const answers = blind.filter((one) => one.tensor === tensor).map(answerText);
    return `${listText(answers)} would pass as '${tensor}'`;
  });
  return passing.join('; ');
}

function answerText({ answer }: BlindAnswer): string {
  if (answer.startsWith('input ')) return `a copy of '${answer.slice('input '.length)}'`;
  return WORDS[answer] ?? answer;
}

/** The problem's tolerance, and that of outputs which need one of their own. */
function remedies(blind: readonly BlindAnswer[]): string[] {
  const shared = blind.filter(({ own }) => own !== true);
  const alone = blind.filter(({ own }) => own === true);
  return [
    ...(shared.length === 0 ? [] : [toleranceText(shared)]),
    ...[...new Set(alone.map(({ tensor }) => tensor))].map(
      (tensor) => `in \`tensors.${tensor}\`, ${toleranceText(alone.filter((one) => one.tensor === tensor))}`,
    ),
  ];
}

/** What pawl.yaml is to say. One tolerance serves several answers: the tightest that any of them needs. */
export function toleranceText(blind: readonly BlindAnswer[]): string {
  const least = (pick: (one: BlindAnswer) => number | undefined): number =>
    Math.min(...blind.map((one) => pick(one) ?? 0));
  const factors = blind.flatMap(({ factor }) => factor ?? []);
  const factor = factors.length === 0 ? '' : `, factor: ${Math.min(...factors)}`;
  const shares = blind.flatMap(({ share }) => share ?? []);
  const share = shares.length === 0 ? '' : `, share: ${Math.max(...shares)}`;
  return `tolerance: { atol: ${numberText(least(({ atol }) => atol))}, rtol: ${numberText(least(({ rtol }) => rtol))}${factor}${share} }`;
}

/** As people write small numbers: 2e-3, not 0.002. */
function numberText(value: number): string {
  const digits = Number(value.toPrecision(3));
  return digits !== 0 && digits < 0.1 ? digits.toExponential() : `${digits}`;
}

function listText(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length <= 1 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}
