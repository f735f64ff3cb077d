import type { Samples } from '../../src/model/measure/samples.ts';

/** Text that wants to be markup, a mention, a link, an escape sequence or another name. */
export const HOSTILE =
  'x"><script>alert(1)</script>|`*_[a](javascript:b)@octocat #1 http://e.example www.e.example \u001b[31m\u202Egnp\u0007\u009b2J\nq';

/** A run in which every free text is hostile. */
export function hostileRun(): Samples {
  return {
    schema: 'pawl.samples/1',
    incomplete: HOSTILE,
    device: { name: HOSTILE, driver: HOSTILE },
    environment: { host: HOSTILE, cxx: HOSTILE },
    measurements: [
      {
        kernel: HOSTILE,
        case: HOSTILE,
        variant: { [HOSTILE]: HOSTILE },
        dims: { [HOSTILE]: 1 },
        commit: HOSTILE,
        binary: { sha256: HOSTILE, flags: [HOSTILE] },
        versions: { [HOSTILE]: HOSTILE },
        warnings: [HOSTILE],
        series: [{ samples_ms: [1, 2, 3], notes: [HOSTILE], stopped_by: HOSTILE }],
        lost: [{ process: 2, reason: HOSTILE, message: HOSTILE, output: `${HOSTILE}\n${HOSTILE}` }],
      },
    ],
  };
}
