import { measureInBlocks } from '../../judge/measure-in-blocks.ts';
import type { RacedSide } from '../../judge/race/describe-race.ts';
import { CONTROL, raceQuestion } from '../../judge/race/race-question.ts';
import type { Look } from '../../judge/sequential.ts';
import { settleCases } from '../../judge/settle-cases.ts';
import type { SideLabel } from '../../measure/interleave.ts';
import { interrupted } from '../../rig/prepare-targets.ts';
import type { PreparedSide } from '../../rig/prepared-side.ts';
import { recordSide, type RecordedSide } from '../../rig/recorded-side.ts';
import { verifyTargets } from '../../rig/verify-targets.ts';
import { Xoshiro128 } from '../../stats/index.ts';
import { restricted } from '../runs/compare/compare-sides.ts';
import type { Running } from '../runs/compare/hold-sides.ts';

interface RunRace {
  readonly sides: readonly RacedSide[];
  readonly look: Look | undefined;
  readonly stopped_by: string | undefined;
  readonly cost: { readonly processes: number; readonly looks: number };
}

/** Checks every kernel, then measures those that are right in the same blocks, beside one of them once more. */
export async function runRace(
  { problem, prepared }: { readonly problem: string; readonly prepared: PreparedSide },
  running: Running,
): Promise<RunRace> {
  const { settings, signal, onProgress, recording } = running;
  const verified = running.verified !== false && running.check !== false;
  const recorded = new Map<string, { readonly side: PreparedSide; readonly record: RecordedSide }>();
  const fit = new Map<SideLabel, RecordedSide>();
  for (const { name } of prepared.plans) {
    const side = ofKernel(prepared, name);
    const record = await recordSide(name, side, recording);
    recorded.set(name, { side, record });
    if (running.check !== false) {
      const options = { ...settings, audit: verified, blind: true, signal, onProgress };
      await verifyTargets(record.targets, record.recorder, options);
    }
    const checked = { ...side, checked: record.builder.build() };
    const { cases } = settleCases(checked, checked, { measureIdentical: true });
    const targets = restricted(
      side,
      cases.filter(({ settled }) => settled === undefined),
    );
    if (targets.length > 0) fit.set(name, { ...record, targets, calledAs: problem });
  }
  if (signal.aborted) throw interrupted();

  const [controlled] = fit.keys();
  if (controlled !== undefined && running.control !== false) {
    const { targets } = fit.get(controlled)!;
    const control = await recordSide('control', { ...ofKernel(prepared, controlled), targets }, recording);
    fit.set(CONTROL, { ...control, calledAs: problem });
  }
  const kernels = [...fit.keys()].filter((label) => label !== CONTROL);
  const random = new Xoshiro128(BigInt(settings.seed));
  const measured =
    controlled === undefined || kernels.length < 2
      ? undefined
      : await measureInBlocks(fit, raceQuestion(fit, controlled), { ...running, random, verified });

  const load = await running.loadSoFar();
  const sides = [...recorded].map(async ([kernel, { side, record }]) =>
    Object.assign({ kernel, samples: await running.finish(load, record) }, side),
  );
  return {
    sides: await Promise.all(sides),
    look: measured?.look,
    stopped_by: measured?.stopped_by,
    cost: { processes: measured?.processes ?? 0, looks: measured?.looks ?? 0 },
  };
}

function ofKernel(prepared: PreparedSide, name: string): PreparedSide {
  return {
    ...prepared,
    plans: prepared.plans.filter((plan) => plan.name === name),
    targets: prepared.targets.filter(({ plan }) => plan.name === name),
    skipped: prepared.skipped.filter(({ kernel }) => kernel === name),
  };
}
