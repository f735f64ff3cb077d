import { readFile } from 'node:fs/promises';

import { whatThereIs } from './find-sandbox.ts';
import { missingProtections } from '../model/device/sandbox.ts';
import { ok, warning } from '../device/doctor/probe.ts';
import type { Probe, DoctorContext, Finding } from '../device/doctor/probe.ts';

export const SANDBOX_PROBES: readonly Probe[] = [
  {
    id: 'sandbox',
    group: 'host',
    title: 'Sandbox',
    needed_for: 'kernels that are not trusted (docs/security.md)',
    required: () => false,
    look,
  },
];

/** What brings a protection back, in the order in which it is said. */
const NAMESPACES = ['pidns', 'netns', 'mountns', 'ipcns'];

async function look({ env, signal }: DoctorContext): Promise<Finding> {
  const { protections, problem } = await whatThereIs({ env, signal });
  if (problem !== undefined) {
    return warning(`none: ${problem}`, 'Install a C++17 compiler (g++ 11 or later) to get one.');
  }
  const missing = missingProtections(protections);
  const offers = protections.join(', ');
  if (missing.length === 0) return ok(offers);
  return warning(`${offers}; missing: ${missing.join(', ')}`, await remedyOf(missing));
}

async function remedyOf(missing: readonly string[]): Promise<string> {
  const parts: string[] = [];
  if (missing.includes('landlock')) {
    parts.push(
      'Landlock needs Linux 5.13 or later with `landlock` in the `lsm=` kernel parameter, and a container runtime ' +
        'that allows its system calls.',
    );
  }
  if (NAMESPACES.some((name) => missing.includes(name))) parts.push(await namespaceRemedy());
  if (missing.includes('seccomp')) parts.push('seccomp needs a kernel with CONFIG_SECCOMP_FILTER.');
  return parts.join(' ');
}

/** Distributions forbid namespaces in different ways; each says which in /proc. */
async function namespaceRemedy(): Promise<string> {
  const setting = async (name: string) =>
    (await readFile(`/proc/sys/${name}`, 'utf8').catch(() => '')).trim();
  if ((await setting('kernel/apparmor_restrict_unprivileged_userns')) === '1') {
    return 'Namespaces: allow them with `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`.';
  }
  if ((await setting('kernel/unprivileged_userns_clone')) === '0') {
    return 'Namespaces: allow them with `sudo sysctl kernel.unprivileged_userns_clone=1`.';
  }
  if ((await setting('user/max_user_namespaces')) === '0') {
    return 'Namespaces: allow them with `sudo sysctl user.max_user_namespaces=10000`.';
  }
  return (
    'Namespaces are forbidden here, mostly by a container: start it with ' +
    '`--security-opt seccomp=unconfined --security-opt apparmor=unconfined`, or measure outside it.'
  );
}
