import type {
  ArithmeticOperator,
  ComparisonOperator,
  FunctionName,
} from '../../config/expression/expression-tree.ts';

/** What a formula can come to: nothing outside of [low, high]. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** Only whole numbers. */
  readonly whole: boolean;
  /** For some values it may have no value at all (a division by zero, say). */
  readonly canFail: boolean;
}

const ANY: Interval = { low: -Infinity, high: Infinity, whole: false, canFail: true };

export function arithmeticInterval(operator: ArithmeticOperator, a: Interval, b: Interval): Interval {
  const whole = a.whole && b.whole;
  const canFail = a.canFail || b.canFail;
  switch (operator) {
    case '+':
      return bounded([a.low + b.low, a.high + b.high], whole, canFail);
    case '-':
      return bounded([a.low - b.high, a.high - b.low], whole, canFail);
    case '*':
      return bounded(
        corners(a, b, (x, y) => x * y),
        whole,
        canFail,
      );
    case '/':
      return hasZero(b)
        ? ANY
        : bounded(
            corners(a, b, (x, y) => x / y),
            false,
            canFail,
          );
    case '//':
      return hasZero(b)
        ? ANY
        : bounded(
            corners(a, b, (x, y) => Math.floor(x / y)),
            whole,
            canFail,
          );
    case '%':
      if (hasZero(b) || b.low < 0) return ANY;
      return bounded([0, a.low >= 0 ? Math.min(a.high, b.high) : b.high], whole, canFail);
    case '**':
      break;
  }
  // A power of fractions need not grow evenly in its last digit.
  return whole && a.low >= 1 && b.low >= 0
    ? bounded(
        corners(a, b, (x, y) => x ** y),
        true,
        canFail,
      )
    : ANY;
}

export function callInterval(name: FunctionName, args: readonly Interval[]): Interval {
  const [first = ANY, second = ANY] = args;
  const whole = args.every((argument) => argument.whole);
  const canFail = args.some((argument) => argument.canFail);
  const lows = args.map(({ low }) => low);
  const highs = args.map(({ high }) => high);
  switch (name) {
    case 'min':
      return bounded([Math.min(...lows), Math.min(...highs)], whole, canFail);
    case 'max':
      return bounded([Math.max(...lows), Math.max(...highs)], whole, canFail);
    case 'ceil':
      return bounded([Math.ceil(first.low), Math.ceil(first.high)], true, canFail);
    case 'floor':
      return bounded([Math.floor(first.low), Math.floor(first.high)], true, canFail);
    case 'abs': {
      const ends = [Math.abs(first.low), Math.abs(first.high)];
      return bounded([hasZero(first) ? 0 : Math.min(...ends), Math.max(...ends)], whole, canFail);
    }
    case 'log2':
      return first.low > 0 ? bounded([Math.log2(first.low), Math.log2(first.high)], false, canFail) : ANY;
    case 'sqrt':
      return first.low >= 0 ? bounded([Math.sqrt(first.low), Math.sqrt(first.high)], false, canFail) : ANY;
    case 'ceildiv':
      break;
  }
  return hasZero(second) ? ANY : quotient(first, second, Math.ceil);
}

/** Whether a comparison is the same for all values; undefined where it is not, or cannot be known. */
export function decideComparison(
  operator: ComparisonOperator,
  a: Interval,
  b: Interval,
): boolean | undefined {
  if (a.canFail || b.canFail) return undefined;
  switch (operator) {
    case '<':
      return a.high < b.low ? true : a.low >= b.high ? false : undefined;
    case '<=':
      return a.high <= b.low ? true : a.low > b.high ? false : undefined;
    case '>':
      return a.low > b.high ? true : a.high <= b.low ? false : undefined;
    case '>=':
      return a.low >= b.high ? true : a.high < b.low ? false : undefined;
    case '==':
      return isApart(a, b) ? false : undefined;
    case '!=':
      break;
  }
  return isApart(a, b) ? true : undefined;
}

/** What either of two can come to. */
export function eitherInterval(a: Interval, b: Interval): Interval {
  return {
    low: Math.min(a.low, b.low),
    high: Math.max(a.high, b.high),
    whole: a.whole && b.whole,
    canFail: a.canFail || b.canFail,
  };
}

function isApart(a: Interval, b: Interval): boolean {
  return a.high < b.low || b.high < a.low;
}

function hasZero({ low, high }: Interval): boolean {
  return low <= 0 && high >= 0;
}

function corners(a: Interval, b: Interval, compute: (x: number, y: number) => number): [number, number] {
  const ends = [
    compute(a.low, b.low),
    compute(a.low, b.high),
    compute(a.high, b.low),
    compute(a.high, b.high),
  ];
  return [Math.min(...ends), Math.max(...ends)];
}

/** Rounded quotients. Those of fractions are found through remainders, and may be one off the rounded quotient. */
function quotient(a: Interval, b: Interval, round: (value: number) => number): Interval {
  const [low, high] = corners(a, b, (x, y) => round(x / y));
  const isExact = a.whole && b.whole && Math.max(Math.abs(a.low), Math.abs(a.high)) < 2 ** 50;
  const slack = isExact ? 0 : 1;
  return bounded([low - slack, high + slack], true, a.canFail || b.canFail);
}

/** Beyond what a double holds a formula has no value. */
function bounded([low, high]: readonly number[], whole: boolean, canFail: boolean): Interval {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return ANY;
  return { low: low!, high: high!, whole, canFail };
}
