import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig, type LoadedConfig } from '../../../src/config/load-config.ts';

const CONFIG = `version: 1
problems:
  copy:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N] }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: oracle.cpp }
    cases: { small: { N: 8 } }
kernels:
  copied:
    { problem: copy, device: cpu, language: c++, sources: [copy.cpp], tunables: { BLOCK: [8, 16] } }
`;

/** A project of whose kernel nothing is built: lessons only read it. */
export async function lessonsProject(lessons?: string): Promise<LoadedConfig> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-lessons-'));
  await writeFile(join(folder, 'pawl.yaml'), CONFIG);
  await writeFile(join(folder, 'oracle.cpp'), '');
  await writeFile(join(folder, 'copy.cpp'), '#define BLOCK 8\nint wait_for_everything();\n');
  if (lessons !== undefined) await writeFile(join(folder, 'lessons.yaml'), lessons);
  return loadConfig(folder);
}

export const OWN_LESSONS = `# What we know.
schema: pawl.lessons/1
lessons:
  # Ask Ada before touching this one.
  - id: wait-for-everything
    title: Waiting for everything
    symptom:
      code: [wait_for_everything] # the old name
    cause: one wait holds up all
    fix: Wait for what is needed.
    evidence:
      # on the old machine
      - { date: '2026-10-01', device: CPU A, session: s1, note: first }
    scope: { devices: [CPU A], kinds: [copy] }
    source: expert
    by: Ada
  - id: tile-by-guess
    title: Our own words about tiles
    symptom: { tunables: { BLOCK: any } }
    cause: nobody knows
    fix: Profile.
    source: expert
`;
