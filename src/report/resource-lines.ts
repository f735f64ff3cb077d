import type { KernelResources } from '../model/reports/build-report.ts';
import { plainText } from './text/plain-text.ts';

/** Instantiations of one template in one architecture: hundreds of them are one line. */
interface Family {
  readonly arch: string;
  readonly name: string;
  readonly members: KernelResources[];
}

/** A line for each GPU function and architecture, with the range over its instantiations and the worst of its spills. */
export function familyLines(resources: readonly KernelResources[]): string[] {
  const families = new Map<string, Family>();
  for (const one of resources) {
    const name = templateName(plainText(one.function));
    const key = JSON.stringify([one.arch, name]);
    const family = families.get(key) ?? { arch: one.arch, name, members: [] };
    family.members.push(one);
    families.set(key, family);
  }
  return [...families.values()].map(familyLine);
}

/** A line for each instantiation. */
export function memberLines(resources: readonly KernelResources[]): string[] {
  return resources.map(memberLine);
}

function familyLine({ arch, name, members }: Family): string {
  const [only, ...others] = members;
  if (only !== undefined && others.length === 0) return memberLine(only);
  const range = (read: (one: KernelResources) => number): string => {
    const values = members.map(read);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return low === high ? String(low) : `${low} to ${high}`;
  };
  const most = (read: (one: KernelResources) => number): number => Math.max(...members.map(read));
  const spilling = members.filter((one) => spillsOf(one) > 0);
  const worst = spilling.toSorted((one, other) => spillsOf(other) - spillsOf(one))[0];
  const parts = [
    `${range(({ registers }) => registers)} registers`,
    `${range(({ smem_bytes }) => smem_bytes)} B static shared memory`,
    ...(most(({ stack_bytes }) => stack_bytes) > 0
      ? [`up to ${most(({ stack_bytes }) => stack_bytes)} B stack`]
      : []),
    ...(worst === undefined
      ? []
      : [`${spilling.length} spill, at most ${spillText(worst)}: ${short(argumentsOf(worst))}`]),
  ];
  return `${arch} ${short(name)} (${members.length} instantiations): ${parts.join(', ')}`;
}

function memberLine(resources: KernelResources): string {
  const { arch, registers, smem_bytes, stack_bytes } = resources;
  const parts = [
    `${registers} registers`,
    `${smem_bytes} B static shared memory`,
    ...(stack_bytes > 0 ? [`${stack_bytes} B stack`] : []),
    ...(spillsOf(resources) > 0 ? [`spills ${spillText(resources)}`] : []),
  ];
  return `${arch} ${short(plainText(resources.function))}: ${parts.join(', ')}`;
}

function spillsOf({ spill_store_bytes, spill_load_bytes }: KernelResources): number {
  return spill_store_bytes + spill_load_bytes;
}

function spillText({ spill_store_bytes, spill_load_bytes }: KernelResources): string {
  return `${spill_store_bytes} B out, ${spill_load_bytes} B in`;
}

/** `void ns::gemm<64, 8>(float const*)` → `ns::gemm`; a function that is not a template is its own family. */
function templateName(name: string): string {
  const at = name.replaceAll('(anonymous namespace)', '_anonymous_namespace_').indexOf('<');
  return at < 0 ? name : name.slice(0, at).replace(/^(?:void|static)\s+/u, '');
}

/** The part that tells instantiations apart. */
function argumentsOf({ function: name }: KernelResources): string {
  const plain = plainText(name);
  return plain.slice(Math.max(0, plain.indexOf('<')));
}

/** A demangled template runs to hundreds of characters; its name is what tells it apart. */
function short(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 59)}…`;
}
