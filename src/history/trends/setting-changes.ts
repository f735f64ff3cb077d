import type { SettingChange, TrendSetting } from '../../model/history/history.ts';
import { variantText } from '../../model/problem/variant-text.ts';

const WHAT = ['driver', 'cuda', 'clocks', 'compiler', 'variant'] as const;

/** What of a setting is another; what one of the two does not say is not known to be. */
export function settingChanges(
  before: TrendSetting | undefined,
  after: TrendSetting | undefined,
): SettingChange[] {
  return WHAT.flatMap((what) => {
    const [one, other] = [textOf(before, what), textOf(after, what)];
    return one === undefined || other === undefined || one === other
      ? []
      : [{ what, before: one, after: other }];
  });
}

function textOf(setting: TrendSetting | undefined, what: (typeof WHAT)[number]): string | undefined {
  if (what !== 'variant') return setting?.[what];
  return setting?.variant === undefined ? undefined : variantText(setting.variant);
}

/** Under what a machine ran, where that alternates; the compiler and the variant are the commit's own. */
export function machineSetting(setting: TrendSetting | undefined): string {
  const { driver, cuda, clocks } = setting ?? {};
  return [
    driver === undefined ? '' : `driver ${driver}`,
    cuda === undefined ? '' : `CUDA ${cuda}`,
    clocks === undefined ? '' : `clocks ${clocks}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
