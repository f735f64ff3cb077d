/** A year of sessions whose truth is known. Everything is drawn beforehand, so that contenders meet the same luck. */
import type { RuleId } from '../../src/model/profile/diagnosis-words.ts';
import { logGain } from '../../src/learn/advice/log-gain.ts';
import { nextBelow, type Random } from '../../src/stats/random.ts';
import { normalQuantile } from '../../src/stats/normal.ts';

export interface WorldSettings {
  /** Rules differ in the share of their estimate that is there: uniform over this width around the middle. */
  readonly ruleWidth: number;
  /** Standard deviations of that share between kinds of kernels, between devices, and between one fix and the next. */
  readonly kindSd: number;
  readonly deviceSd: number;
  readonly scatterSd: number;
  /** Share of sessions whose comparisons are broken: signs turned round, or everything five times too large. */
  readonly misleading: number;
  /** One device more, on which what helps elsewhere does not and the other way round. */
  readonly adversary: boolean;
  /** The most frequent rule's fixes bring all of their estimate until the middle of the year, and nothing after it. */
  readonly drift: boolean;
  /** Shares of an estimate, or amounts that have nothing to do with it. */
  readonly truth: 'share' | 'amount';
}

export const USUAL: WorldSettings = {
  ruleWidth: 1,
  kindSd: 0.12,
  deviceSd: 0.15,
  scatterSd: 0.3,
  misleading: 0,
  adversary: false,
  drift: false,
  truth: 'share',
};

/** Causes and waits of docs/rules.md: what has a fix of its own. The number is the median of what they promise, percent. */
const RULES: readonly (readonly [rule: RuleId, promise_pct: number])[] = [
  ['small-grid', 25],
  ['launch-bound', 20],
  ['tail-wave', 14],
  ['imbalance', 12],
  ['partial-warp', 8],
  ['low-occupancy', 18],
  ['divergence', 14],
  ['uncoalesced-access', 30],
  ['bank-conflicts', 22],
  ['register-spill', 18],
  ['atomic-contention', 20],
  ['l2-thrash', 14],
  ['tensor-idle', 45],
  ['legacy-mma', 20],
  ['special-function-bound', 12],
  ['stray-fp64', 20],
  ['unfused-fp', 8],
  ['long-scoreboard', 20],
  ['short-scoreboard', 12],
  ['barrier-stall', 14],
  ['math-throttle', 10],
  ['memory-throttle', 12],
  ['fixed-latency', 8],
  ['wgmma-wait', 14],
  ['icache-miss', 8],
];
const KINDS = ['attention', 'gemm', 'softmax', 'layernorm', 'reduction'] as const;
/** Two pairs of a compute capability, and one alone. */
const DEVICES = ['NVIDIA H200', 'NVIDIA H100', 'NVIDIA L4', 'NVIDIA L40S', 'NVIDIA A100'] as const;
const FAMILY = [0, 0, 1, 1, 2] as const;
const ADVERSARY = 'NVIDIA B200';
/** A rule's estimate is an upper bound: on average half of it is there. */
const MIDDLE = 0.55;
const PROMISE_SD = 0.6;
/** Tries that bring nothing, whatever the finding: the change did not do what it should. */
const FAILS = 0.2;
/** Sessions that try each thing three times. */
const LONG = 0.15;
const NOISE = 0.01;
const DAYS = 365;
const START = Date.UTC(2026, 0, 1);

interface TryDraw {
  /** In log time: what it really brings, and what the comparison says. */
  readonly gain: number;
  readonly seen: number;
}

export interface SimulatedFinding {
  readonly rule: RuleId;
  readonly promise_pct: number;
  /** Expected, in log time, by the truth. */
  readonly expected: number;
  readonly tries: readonly TryDraw[];
}

export interface SimulatedSession {
  readonly id: string;
  readonly date: string;
  readonly kind: string;
  readonly device: string;
  readonly isMisleading: boolean;
  readonly isAfterDrift: boolean;
  /** In the rules' order. */
  readonly findings: readonly SimulatedFinding[];
  readonly goal: number;
  /** Logarithms: the speed-up at the start, minutes before the first try, minutes a try. */
  readonly first: number;
  readonly fixed_min: number;
  readonly try_min: readonly number[];
}

export interface World {
  readonly sessions: readonly SimulatedSession[];
  /** The rule whose effect changes, where one does. */
  readonly drifting: RuleId | undefined;
}

