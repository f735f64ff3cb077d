import { defined } from '../../model/defined.ts';
import { PawlError } from '../../model/pawl-error.ts';

/** What a goal says. A time becomes a speed-up when the reference has been measured. */
export type ParsedGoal = { readonly case?: string } & (
  | { readonly kind: 'speedup'; readonly speedup: number }
  | { readonly kind: 'time'; readonly time_ms: number }
);

const UNITS_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1e3 };

const NUMBER = '(\\d+(?:[.,]\\d+)?)';
const FORMS = {
  speedup: new RegExp(`^${NUMBER}\\s*[x×]$`, 'iu'),
  percent: new RegExp(`^${NUMBER}\\s*%(?:\\s*(?:faster|less|less time))?$`, 'iu'),
  time: new RegExp(`^(?:≤|<=|<|under|below|at most)?\\s*${NUMBER}\\s*(ns|us|µs|μs|ms|s)$`, 'iu'),
};

/** `1.2x on training_512`, `20 %`, `20 % faster on CASE`, `≤ 44 µs on CASE`. */
export function parseGoal(text: string): ParsedGoal {
  const [, what = '', name] = /^(.*?)(?:\s+(?:on|at|for)\s+(\S+))?$/su.exec(text.trim()) ?? [];
  const where = defined({ case: name });
  const speedup = numberIn(FORMS.speedup.exec(what));
  if (speedup !== undefined && speedup <= 1) {
    throw new PawlError(
      'usage',
      `"${text.slice(0, 200)}" asks for nothing faster: ${speedup}x is ${speedup === 1 ? 'as fast as it is' : 'slower'}.`,
      'Give a factor greater than 1: "1.2x on CASE".',
    );
  }
  if (speedup !== undefined) return { kind: 'speedup', speedup, ...where };
  const percent = numberIn(FORMS.percent.exec(what));
  // A change is a share of the time (positive is faster): 20 % less of it is 1.25×.
  if (percent !== undefined && percent < 100) {
    return { kind: 'speedup', speedup: 1 / (1 - percent / 100), ...where };
  }
  const time = FORMS.time.exec(what);
  const value = numberIn(time);
  const unit_ms = UNITS_MS[(time?.[2] ?? '').toLowerCase()];
  if (value !== undefined && unit_ms !== undefined)
    return { kind: 'time', time_ms: value * unit_ms, ...where };
  throw new PawlError(
    'usage',
    `"${text.slice(0, 200)}" is not a goal that can be measured.`,
    'Give a factor and a case: "1.2x on CASE", "20 % faster on CASE" (a share of the time), "≤ 44 µs on CASE".',
  );
}

function numberIn(match: RegExpExecArray | null): number | undefined {
  const value = Number(match?.[1]?.replace(',', '.'));
  return value > 0 && Number.isFinite(value) ? value : undefined;
}
