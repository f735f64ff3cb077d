import { PawlError } from '../model/pawl-error.ts';
import type { LaunchProfile } from '../model/profile/profile.ts';

type Pair = readonly [before: LaunchProfile, after: LaunchProfile];

/**
 * Which launch of the one profile is which of the other: by the kernel's whole name, then by its function alone
 * (template arguments change with tile sizes), each in order of launch. Two profiles of one launch each are a pair
 * whatever their names.
 */
export function pairLaunches(before: readonly LaunchProfile[], after: readonly LaunchProfile[]): Pair[] {
  const [onlyBefore, onlyAfter] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1 && onlyBefore && onlyAfter) return [[onlyBefore, onlyAfter]];
  const left = [...before];
  const partners = new Map<LaunchProfile, LaunchProfile>();
  for (const nameOf of [({ name }: LaunchProfile) => name, ({ name }: LaunchProfile) => functionName(name)]) {
    for (const launch of after) {
      if (partners.has(launch)) continue;
      const at = left.findIndex((other) => nameOf(other) === nameOf(launch));
      const [partner] = at === -1 ? [] : left.splice(at, 1);
      if (partner !== undefined) partners.set(launch, partner);
    }
  }
  if (partners.size === 0) {
    throw new PawlError(
      'usage',
      'The two profiles have no kernel in common.',
      'Choose one in both with --kernel, or give profiles of the same program.',
    );
  }
  return [...partners].map(([launch, partner]) => [partner, launch]);
}

/** `void ns::softmax<float, 4>(const float *)` → `ns::softmax`. */
function functionName(name: string): string {
  const [head = name] = name.replace(/^(?:void|static|inline)\s+/, '').split(/[<(]/);
  return head.trim();
}