export function drawWorld(settings: WorldSettings, sessions: number, random: Random): World {
  const gauss = (sd: number): number => sd * normalQuantile(random.nextOpen());
  const table = <T>(of: readonly T[], draw: (one: T, at: number) => number): number[] => of.map(draw);
  const ruleShare = table(RULES, () => MIDDLE + settings.ruleWidth * (random.nextOpen() - 0.5));
  const kindOff = KINDS.map(() => table(RULES, () => gauss(settings.kindSd)));
  const half = settings.deviceSd * Math.SQRT1_2;
  const familyOff = [0, 1, 2].map(() => table(RULES, () => gauss(half)));
  const deviceOff = DEVICES.map((_, device) =>
    table(RULES, (_rule, rule) => familyOff[FAMILY[device]!]![rule]! + gauss(half)),
  );
  const frequency = KINDS.map(() => table(RULES, () => -Math.log(random.nextOpen())));
  const total = RULES.map((_, rule) => frequency.reduce((sum, own) => sum + own[rule]!, 0));
  const driftRule = total.indexOf(Math.max(...total));
  const kindStart = KINDS.map(() => gauss(0.35));
  const deviceStart = DEVICES.map(() => gauss(0.25));
  const kindMinutes = KINDS.map(() => gauss(0.3));
  const deviceMinutes = DEVICES.map(() => gauss(0.2));

  const drawSession = (at: number): SimulatedSession => {
    const kind = nextBelow(random, KINDS.length);
    const anyDevice = nextBelow(random, DEVICES.length + (settings.adversary ? 1 : 0));
    const isAdverse = anyDevice === DEVICES.length;
    const device = isAdverse ? 0 : anyDevice;
    const isMisleading = random.nextOpen() < settings.misleading;
    const times = random.nextOpen() < (isMisleading ? 0.5 : LONG) ? 3 : 1;
    const isFlipped = random.nextOpen() < 0.5;
    const isAfterDrift = at >= sessions / 2;
    const shareOf = (rule: number): number => {
      if (settings.drift && rule === driftRule) return isAfterDrift ? 0 : 1;
      const share = ruleShare[rule]! + kindOff[kind]![rule]! + deviceOff[device]![rule]!;
      return isAdverse ? 2 * MIDDLE - share : share;
    };
    const findings = drawRules(frequency[kind]!, 4 + nextBelow(random, 4), random).map((rule) => {
      const [id, median_pct] = RULES[rule]!;
      const promise_pct = Math.min(80, Math.max(2, median_pct * Math.exp(gauss(PROMISE_SD))));
      const scale = settings.truth === 'share' ? logGain(promise_pct) : logGain(median_pct);
      const tries = Array.from({ length: times }, () => {
        const off = gauss(settings.scatterSd);
        const fails = random.nextOpen() < FAILS;
        const gain = fails ? -Math.abs(gauss(0.01)) : scale * (shareOf(rule) + off);
        const seen = (isMisleading ? gain * (isFlipped ? -1 : 5) : gain) + gauss(NOISE);
        return { gain, seen };
      });
      return { rule: id, promise_pct, expected: (1 - FAILS) * scale * shareOf(rule), tries };
    });
    return {
      id: `s${at}`,
      date: new Date(START + ((at + random.nextOpen()) / sessions) * DAYS * 86_400_000).toISOString(),
      kind: KINDS[kind]!,
      device: isAdverse ? ADVERSARY : DEVICES[device]!,
      isMisleading,
      isAfterDrift,
      findings: findings.toSorted((one, other) => other.promise_pct - one.promise_pct),
      goal: [1.1, 1.2, 1.5][nextBelow(random, 3)]!,
      first: -0.4 + kindStart[kind]! + deviceStart[device]! + gauss(0.2),
      fixed_min: 60 * Math.exp(kindMinutes[kind]! + deviceMinutes[device]! + gauss(0.3)),
      try_min: Array.from({ length: 9 }, () => 20 * Math.exp(kindMinutes[kind]! + gauss(0.5))),
    };
  };
  return {
    sessions: Array.from({ length: sessions }, (_, at) => drawSession(at)),
    drifting: settings.drift ? RULES[driftRule]![0] : undefined,
  };
}

/** Without replacement, by frequency. */
function drawRules(frequency: readonly number[], count: number, random: Random): number[] {
  return frequency
    .map((rate, rule) => ({ rule, at: -Math.log(random.nextOpen()) / rate }))
    .toSorted((one, other) => one.at - other.at)
    .slice(0, count)
    .map(({ rule }) => rule);
}
