import type { FuzzSpace } from '../../src/config/fuzz-space.ts';
import { planFuzz } from '../../src/config/plan-fuzz.ts';
import { configSchema } from '../../src/config/schema.ts';
import { readYaml } from '../../src/config/yaml-file.ts';

/** The space of a small attention-like kernel; `fuzz` replaces what the problem says. */
export function spaceOf(fuzz: string, kernel = ''): FuzzSpace {
  const yaml = readYaml(`version: 1
problems:
  attention:
    dims: [B, H, S, D, CAUSAL]
    tensors:
      q: { role: input, dtype: f16, shape: [B, H, S, D] }
      k: { role: input, dtype: f16, shape: [B, H, S, D] }
      lengths: { role: input, dtype: i32, shape: [B] }
      o: { role: output, dtype: f16, shape: [B, H, S, D] }
    operations: 4 * B * H * S * S * D
    cases:
      small: { B: 2, H: 2, S: 128, D: 64, CAUSAL: 0 }
    fuzz: ${fuzz}
kernels:
  attention:
    problem: attention
    device: cpu
    language: c
    sources: [attention.c]
    tunables: { TILE: [48, 96] }
${kernel}`);
  if (!yaml.usable) throw new Error('not YAML');
  const loaded = { config: configSchema.parse(yaml.value), path: '/project/pawl.yaml', root: '/project' };
  return planFuzz(loaded, 'attention');
}

export const DIMS =
  'dims: { B: { min: 1, max: 8 }, H: { min: 1, max: 8 }, S: { min: 1, max: 1024 }, D: [16, 64, 128], CAUSAL: [0, 1] }';
