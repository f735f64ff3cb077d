import type { Calibration, Ceiling, Exceeded } from './calibration.ts';
import { scaled } from '../text/number-text.ts';

/** The ceilings of a device that something may be judged by, a second. */
type BelievedCeilings = Readonly<Partial<Record<Ceiling, number>>>;

const CEILINGS = ['copy', 'matrix', 'multiply_add'] as const;

/** Without those that were disturbed, or that this machine has been seen to exceed. */
export function believedCeilings(calibration: Calibration): BelievedCeilings {
  if (isDisturbed(calibration)) return {};
  return Object.fromEntries(
    CEILINGS.flatMap((ceiling) => {
      const rate = calibration[ceiling];
      return rate === undefined || witnessesOf(calibration, ceiling).length > 0
        ? []
        : [[ceiling, rate.per_second]];
    }),
  );
}

/** Why a calibration is not believed, wholly or in part, and what to do; undefined where it is. */
export function doubtAbout(calibration: Calibration): string | undefined {
  const { disturbed = [], measured_at } = calibration;
  const day = measured_at.slice(0, 10);
  const load = `the ceilings of ${day} were disturbed (${disturbed.join('; ')})`;
  if (isDisturbed(calibration)) return `${load} and are not used: pawl device --calibrate on an idle machine`;
  const exceeded = CEILINGS.flatMap((ceiling) => {
    const [witness] = witnessesOf(calibration, ceiling);
    if (witness === undefined) return [];
    const unit = ceiling === 'copy' ? 'B/s' : 'OP/s';
    const [was, is] = [calibration[ceiling]?.per_second ?? 0, witness.per_second].map(
      (rate) => `${scaled(rate)}${unit}`,
    );
    return [
      `the ceiling of ${NAMES[ceiling]} of ${day} (${was}) was discarded: ${witness.kernel} ${witness.case} did ${is}`,
    ];
  });
  const doubts = [...(disturbed.length === 0 ? [] : [`${load}, which was accepted`]), ...exceeded];
  return doubts.length === 0 ? undefined : `${doubts.join('; ')} (pawl device --calibrate)`;
}

function isDisturbed({ disturbed, load_accepted }: Calibration): boolean {
  return disturbed !== undefined && load_accepted !== true;
}

const NAMES: Readonly<Record<Ceiling, string>> = {
  copy: 'the memory bandwidth',
  matrix: 'the tensor cores',
  multiply_add: 'the arithmetic',
};

/**
 * Those that speak against a ceiling: a kernel whose results were compared while it was timed, or two kernels. One
 * alone that was not may have left work out.
 */
function witnessesOf({ exceeded = [] }: Calibration, ceiling: Ceiling): readonly Exceeded[] {
  const seen = exceeded.filter((one) => one.ceiling === ceiling);
  const verified = seen.filter((one) => one.verified);
  if (verified.length > 0) return verified;
  return new Set(seen.map(({ kernel }) => kernel)).size > 1 ? seen : [];
}
